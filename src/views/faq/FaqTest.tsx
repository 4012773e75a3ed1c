import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import { safeName, safeText } from '../../domain/shown-text.ts'
import {
  type faqTestMachine,
  selectIsTesting,
  selectMayTest,
  selectMessage,
  selectResult,
} from '../../machines/faq/faq-test.ts'
import { type FaqMatch, type FaqTestResult, faqLimits } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { FilledText } from '../components/FilledText.tsx'
import { isComposing } from '../components/is-composing.ts'
import { useSelector } from '../use-selector.ts'

type FaqTestProps = {
  actor: ActorRefFrom<typeof faqTestMachine>
  /** The form next to it has an entry that is not saved yet. */
  isEditing: boolean
}

/** Shows which entries match a customer's message. Collapsed at first on a phone. */
export function FaqTest({ actor, isEditing }: FaqTestProps) {
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
        <div className="flex items-center justify-between gap-3">
          <p className="text-2xs text-ink-3">{isEditing && t('faq.testWithoutForm')}</p>
          <Button type="submit" disabled={!mayTest}>
            {testing ? t('faq.testing') : t('faq.test')}
          </Button>
        </div>
      </form>
      <div role="status" className={classNames('mt-2 text-xs', !isUnfolded && 'max-md:hidden')}>
        {result !== null && <Result result={result} />}
      </div>
    </section>
  )
}

function Result({ result: { message, matches } }: { result: FaqTestResult }) {
  if (matches.length === 0) {
    return (
      <p className="text-ink-2 [overflow-wrap:anywhere]">
        <FilledText parts={{ message: <bdi>{safeText(message)}</bdi> }}>
          {(marks) => t('faq.noMatch', marks)}
        </FilledText>
      </p>
    )
  }
  return (
    <>
      <p className="text-ink-2 [overflow-wrap:anywhere]">
        <FilledText parts={{ message: <bdi>{safeText(message)}</bdi> }}>
          {(marks) => t('faq.matches', { ...marks, count: matches.length })}
        </FilledText>
      </p>
      <ol className="mt-1.5 grid gap-1.5">
        {matches.map((match, index) => (
          <Match key={match.id} match={match} isAnswer={index === 0} />
        ))}
      </ol>
    </>
  )
}

function Match({ match, isAnswer }: { match: FaqMatch; isAnswer: boolean }) {
  return (
    <li className="rounded-ui border border-line bg-panel px-2.5 py-2">
      <div className="flex items-start justify-between gap-2">
        <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
          {safeName(match.title)}
        </span>
        {isAnswer && <Badge tone="ok">{t('faq.wouldAnswer')}</Badge>}
      </div>
      <p className="mt-0.5 text-2xs text-ink-2">
        {safeName(match.category ?? '') || t('faq.uncategorized')} · {t('faq.priority', { priority: match.priority })}
      </p>
      <p className="mt-0.5 text-2xs text-ink-2 [overflow-wrap:anywhere]">
        <FilledText parts={{ keywords: <bdi>{safeName(match.matched_keywords.join(', '))}</bdi> }}>
          {(marks) => t('faq.matched', marks)}
        </FilledText>
      </p>
    </li>
  )
}
