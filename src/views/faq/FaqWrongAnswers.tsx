import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { safeName, safeText } from '../../domain/shown-text.ts'
import { type FaqActor, selectEntries } from '../../machines/faq/faq.ts'
import {
  type faqWrongAnswersMachine,
  selectHasFailed,
  selectResolving,
  selectWrongAnswers,
} from '../../machines/faq/faq-wrong-answers.ts'
import type { FaqWrongAnswer } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

type FaqWrongAnswersProps = {
  actor: ActorRefFrom<typeof faqWrongAnswersMachine>
  faq: FaqActor
  onOpen: (conversationId: string) => void
}

/** The automatic answers that staff marked wrong. */
export function FaqWrongAnswers({ actor, faq, onOpen }: FaqWrongAnswersProps) {
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => back.current?.focus(), [])
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-3">
        <Button ref={back} onClick={() => faq.send({ type: 'wrongAnswers.left' })}>
          <ArrowLeft size={15} aria-hidden="true" />
          {t('faq.backToFaqs')}
        </Button>
        <Button onClick={() => actor.send({ type: 'refetch.requested' })}>{t('shared.refresh')}</Button>
        <h3 className="font-semibold">{t('faq.wrongAnswers')}</h3>
      </div>
      <div className="scroller min-h-0 flex-1">
        <Answers actor={actor} faq={faq} onOpen={onOpen} />
      </div>
    </>
  )
}

function Answers({ actor, faq, onOpen }: FaqWrongAnswersProps) {
  const found = useSelector(actor, selectWrongAnswers)
  const failed = useSelector(actor, selectHasFailed)
  const resolving = useSelector(actor, selectResolving)
  if (found === null) {
    return failed ? (
      <NotLoaded text={t('faq.wrongAnswersNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
    ) : (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t('faq.wrongAnswersLoading')}
      </p>
    )
  }
  if (found.answers.length === 0) {
    return <p className="px-4 py-8 text-center text-ink-2">{t('faq.noWrongAnswers')}</p>
  }
  return (
    <>
      {found.total > found.answers.length && (
        <p className="px-4 py-2 text-ink-2 text-xs">
          {t('faq.newestAnswers', { shown: found.answers.length, total: found.total })}
        </p>
      )}
      <ul aria-label={t('faq.wrongAnswers')}>
        {found.answers.map((answer) => (
          <Answer
            key={answer.message_id}
            answer={answer}
            faq={faq}
            resolving={resolving}
            onResolve={() => actor.send({ type: 'answer.resolved', messageId: answer.message_id })}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </>
  )
}

type AnswerProps = Pick<FaqWrongAnswersProps, 'faq' | 'onOpen'> & {
  answer: FaqWrongAnswer
  /** The answer that is being resolved. */
  resolving: string | null
  onResolve: () => void
}

function Answer({ answer, faq, resolving, onResolve, onOpen }: AnswerProps) {
  const entries = useSelector(faq, selectEntries)
  const entry = entries?.find(({ id }) => id === answer.faq_id)
  const title = safeName(answer.faq_title) || t('faq.untitled')
  return (
    <li className="grid gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <dl className="grid gap-1">
        <div>
          <dt className="text-2xs text-ink-3">{t('faq.customerAsked')}</dt>
          <dd dir="auto" className="line-clamp-4 [overflow-wrap:anywhere]">
            {answer.question === null ? t('faq.questionGone') : safeText(answer.question)}
          </dd>
        </div>
        <div>
          <dt className="text-2xs text-ink-3">{t('faq.faqAnswered')}</dt>
          <dd className="font-medium [overflow-wrap:anywhere]">
            <bdi>{answer.faq_id === null ? t('faq.entryGone', { title }) : title}</bdi>
          </dd>
          <dd dir="auto" className="line-clamp-3 text-ink-2 text-xs [overflow-wrap:anywhere]">
            {safeText(answer.answer ?? '')}
          </dd>
        </div>
      </dl>
      <p className="text-2xs text-ink-3">
        {t('faq.markedBy', { name: safeName(answer.marked_by_name ?? '') || t('shared.unknown') })}
        {' · '}
        <RelativeTime moment={answer.marked_at} />
      </p>
      <div className="flex flex-wrap gap-2">
        {entry !== undefined && (
          <Button onClick={() => faq.send({ type: 'item.edited', item: entry })}>{t('faq.editFaq')}</Button>
        )}
        <Button onClick={() => onOpen(answer.conversation_id)}>{t('faq.openConversation')}</Button>
        <Button disabled={resolving !== null} onClick={onResolve}>
          {resolving === answer.message_id ? t('faq.resolving') : t('faq.resolvedAnswer')}
        </Button>
      </div>
    </li>
  )
}
