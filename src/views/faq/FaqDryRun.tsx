import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import { type DryRunList, type DryRunResult, dryRunLists } from '../../domain/faq/dry-run-result.ts'
import { doubtText } from '../../domain/faq/faq-reasons.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import type { FaqActor } from '../../machines/faq/faq.ts'
import { selectForm } from '../../machines/faq/faq.ts'
import {
  type faqDryRunMachine,
  selectDryRun,
  selectHasStopped,
  selectIncludesForm,
  selectIsRunning,
  selectWasCancelled,
} from '../../machines/faq/faq-dry-run.ts'
import { selectHasUnsaved, unsavedIn } from '../../machines/faq/faq-form.ts'
import { type FaqDryRunSample, faqDryRunLimits } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { useSelector } from '../use-selector.ts'
import { FaqScore } from './FaqScore.tsx'

type FaqDryRunProps = { actor: ActorRefFrom<typeof faqDryRunMachine>; faq: FaqActor }

const { days } = faqDryRunLimits

/** What the entries would have answered of the messages of the last 30 days. */
export function FaqDryRun({ actor, faq }: FaqDryRunProps) {
  const form = useSelector(faq, selectForm)
  const hasUnsaved = useSelector(form, (snapshot) => (snapshot ? selectHasUnsaved(snapshot) : false))
  const running = useSelector(actor, selectIsRunning)
  const stopped = useSelector(actor, selectHasStopped)
  const result = useSelector(actor, selectDryRun)
  const heading = useId()
  const start = () => {
    const snapshot = form?.getSnapshot()
    actor.send({ type: 'run.requested', entry: snapshot ? unsavedIn(snapshot) : null })
  }
  return (
    <section aria-labelledby={heading} className="mt-4 border-line border-t pt-3 text-xs">
      <h3 id={heading} className="font-semibold text-sm">
        {t('faq.dryRun')}
      </h3>
      <p className="mt-1 text-ink-2">{t('faq.dryRunAdvice', { days })}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {running && !stopped ? (
          <Button onClick={() => actor.send({ type: 'run.cancelled' })}>{t('faq.dryRunCancel')}</Button>
        ) : (
          <Button onClick={start}>{hasUnsaved ? t('faq.dryRunWithForm') : t('faq.dryRunStart')}</Button>
        )}
        {stopped && (
          <>
            <Button onClick={() => actor.send({ type: 'refetch.requested' })}>{t('faq.dryRunContinue')}</Button>
            <p role="alert" className="text-warn">
              {t('faq.dryRunStopped')}
            </p>
          </>
        )}
      </div>
      {result !== null && <Progress actor={actor} result={result} isRunning={running} />}
      {result !== null && result.done > 0 && <Result result={result} />}
    </section>
  )
}

type ProgressProps = Pick<FaqDryRunProps, 'actor'> & { result: DryRunResult; isRunning: boolean }

function Progress({ actor, result: { done, total }, isRunning }: ProgressProps) {
  const wasCancelled = useSelector(actor, selectWasCancelled)
  const includesForm = useSelector(actor, selectIncludesForm)
  const id = useId()
  return (
    <div className="mt-2 grid gap-1 text-ink-2">
      {isRunning && (
        <>
          <progress aria-labelledby={id} className="h-1.5 w-full accent-accent" max={Math.max(total, 1)} value={done} />
          <p id={id} className="tabular-nums">
            {t('faq.dryRunProgress', { done, total })}
          </p>
        </>
      )}
      {wasCancelled && <p role="status">{t('faq.dryRunCancelled', { done, total })}</p>}
      {!isRunning && !wasCancelled && total === 0 && <p role="status">{t('faq.dryRunNone', { days })}</p>}
      {includesForm && <p>{t('faq.dryRunIncludes')}</p>}
    </div>
  )
}

function Result({ result }: { result: DryRunResult }) {
  const { done, outcomes, contested, entries, samples } = result
  const held = outcomes.staff + outcomes.recent
  return (
    <div className="mt-2 grid gap-2">
      <ul className="grid gap-0.5">
        <li className="font-medium">{t('faq.dryRunAnswered', { answered: outcomes.answered, total: done })}</li>
        {held > 0 && <li>{t('faq.dryRunHeld', { count: held })}</li>}
        {outcomes.doubtful > 0 && <li>{t('faq.dryRunDoubtful', { count: outcomes.doubtful })}</li>}
        {contested > 0 && <li>{t('faq.dryRunContested', { count: contested })}</li>}
      </ul>
      {entries.length > 0 && (
        <table className="w-full">
          <caption className="text-left font-medium">{t('faq.dryRunByEntry')}</caption>
          <tbody>
            {entries.map(({ id, title, count }) => (
              <tr key={id}>
                <th scope="row" dir="auto" className="text-left font-normal [overflow-wrap:anywhere]">
                  {safeName(title) || t('faq.untitled')}
                </th>
                <td className="text-right tabular-nums">{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {dryRunLists.map((list) => (
        <Samples key={list} list={list} samples={samples[list]} />
      ))}
    </div>
  )
}

const headings = {
  answered: 'faq.dryRunListAnswered',
  several: 'faq.dryRunListSeveral',
  unanswered: 'faq.dryRunListUnanswered',
} as const satisfies Record<DryRunList, Parameters<typeof t>[0]>

function Samples({ list, samples }: { list: DryRunList; samples: readonly FaqDryRunSample[] }) {
  return (
    <details>
      <summary className="flex min-h-7 cursor-pointer items-center font-medium touch:min-h-11">
        {t(headings[list])} · {samples.length === 0 ? t('faq.dryRunNoExamples') : t('faq.dryRunExamples')}
      </summary>
      <ul className="mt-1 grid gap-1.5">
        {samples.map((sample) => (
          <Sample key={sample.message_id} sample={sample} />
        ))}
      </ul>
    </details>
  )
}

function Sample({ sample: { text, entries, doubt } }: { sample: FaqDryRunSample }) {
  return (
    <li className="rounded-ui border border-line bg-panel px-2.5 py-2">
      <p dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
        {safeText(text)}
      </p>
      {entries.map(({ id, title, ...reading }) => (
        <div key={id} className="mt-1">
          <p dir="auto" className="font-medium [overflow-wrap:anywhere]">
            {safeName(title) || t('faq.untitled')}
          </p>
          <FaqScore {...reading} />
        </div>
      ))}
      {doubt !== null && <p className="mt-1 text-2xs text-warn">{doubtText(doubt)}</p>}
    </li>
  )
}
