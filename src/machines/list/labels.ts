import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { offers } from '../../domain/session/features.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Label } from '../../schemas/label.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportOnce } from '../on-failure.ts'
import { readingActions, readingDelays, readingGuards, waitingOrRefused } from '../reading.ts'
import { tellSession } from '../session-events.ts'

type Context = Retries & { user: AuthUser; labels: readonly Label[] }

export type LabelsEvent =
  /** The server has confirmed who is signed in. */
  | { type: 'user.confirmed'; user: AuthUser }
  | { type: 'refetch.requested' }
  /** Somebody created, changed or deleted a label. */
  | { type: 'labels.invalidated' }
  /** The answer to a change of this tab has all labels. */
  | { type: 'labels.told'; labels: readonly Label[] }

/** The filter by a label that is gone ends. */
const reportLabels = {
  type: 'tellSession' as const,
  params: ({ context }: { context: Context }) => ({ type: 'labels.loaded' as const, labels: context.labels }),
}

const keepTold = {
  target: 'known' as const,
  actions: [
    { type: 'keep the labels' as const, params: ({ event }: { event: { labels: readonly Label[] } }) => event },
    reportLabels,
  ],
}

/** Owns the labels. Rows, clients and filters hold their ids. Makes no call if the API does not offer labels. */
export const labelsMachine = setup({
  types: { context: {} as Context, events: {} as LabelsEvent, input: {} as { user: AuthUser } },
  actors: { loadLabels: fromPromise<readonly Label[]>(mustBeProvided('loadLabels')) },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'offers labels': ({ context: { user } }) => offers(user, 'labels'),
  },
  actions: {
    tellSession,
    ...readingActions,
    'store the confirmed user': assign({ user: (_, { user }: { user: AuthUser }) => user }),
    'keep the labels': assign((_, { labels }: { labels: readonly Label[] }) => ({ labels, ...noRetries })),
  },
}).createMachine({
  id: 'labels',
  context: ({ input }) => ({ user: input.user, labels: [], ...noRetries }),
  initial: 'notOffered',
  on: { 'user.confirmed': { actions: { type: 'store the confirmed user', params: ({ event }) => event } } },
  states: {
    notOffered: { always: { guard: 'offers labels', target: 'loading' } },
    loading: {
      invoke: {
        id: 'loadLabels',
        src: 'loadLabels',
        onDone: {
          target: 'known',
          actions: [{ type: 'keep the labels', params: ({ event }) => ({ labels: event.output }) }, reportLabels],
        },
        onError: [
          { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce() },
          { target: 'failed.refused', actions: reportOnce() },
        ],
      },
      on: { 'labels.invalidated': { target: 'loading', reenter: true }, 'labels.told': keepTold },
    },
    known: {
      on: { 'refetch.requested': 'loading', 'labels.invalidated': 'loading', 'labels.told': keepTold },
    },
    failed: {
      ...waitingOrRefused('#labels.loading'),
      on: {
        'refetch.requested': 'loading',
        'labels.invalidated': 'loading',
        'labels.told': { ...keepTold, target: '#labels.known' },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof labelsMachine>

/** Sorted by name. The array stays the same until a label changes. */
export const selectLabels = (snapshot: Snapshot): readonly Label[] => snapshot.context.labels
