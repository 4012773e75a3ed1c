import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, sendTo, setup } from 'xstate'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { webhookToasts } from '../../domain/session/dialog-toasts.ts'
import type { WebhookEndpoint } from '../../schemas/webhook.ts'
import {
  afterDismissal,
  afterSaving,
  askingToDelete,
  formListGuards,
  keepItem,
  type ListEvent,
  listLeadingTo,
} from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'
import { type WebhookFormOutput, webhookFormMachine } from './webhook-form.ts'
import { webhookLogMachine } from './webhook-log.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    webhooks: typeof webhooksMachine
  }
}

type Context = Retries & {
  /** Newest first. Null until they are loaded. */
  endpoints: readonly WebhookEndpoint[] | null
  /** The endpoint that the person works on; null for a new one. */
  item: WebhookEndpoint | null
  /** The secret while it is shown; null otherwise. */
  secret: string | null
}

export type WebhooksEvent =
  | { type: 'refetch.requested' }
  | { type: 'log.requested'; item: WebhookEndpoint }
  | { type: 'replacement.requested'; item: WebhookEndpoint }
  | { type: 'replacement.confirmed' }
  | { type: 'replacement.cancelled' }
  | { type: 'secret.taken' }
  | ListEvent<WebhookEndpoint>

const listWork = listLeadingTo('#webhooks.dismissed')

