import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import { doubtText } from '../../domain/faq/faq-reasons.ts'
import { offers } from '../../domain/session/features.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import {
  type faqTestMachine,
  selectIsTesting,
  selectMayTest,
  selectMessage,
  selectResult,
  selectTestedPage,
} from '../../machines/faq/faq-test.ts'
import { type FaqMatch, type FaqNearMatch, type FaqTestResult, faqLimits } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { FilledText } from '../components/FilledText.tsx'
import { isComposing } from '../components/is-composing.ts'
import { useUser } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { PageSelect } from './FaqPages.tsx'
import { FaqScore } from './FaqScore.tsx'

type FaqTestProps = {
  actor: ActorRefFrom<typeof faqTestMachine>
  /** The form next to it has an entry that is not saved yet. */
  isEditing: boolean
  /** Shown below the result. */
  children: ReactNode
}

/** Shows which entries match a customer's message. Collapsed at first on a phone. */
export function FaqTest({ actor, isEditing, children }: FaqTestProps) {
  const pageId = useSelector(actor, selectTestedPage)
  const offersPages = offers(useUser(), 'faq-matching')
  const message = useSelector(actor, selectMessage)
  const result = useSelector(actor, selectResult)
  const testing = useSelector(actor, selectIsTesting)
  const mayTest = useSelector(actor, selectMayTest)
  const heading = useId()
  const [isUnfolded, setUnfolded] = useState(false)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    actor.send({ type: 'test.requested' })
  }
  return (
    <section
      aria-labelledby={heading}
      className="scroller min-h-0 border-line bg-sunken px-4 py-3 max-md:max-h-[45dvh] max-md:border-b max-md:py-1 md:border-l"
    >
      <h3 id={heading} className="font-semibold max-md:hidden">
        {t('faq.testHeading')}
      </h3>
      <button
        type="button"
        aria-expanded={isUnfolded}
        className="flex min-h-11 w-full items-center justify-between gap-2 font-semibold md:hidden"
        onClick={() => setUnfolded(!isUnfolded)}
      >
        {t('faq.testHeading')}
        <ChevronDown size={16} aria-hidden="true" className={isUnfolded ? 'rotate-180' : undefined} />
      </button>
      <form
        className={classNames('mt-2 grid gap-2 max-md:mt-0', !isUnfolded && 'max-md:hidden')}
        onSubmit={(event) => {
          event.preventDefault()
          actor.send({ type: 'test.requested' })
        }}
      >
        <textarea
          aria-label={t('faq.testMessage')}
          placeholder={t('faq.testHint')}
          autoComplete="off"
          dir="auto"
          rows={3}
          maxLength={faqLimits.message}
          className="field-sizing-content max-h-40 min-h-18 w-full min-w-0 resize-none rounded-ui border border-edge bg-panel px-3 py-2 text-ink max-md:min-h-11"
          value={message}
          onChange={({ target }) => actor.send({ type: 'message.typed', message: target.value })}
          onKeyDown={onKeyDown}
        />
        {offersPages && (
          <PageSelect
            label={t('faq.testPage')}
            none={t('faq.anyPage')}
            className="w-full"
            value={pageId}
            onChoose={(id) => actor.send({ type: 'page.chosen', pageId: id })}
          />
        )}
        <div className="flex items-center justify-between gap-3">
          <p className="text-2xs text-ink-3">{t(isEditing ? 'faq.testWithoutForm' : 'faq.testOfActive')}</p>
          <Button type="submit" disabled={!mayTest}>
            {testing ? t('faq.testing') : t('faq.test')}
          </Button>
        </div>
      </form>
      <div role="status" className={classNames('mt-2 text-xs', !isUnfolded && 'max-md:hidden')}>
        {result !== null && <Result result={result} />}
      </div>
      <div className={classNames(!isUnfolded && 'max-md:hidden')}>{children}</div>
    </section>
  )
}

function Result({ result }: { result: FaqTestResult }) {
  const { message, matches, near = [], answer } = result
  if (matches.length === 0 && answer?.id != null) {
    return (
      <>
        <p className="text-ink-2 [overflow-wrap:anywhere]">
          <FilledText parts={{ message: <bdi>{safeText(message)}</bdi> }}>
            {(marks) => t('faq.matches', { ...marks, count: 1 })}
          </FilledText>
        </p>
        <Near near={near} answerId={answer.id} />
      </>
    )
  }
  if (matches.length === 0) {
    return (
      <>
        <p className="text-ink-2 [overflow-wrap:anywhere]">
          <FilledText parts={{ message: <bdi>{safeText(message)}</bdi> }}>
            {(marks) => t('faq.noMatch', marks)}
          </FilledText>
        </p>
        {answer?.doubt != null && <p className="mt-1 text-warn">{doubtText(answer.doubt)}</p>}
        <Near near={near} answerId={null} />
      </>
    )
  }
  return (
    <>
      <p className="text-ink-2 [overflow-wrap:anywhere]">
        <FilledText parts={{ message: <bdi>{safeText(message)}</bdi> }}>
          {(marks) => t('faq.matches', { ...marks, count: matches.length })}
        </FilledText>
      </p>
      {matches.length > 1 && <p className="mt-1 text-warn">{t('faq.severalMatch', { count: matches.length })}</p>}
      <ol className="mt-1.5 grid gap-1.5">
        {matches.map((match, index) => (
          <Match key={match.id} match={match} isAnswer={index === 0} />
        ))}
      </ol>
      <Near near={near} answerId={null} />
    </>
  )
}

/** The maximum number of similar entries that are shown. */
const shownNear = 5

/** The entries that the message is similar to, with the reasons. */
function Near({ near, answerId }: { near: readonly FaqNearMatch[]; answerId: string | null }) {
  if (near.length === 0) return null
  return (
    <>
      <h4 className="mt-2 font-medium">{t('faq.similar')}</h4>
      <ol aria-label={t('faq.similar')} className="mt-1.5 grid gap-1.5">
        {near.slice(0, shownNear).map(({ id, title, category, priority, ...reading }) => (
          <li key={id} className="rounded-ui border border-line bg-panel px-2.5 py-2">
            <Heading title={title} isAnswer={id === answerId} />
            <CategoryLine category={category} priority={priority} />
            <FaqScore {...reading} />
          </li>
        ))}
      </ol>
    </>
  )
}

function Match({ match, isAnswer }: { match: FaqMatch; isAnswer: boolean }) {
  return (
    <li className="rounded-ui border border-line bg-panel px-2.5 py-2">
      <Heading title={match.title} isAnswer={isAnswer} />
      <CategoryLine {...match} />
      <p className="mt-0.5 text-2xs text-ink-2 [overflow-wrap:anywhere]">
        <FilledText parts={{ keywords: <bdi>{safeName(match.matched_keywords.join(', '))}</bdi> }}>
          {(marks) => t('faq.matched', marks)}
        </FilledText>
      </p>
    </li>
  )
}

const Heading = ({ title, isAnswer }: { title: string; isAnswer: boolean }) => (
  <div className="flex items-start justify-between gap-2">
    <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
      {safeName(title)}
    </span>
    {isAnswer && <Badge tone="ok">{t('faq.wouldAnswer')}</Badge>}
  </div>
)

const CategoryLine = ({ category, priority }: Pick<FaqMatch, 'category' | 'priority'>) => (
  <p className="mt-0.5 text-2xs text-ink-2">
    {safeName(category ?? '') || t('faq.uncategorized')} · {t('faq.priority', { priority })}
  </p>
)
