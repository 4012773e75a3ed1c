import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import { faqToasts } from '../../domain/faq/dialog-toasts.ts'
import { type DryRunResult, emptyDryRun, withPart } from '../../domain/faq/dry-run-result.ts'
import type { DryRunRequest, UnsavedFaq } from '../../domain/faq/faq-calls.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { FaqDryRunCursor, FaqDryRunPart } from '../../schemas/faq.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import {
  afterFailedRead,
  readingActions,
  readingDelays,
  readingGuards,
  refetchTo,
  waitingOrRefused,
} from '../reading.ts'

type Context = Retries & {
  /** The entry of the form that the run includes; null if it includes saved entries only. */
  entry: UnsavedFaq | null
  /** Where the next part begins; null before the first part and after the last one. */
  next: FaqDryRunCursor | null
  /** Null before the first run. */
  result: DryRunResult | null
}

export type FaqDryRunEvent =
  | { type: 'run.requested'; entry: UnsavedFaq | null }
  | { type: 'run.cancelled' }
  /** After a failure: the run goes on where it stopped. */
  | { type: 'refetch.requested' }

const begin = {
  target: '#faqDryRun.running' as const,
  actions: {
    type: 'begin a run' as const,
    params: ({ event }: { event: { entry: UnsavedFaq | null } }) => event,
  },
}

/**
 * The dry run: what the FAQ would have answered of the messages of the last 30 days. Asks the server part by part, so that it
 * can show the progress and stop. A run that stops keeps the result of its parts.
 */
export const faqDryRunMachine = setup({
  types: { context: {} as Context, events: {} as FaqDryRunEvent },
  actors: { dryRun: fromPromise<FaqDryRunPart, DryRunRequest>(mustBeProvided('dryRun')) },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'was the last part': (_, { part }: { part: FaqDryRunPart }) => part.next === null,
  },
  actions: {
    ...readingActions,
    'begin a run': assign((_, { entry }: { entry: UnsavedFaq | null }) => ({
      entry,
      next: null,
      result: emptyDryRun,
      ...noRetries,
    })),
    'add the part': assign(({ context }, { part }: { part: FaqDryRunPart }) => ({
      result: withPart(context.result ?? emptyDryRun, part),
      next: part.next,
      ...noRetries,
    })),
  },
}).createMachine({
  id: 'faqDryRun',
  context: { entry: null, next: null, result: null, ...noRetries },
  initial: 'idle',
  states: {
    idle: { on: { 'run.requested': begin } },
    running: {
      initial: 'loading',
      on: { 'run.cancelled': 'cancelled' },
      states: {
        loading: {
          invoke: {
            id: 'dryRun',
            src: 'dryRun',
            input: ({ context: { entry, next } }) => ({ entry, next }),
            onDone: [
              {
                guard: { type: 'was the last part', params: ({ event }) => ({ part: event.output }) },
                target: '#faqDryRun.finished',
                actions: { type: 'add the part', params: ({ event }) => ({ part: event.output }) },
              },
              {
                target: 'loading',
                reenter: true,
                actions: { type: 'add the part', params: ({ event }) => ({ part: event.output }) },
              },
            ],
            onError: afterFailedRead(faqToasts.dryRunFailed),
          },
        },
        failed: {
          ...waitingOrRefused('#faqDryRun.running.loading'),
          on: { ...refetchTo('loading'), 'run.requested': begin },
        },
      },
    },
    cancelled: { on: { 'run.requested': begin } },
    finished: { on: { 'run.requested': begin } },
  },
})

type Snapshot = SnapshotFrom<typeof faqDryRunMachine>

/** The parts that were read; null before the first run. */
export const selectDryRun = (snapshot: Snapshot): DryRunResult | null => snapshot.context.result
export const selectIsRunning = (snapshot: Snapshot): boolean => snapshot.matches('running')
/** The run waits for a retry, or for the person. */
export const selectHasStopped = (snapshot: Snapshot): boolean => snapshot.matches({ running: 'failed' })
export const selectWasCancelled = (snapshot: Snapshot): boolean => snapshot.matches('cancelled')
/** The run includes the entry of the form as it was at the start. */
export const selectIncludesForm = (snapshot: Snapshot): boolean => snapshot.context.entry !== null