/** The dialog of webhooks, for administrators: the list, the form, the secret and the log. */
export const webhooksMachine = setup({
  types: {
    context: {} as Context,
    events: {} as WebhooksEvent | { type: 'endpoints.invalidated' },
    children: {} as { webhookForm: 'webhookForm'; webhookLog: 'webhookLog' },
  },
  actors: {
    webhookForm: webhookFormMachine,
    webhookLog: webhookLogMachine,
    loadWebhooks: fromPromise<readonly WebhookEndpoint[]>(mustBeProvided('loadWebhooks')),
    deleteWebhook: fromPromise<void, { id: string }>(mustBeProvided('deleteWebhook')),
    replaceWebhookSecret: fromPromise<string, { id: string }>(mustBeProvided('replaceWebhookSecret')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    ...formListGuards,
    'has a secret': (_, { secret }: { secret: string | null }) => secret !== null,
  },
  actions: {
    notify,
    ...readingActions,
    'keep the endpoints': assign((_, { endpoints }: { endpoints: readonly WebhookEndpoint[] }) => ({
      endpoints,
      ...noRetries,
    })),
    'keep the item': assign({ item: (_, { item }: { item: WebhookEndpoint | null }) => item }),
    'keep the secret': assign({ secret: (_, { secret }: { secret: string | null }) => secret }),
    'forget the secret': assign({ secret: null }),
    'invalidate the endpoints': raise({ type: 'endpoints.invalidated' }),
    'request close of the form': sendTo('webhookForm', { type: 'dialog.dismissed' }),
    'request close of the log': sendTo('webhookLog', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'webhooks',
  context: { endpoints: null, item: null, secret: null, ...noRetries },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        list: {
          initial: 'loading',
          on: { 'endpoints.invalidated': '.loading' },
          states: {
            loading: {
              invoke: {
                id: 'loadWebhooks',
                src: 'loadWebhooks',
                onDone: {
                  target: 'showing',
                  actions: { type: 'keep the endpoints', params: ({ event }) => ({ endpoints: event.output }) },
                },
                onError: afterFailedRead(webhookToasts.failed),
              },
            },
            showing: {},
            /** The earlier endpoints stay. */
            failed: failedRead('#webhooks.open.list.loading'),
          },
        },
        work: {
          initial: 'list',
          states: {
            list: {
              on: {
                ...listWork.on,
                'log.requested': { target: 'log', actions: keepItem },
                'replacement.requested': { target: 'askingToReplace', actions: keepItem },
              },
            },
            form: {
              invoke: {
                id: 'webhookForm',
                src: 'webhookForm',
                input: ({ context: { item } }) => ({ item }),
                onDone: [
                  afterDismissal('#webhooks.dismissed'),
                  {
                    guard: { type: 'has a secret', params: ({ event }): WebhookFormOutput => event.output },
                    target: 'showingSecret',
                    actions: [
                      { type: 'keep the secret', params: ({ event }) => ({ secret: event.output.secret }) },
                      'invalidate the endpoints',
                    ],
                  },
                  ...afterSaving('invalidate the endpoints'),
                ],
              },
              on: { 'dialog.dismissed': { actions: 'request close of the form' } },
            },
            /** Ignores a dismissal: the secret cannot be shown a second time. */
            showingSecret: { on: { 'secret.taken': { target: 'list', actions: 'forget the secret' } } },
            log: {
              invoke: {
                id: 'webhookLog',
                src: 'webhookLog',
                input: ({ context: { item } }) => {
                  if (item === null) throw new Error('the log belongs to an endpoint')
                  return { endpoint: item }
                },
                onDone: [
                  afterDismissal('#webhooks.dismissed'),
                  // A delivery may have changed how the endpoint is.
                  { target: 'list', actions: 'invalidate the endpoints' },
                ],
              },
              on: { 'dialog.dismissed': { actions: 'request close of the log' } },
            },
            asking: { on: askingToDelete('deleting') },
            deleting: {
              exit: 'invalidate the endpoints',
              invoke: {
                id: 'deleteWebhook',
                src: 'deleteWebhook',
                input: ({ context }) => ({ id: context.item?.id ?? '' }),
                onDone: { target: 'list', actions: { type: 'notify', params: webhookToasts.deleted } },
                onError: { target: 'list', actions: reportFailure(webhookToasts.deleteFailed) },
              },
            },
            askingToReplace: {
              on: {
                'replacement.confirmed': 'replacing',
                'replacement.cancelled': 'list',
                'dialog.dismissed': 'list',
              },
            },
            replacing: {
              invoke: {
                id: 'replaceWebhookSecret',
                src: 'replaceWebhookSecret',
                input: ({ context }) => ({ id: context.item?.id ?? '' }),
                onDone: {
                  target: 'showingSecret',
                  actions: { type: 'keep the secret', params: ({ event }) => ({ secret: event.output }) },
                },
                onError: { target: 'list', actions: reportFailure(webhookToasts.notReplaced) },
              },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type WebhooksActor = ActorRefFrom<typeof webhooksMachine>

type Snapshot = SnapshotFrom<typeof webhooksMachine>

/** The open form; undefined while it is not shown. */
export const selectWebhookForm = (snapshot: Snapshot) => snapshot.children.webhookForm
/** The open log; undefined while it is not shown. */
export const selectWebhookLog = (snapshot: Snapshot) => snapshot.children.webhookLog
/** Null until they are loaded. */
export const selectEndpoints = (snapshot: Snapshot): readonly WebhookEndpoint[] | null => snapshot.context.endpoints
export const selectEndpointsHaveFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { list: 'failed' } })
export const selectEndpointsAreLoading = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { list: 'loading' } })
/** The secret to show; null if none is shown. */
export const selectWebhookSecret = (snapshot: Snapshot): string | null => snapshot.context.secret
/** The endpoint whose deletion the person is asked to confirm; null if the question is not shown. */
export const selectAskedToDelete = (snapshot: Snapshot): WebhookEndpoint | null =>
  snapshot.matches({ open: { work: 'asking' } }) || selectIsDeletingWebhook(snapshot) ? snapshot.context.item : null
export const selectIsDeletingWebhook = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'deleting' } })
/** The endpoint whose secret the person is asked to replace; null if the question is not shown. */
export const selectAskedToReplace = (snapshot: Snapshot): WebhookEndpoint | null =>
  snapshot.matches({ open: { work: 'askingToReplace' } }) || selectIsReplacing(snapshot) ? snapshot.context.item : null
export const selectIsReplacing = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'replacing' } })
