import { useSelector } from '@xstate/react'
import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import { safeName } from '../../domain/shown-text.ts'
import {
  type faqTestMachine,
  selectIsTesting,
  selectMayTest,
  selectMessage,
  selectResult,
} from '../../machines/faq-test.ts'
import { type FaqMatch, type FaqTestResult, faqLimits } from '../../schemas/faq.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { TextInput } from '../components/Field.tsx'

/** Tries out which entries a customer's message would match. */
export function FaqTest({ actor }: { actor: ActorRefFrom<typeof faqTestMachine> }) {
  const message = useSelector(actor, selectMessage)
  const result = useSelector(actor, selectResult)
  const testing = useSelector(actor, selectIsTesting)
  const mayTest = useSelector(actor, selectMayTest)
  const heading = useId()
  return (
    <section
      aria-labelledby={heading}
      className="scroller min-h-0 border-line bg-sunken px-4 py-3 max-md:max-h-72 max-md:border-b md:border-l"
    >
      <h3 id={heading} className="font-semibold">
        Test FAQ Matching
      </h3>
      <form
        className="mt-2 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          actor.send({ type: 'test.requested' })
        }}
      >
        <TextInput
          aria-label="Message to test"
          placeholder="A customer's message"
          autoComplete="off"
          maxLength={faqLimits.message}
          value={message}
          onChange={({ target }) => actor.send({ type: 'message.typed', message: target.value })}
        />
        <Button type="submit" className="h-9" disabled={!mayTest}>
          {testing ? 'Testing...' : 'Test'}
        </Button>
      </form>
      <div role="status" className="mt-2 text-xs">
        {result !== null && <Result result={result} />}
      </div>
    </section>
  )
}

function Result({ result: { message, matches } }: { result: FaqTestResult }) {
  if (matches.length === 0) {
    return (
      <p className="text-ink-2 [overflow-wrap:anywhere]">
        Nothing would answer “<bdi>{message}</bdi>”.
      </p>
    )
  }
  return (
    <>
      <p className="text-ink-2 [overflow-wrap:anywhere]">
        {matches.length === 1 ? '1 match' : `${matches.length} matches`} for “<bdi>{message}</bdi>”
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
        {isAnswer && <Badge tone="ok">Would answer</Badge>}
      </div>
      <p className="mt-0.5 text-2xs text-ink-2">
        {safeName(match.category ?? '') || 'Uncategorized'} · Priority {match.priority}
      </p>
      <p className="mt-0.5 text-2xs text-ink-2 [overflow-wrap:anywhere]">
        Matched: <bdi>{match.matched_keywords.join(', ')}</bdi>
      </p>
    </li>
  )
}
