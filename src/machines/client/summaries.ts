import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { Summary, SummaryKind, SummarySubject } from '../../domain/client/client-calls.ts'
import { threadToasts } from '../../domain/thread/toasts.ts'
import type { ToastText } from '../../domain/toast.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { notify } from '../system.ts'

type Request = SummarySubject & { kind: SummaryKind }

/** A summary with the request that it answers. */
type MadeSummary = Request & Summary

type Context = {
  request: Request | null
  /** Waits to be inserted. */
  made: MadeSummary | null
}

export type SummariesEvent =
  | ({ type: 'summary.requested' } & Request)
  /** The composer has inserted the text into its input. */
  | { type: 'summary.taken' }

const summariesSetup = setup({
  types: { context: {} as Context, events: {} as SummariesEvent },
  actors: {
    fetchOrders: fromPromise<Summary, SummarySubject>(mustBeProvided('fetchOrders')),
    fetchPayments: fromPromise<Summary, SummarySubject>(mustBeProvided('fetchPayments')),
  },
  guards: {
    'has no client': (_, { clientId }: { clientId: string | null }) => clientId === null,
    'is about orders': (_, { kind }: { kind: SummaryKind }) => kind === 'orders',
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'keep the request': assign({
      request: (_, { kind, userId, clientId, platform, language, business }: Request) => ({
        kind,
        userId,
        clientId,
        platform,
        language,
        business,
      }),
    }),
    'keep the summary': assign({
      made: ({ context }, { summary }: { summary: Summary }) => ({ ...known(context.request), ...summary }),
    }),
    'forget the summary': assign({ made: null, request: null }),
  },
})

/** Fetches one summary. A failure is shown and not retried automatically. */
const fetching = (src: 'fetchOrders' | 'fetchPayments', own: ToastText) =>
  summariesSetup.createStateConfig({
    invoke: {
      id: src,
      src,
      input: ({ context }) => known(context.request),
      onDone: {
        target: 'composed',
        actions: { type: 'keep the summary', params: ({ event }) => ({ summary: event.output }) },
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
  context: { request: null, made: null },
  initial: 'idle',
  states: {
    idle: {
      entry: 'forget the summary',
      on: {
        'summary.requested': [
          {
            guard: { type: 'has no client', params: ({ event }) => event },
            actions: { type: 'notify', params: threadToasts.noClient },
          },
          {
            guard: { type: 'is about orders', params: ({ event }) => event },
            target: 'fetchingOrders',
            actions: { type: 'keep the request', params: ({ event }) => event },
          },
          { target: 'fetchingPayments', actions: { type: 'keep the request', params: ({ event }) => event } },
        ],
      },
    },
    fetchingOrders: fetching('fetchOrders', threadToasts.ordersFailed),
    fetchingPayments: fetching('fetchPayments', threadToasts.paymentsFailed),
    composed: { on: { 'summary.taken': 'idle' } },
  },
})

const known = (request: Request | null): Request => {
  if (request === null) throw new Error('a summary is fetched because it was requested')
  return request
}

type Snapshot = SnapshotFrom<typeof summariesMachine>

/** The summary that is being fetched; null if there is none. */
export const selectFetching = (snapshot: Snapshot): SummaryKind | null => {
  if (snapshot.matches('fetchingOrders')) return 'orders'
  return snapshot.matches('fetchingPayments') ? 'payments' : null
}

/** The summary that waits to be inserted; null if there is none. */
export const selectMade = (snapshot: Snapshot): MadeSummary | null => snapshot.context.made
