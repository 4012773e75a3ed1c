import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { SummarySubject } from '../../domain/client/client-calls.ts'
import { threadToasts } from '../../domain/thread/toasts.ts'
import type { ToastText } from '../../domain/toast.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { notify } from '../system.ts'

export type SummaryKind = 'orders' | 'payments'

type Context = {
  subject: SummarySubject | null
  text: string | null
  /** The text that the composer inserted last. The person may have changed it since. */
  taken: string | null
}

export type SummariesEvent =
  | ({ type: 'summary.requested'; kind: SummaryKind } & SummarySubject)
  /** The composer has inserted the text into its input. */
  | { type: 'summary.taken' }

const summariesSetup = setup({
  types: { context: {} as Context, events: {} as SummariesEvent },
  actors: {
    fetchOrders: fromPromise<string, SummarySubject>(mustBeProvided('fetchOrders')),
    fetchPayments: fromPromise<string, SummarySubject>(mustBeProvided('fetchPayments')),
  },
  guards: {
    'has no client': (_, { clientId }: { clientId: string | null }) => clientId === null,
    'is about orders': (_, { kind }: { kind: SummaryKind }) => kind === 'orders',
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'keep the subject': assign({
      subject: (_, { userId, clientId, platform }: SummarySubject) => ({ userId, clientId, platform }),
    }),
    'keep the text': assign({ text: (_, { text }: { text: string }) => text }),
    'forget the text': assign({ text: null, subject: null }),
    'store the accepted summary': assign({ taken: ({ context }) => context.text }),
  },
})

/** Fetches one summary. A failure is shown and not retried automatically. */
const fetching = (src: 'fetchOrders' | 'fetchPayments', own: ToastText) =>
  summariesSetup.createStateConfig({
    invoke: {
      id: src,
      src,
      input: ({ context }) => known(context.subject),
      onDone: {
        target: 'composed',
        actions: { type: 'keep the text', params: ({ event }) => ({ text: event.output }) },
      },
      onError: {
        target: 'idle',
        actions: { type: 'notify failure', params: ({ event }) => ({ error: event.error, own }) },
      },
    },
  })

/**
 * The composer's Orders and Payments buttons (spec sections 2 and 5). Fetches a text that the composer inserts into its
 * input. Sends no message.
 */
export const summariesMachine = summariesSetup.createMachine({
  id: 'summaries',
  context: { subject: null, text: null, taken: null },
  initial: 'idle',
  states: {
    idle: {
      entry: 'forget the text',
      on: {
        'summary.requested': [
          {
            guard: { type: 'has no client', params: ({ event }) => event },
            actions: { type: 'notify', params: threadToasts.noClient },
          },
          {
            guard: { type: 'is about orders', params: ({ event }) => event },
            target: 'fetchingOrders',
            actions: { type: 'keep the subject', params: ({ event }) => event },
          },
          { target: 'fetchingPayments', actions: { type: 'keep the subject', params: ({ event }) => event } },
        ],
      },
    },
    fetchingOrders: fetching('fetchOrders', threadToasts.ordersFailed),
    fetchingPayments: fetching('fetchPayments', threadToasts.paymentsFailed),
    composed: { on: { 'summary.taken': { target: 'idle', actions: 'store the accepted summary' } } },
  },
})

const known = (subject: SummarySubject | null): SummarySubject => {
  if (subject === null) throw new Error('a summary needs a subject')
  return subject
}

type Snapshot = SnapshotFrom<typeof summariesMachine>

/** The summary that is being fetched; null if there is none. */
export const selectFetching = (snapshot: Snapshot): SummaryKind | null => {
  if (snapshot.matches('fetchingOrders')) return 'orders'
  return snapshot.matches('fetchingPayments') ? 'payments' : null
}

/** The text that waits to be inserted; null if there is none. */
export const selectText = (snapshot: Snapshot): string | null => snapshot.context.text

/** The text that was inserted last, which the next text replaces; null before the first. */
export const selectTaken = (snapshot: Snapshot): string | null => snapshot.context.taken
