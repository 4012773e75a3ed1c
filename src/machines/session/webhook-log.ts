import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, setup } from 'xstate'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { webhookToasts } from '../../domain/session/dialog-toasts.ts'
import type { WebhookDelivery, WebhookDeliveryPage, WebhookEndpoint } from '../../schemas/webhook.ts'
import type { FormOutput } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'

type Context = Retries & {
  endpoint: WebhookEndpoint
  /** Newest first. Null until the first page is loaded. */
  deliveries: readonly WebhookDelivery[] | null
  /** The start of the next page; null if there is none. */
  next: number | null
  /** No further page was loaded. */
  isFirstPage: boolean
  /** The id of the delivery to send again. */
  delivery: number
  /** The person dismissed the whole dialog, not only the log. */
  isDismissed: boolean
}

export type WebhookLogEvent =
  | { type: 'refetch.requested' }
  | { type: 'more.requested' }
  | { type: 'resend.requested'; delivery: number }
  | { type: 'test.requested' }
  | { type: 'log.closed' }
  | { type: 'dialog.dismissed' }

/** Milliseconds after which the first page of the log is read again. */
const refreshDelay = 3_000

/** The log of a webhook: its deliveries, sending one again, and a test. */
export const webhookLogMachine = setup({
  types: {
    context: {} as Context,
    events: {} as WebhookLogEvent | { type: 'deliveries.invalidated' },
    input: {} as { endpoint: WebhookEndpoint },
    output: {} as FormOutput,
  },
  actors: {
    loadDeliveries: fromPromise<WebhookDeliveryPage, { id: string; before: number | null }>(
      mustBeProvided('loadDeliveries'),
    ),
    resendDelivery: fromPromise<void, { id: string; delivery: number }>(mustBeProvided('resendDelivery')),
    testWebhook: fromPromise<void, { id: string }>(mustBeProvided('testWebhook')),
  },
  delays: { refreshDelay, ...readingDelays },
  guards: {
    ...readingGuards,
    'has more': ({ context }) => context.next !== null,
    // A read of the first page drops the further pages, which the person is reading.
    'shows the first page': ({ context }) => context.isFirstPage,
  },
  actions: {
    notify,
    ...readingActions,
    'show the first page': assign((_, { page }: { page: WebhookDeliveryPage }) => ({
      ...page,
      isFirstPage: true,
      ...noRetries,
    })),
    'add the page': assign(({ context }, { page }: { page: WebhookDeliveryPage }) => ({
      deliveries: [...(context.deliveries ?? []), ...page.deliveries],
      next: page.next,
      isFirstPage: false,
    })),
    'keep the delivery': assign({ delivery: (_, { delivery }: { delivery: number }) => delivery }),
    'store the next target': assign({ isDismissed: true }),
    'invalidate the deliveries': raise({ type: 'deliveries.invalidated' }),
  },
}).createMachine({
  id: 'webhookLog',
  context: ({ input }) => ({
    ...input,
    deliveries: null,
    next: null,
    isFirstPage: true,
    delivery: 0,
    isDismissed: false,
    ...noRetries,
  }),
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      on: {
        'log.closed': 'closed',
        'dialog.dismissed': { target: 'closed', actions: 'store the next target' },
      },
      states: {
        list: {
          initial: 'loading',
          on: { 'deliveries.invalidated': '.loading' },
          states: {
            loading: {
              invoke: {
                id: 'loadDeliveries',
                src: 'loadDeliveries',
                input: ({ context }) => ({ id: context.endpoint.id, before: null }),
                onDone: {
                  target: 'showing',
                  actions: { type: 'show the first page', params: ({ event }) => ({ page: event.output }) },
                },
                onError: afterFailedRead(webhookToasts.logFailed),
              },
              // Only a log that is read again has more.
              on: { 'more.requested': { guard: 'has more', target: 'showing.loadingMore' } },
            },
            /** The earlier deliveries stay. */
            failed: failedRead('#webhookLog.open.list.loading'),
            showing: {
              initial: 'idle',
              on: { 'refetch.requested': 'loading' },
              states: {
                idle: {
                  on: { 'more.requested': { guard: 'has more', target: 'loadingMore' } },
                  after: { refreshDelay: { guard: 'shows the first page', target: '#webhookLog.open.list.loading' } },
                },
                loadingMore: {
                  invoke: {
                    id: 'loadMore',
                    src: 'loadDeliveries',
                    input: ({ context }) => ({ id: context.endpoint.id, before: context.next }),
                    onDone: {
                      target: 'idle',
                      actions: { type: 'add the page', params: ({ event }) => ({ page: event.output }) },
                    },
                    onError: { target: 'idle', actions: reportFailure(webhookToasts.logFailed) },
                  },
                },
              },
            },
          },
        },
        work: {
          initial: 'idle',
          states: {
            idle: {
              on: {
                'resend.requested': {
                  target: 'resending',
                  actions: { type: 'keep the delivery', params: ({ event }) => event },
                },
                'test.requested': 'testing',
              },
            },
            resending: {
              exit: 'invalidate the deliveries',
              invoke: {
                id: 'resendDelivery',
                src: 'resendDelivery',
                input: ({ context }) => ({ id: context.endpoint.id, delivery: context.delivery }),
                onDone: { target: 'idle', actions: { type: 'notify', params: webhookToasts.resent } },
                onError: { target: 'idle', actions: reportFailure(webhookToasts.notResent) },
              },
            },
            testing: {
              exit: 'invalidate the deliveries',
              invoke: {
                id: 'testWebhook',
                src: 'testWebhook',
                input: ({ context }) => ({ id: context.endpoint.id }),
                onDone: { target: 'idle', actions: { type: 'notify', params: webhookToasts.tested } },
                onError: { target: 'idle', actions: reportFailure(webhookToasts.notTested) },
              },
            },
          },
        },
      },
    },
    closed: { type: 'final' },
  },
  output: ({ context: { isDismissed } }) => ({ isDismissed }),
})

export type WebhookLogActor = ActorRefFrom<typeof webhookLogMachine>

type Snapshot = SnapshotFrom<typeof webhookLogMachine>

export const selectLoggedEndpoint = (snapshot: Snapshot): WebhookEndpoint => snapshot.context.endpoint
/** Null until the first page is loaded. */
export const selectDeliveries = (snapshot: Snapshot): readonly WebhookDelivery[] | null => snapshot.context.deliveries
export const selectLogIsLoading = (snapshot: Snapshot): boolean => snapshot.matches({ open: { list: 'loading' } })
export const selectLogHasFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { list: 'failed' } })
export const selectLogHasMore = (snapshot: Snapshot): boolean =>
  snapshot.context.next !== null && !selectLogHasFailed(snapshot)
export const selectLogIsLoadingMore = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { list: { showing: 'loadingMore' } } })
/** A call runs that sends something. */
export const selectLogIsSending = (snapshot: Snapshot): boolean =>
  snapshot.status === 'active' && !snapshot.matches({ open: { work: 'idle' } })
