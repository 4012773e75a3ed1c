import { createActor, SimulatedClock, type SnapshotFrom } from 'xstate'
import type { WebhookToSave } from '../../../src/domain/session/webhook-fields.ts'
import { webhookFormMachine } from '../../../src/machines/session/webhook-form.ts'
import { webhookLogMachine } from '../../../src/machines/session/webhook-log.ts'
import { webhooksMachine } from '../../../src/machines/session/webhooks.ts'
import type { WebhookDelivery, WebhookDeliveryPage, WebhookEndpoint } from '../../../src/schemas/webhook.ts'
import { createControl, createToastLog, type Inspect, modelOf } from '../harness.ts'
import { staffFaults } from './staff-fixture.ts'

export const endpointOf = (id: string, rest: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  url: `https://${id}.example.com/hook`,
  description: '',
  events: ['order.changed'],
  is_active: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_by: 'Ana Reyes',
  created_at: '2026-01-05T12:00:00Z',
  ...rest,
})
export const shop = endpointOf('shop')
export const till = endpointOf('till', { description: 'The till', failing_since: '2026-01-06T12:00:00Z' })

export const deliveryOf = (id: number, rest: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id,
  event_id: `evt_${id}`,
  type: 'order.changed',
  state: 'delivered',
  attempts: 1,
  created_at: '2026-01-05T12:00:00Z',
  last_attempt_at: '2026-01-05T12:00:00Z',
  next_attempt_at: null,
  status: 200,
  error: null,
  ...rest,
})
const waiting = { state: 'waiting', status: 500, error: 'refused', next_attempt_at: '2026-01-05T12:05:00Z' } as const
export const firstPage: WebhookDeliveryPage = { deliveries: [deliveryOf(4, waiting), deliveryOf(3)], next: 3 }
export const secondPage: WebhookDeliveryPage = { deliveries: [deliveryOf(2), deliveryOf(1)], next: null }

/** The dialog with its form and its log, on controlled calls. */
export function startWebhooks(alsoInspect: Inspect = () => {}) {
  const load = createControl<readonly WebhookEndpoint[]>()
  const save = createControl<string | null, WebhookToSave>()
  const remove = createControl<void, { id: string }>()
  const replace = createControl<string, { id: string }>()
  const deliveries = createControl<WebhookDeliveryPage, { id: string; before: number | null }>()
  const resend = createControl<void, { id: string; delivery: number }>()
  const test = createControl<void, { id: string }>()
  const clock = new SimulatedClock()
  const { toasts, inspect } = createToastLog(alsoInspect)
  const machine = webhooksMachine.provide({
    actors: {
      loadWebhooks: load.logic,
      deleteWebhook: remove.logic,
      replaceWebhookSecret: replace.logic,
      webhookForm: webhookFormMachine.provide({ actors: { saveWebhook: save.logic } }),
      webhookLog: webhookLogMachine.provide({
        actors: { loadDeliveries: deliveries.logic, resendDelivery: resend.logic, testWebhook: test.logic },
      }),
    },
  })
  const actor = createActor(machine, { clock, inspect }).start()
  const snapshot = () => actor.getSnapshot()
  return { load, save, remove, replace, deliveries, resend, test, clock, actor, snapshot, toasts }
}

const readFaults = ({ failures }: { failures: number }) =>
  failures === 0 ? [{ error: staffFaults.unnamed }, { error: staffFaults.noAnswer }] : []

type Snapshot = SnapshotFrom<typeof webhooksMachine>

export const webhooksModel = () => {
  const isQuiet = (snapshot: Snapshot) =>
    snapshot.matches({ open: { list: 'showing' } }) && snapshot.context.item === null
  return modelOf(webhooksMachine, {
    input: undefined,
    vertex: ({ context }: Snapshot) => context,
    cases: {
      'refetch.requested': [{}],
      'endpoints.invalidated': [],
      'item.added': (snapshot) => (isQuiet(snapshot) ? [{}] : []),
      'item.edited': (snapshot) => (isQuiet(snapshot) ? [{ item: shop }] : []),
      'log.requested': (snapshot) => (isQuiet(snapshot) ? [{ item: till }] : []),
      'deletion.requested': (snapshot) => (isQuiet(snapshot) ? [{ item: shop }] : []),
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'replacement.requested': (snapshot) => (isQuiet(snapshot) ? [{ item: shop }] : []),
      'replacement.confirmed': [{}],
      'replacement.cancelled': [{}],
      'secret.taken': [{}],
      'dialog.dismissed': (snapshot) =>
        snapshot.matches({ open: { work: 'form' } }) || snapshot.matches({ open: { work: 'log' } }) ? [] : [{}],
      'xstate.done.actor.webhookForm': ({ context }) =>
        context.item === null
          ? [
              { output: { isDismissed: false, mayHaveSaved: false, secret: null } },
              { output: { isDismissed: true, mayHaveSaved: false, secret: null } },
              { output: { isDismissed: false, mayHaveSaved: true, secret: 'whsec_new' } },
            ]
          : [{ output: { isDismissed: false, mayHaveSaved: true, secret: null } }],
      'xstate.done.actor.webhookLog': [{ output: { isDismissed: false } }, { output: { isDismissed: true } }],
      'xstate.done.actor.loadWebhooks': [{ output: [shop, till] }],
      'xstate.error.actor.loadWebhooks': ({ context }) => readFaults(context),
      'xstate.done.actor.deleteWebhook': [{ output: undefined }],
      'xstate.error.actor.deleteWebhook': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.replaceWebhookSecret': [{ output: 'whsec_next' }],
      'xstate.error.actor.replaceWebhookSecret': [{ error: staffFaults.unnamed }],
    },
  })
}

/** The form of this endpoint; null for a new one. */
export const webhookFormModel = (item: WebhookEndpoint | null) =>
  modelOf(webhookFormMachine, {
    input: { item },
    vertex: ({ context }: SnapshotFrom<typeof webhookFormMachine>) => context,
    cases: {
      'fields.typed': ({ context }) =>
        context.fields.url === (item?.url ?? '') ? [{ change: { url: 'https://new.example.com/' } }] : [],
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.saveWebhook': [{ output: item === null ? 'whsec_new' : null }],
      'xstate.error.actor.saveWebhook': ({ context }) =>
        context.error === null ? [{ error: staffFaults.refused }, { error: staffFaults.noAnswer }] : [],
    },
  })

export const webhookLogModel = () => {
  type LogSnapshot = SnapshotFrom<typeof webhookLogMachine>
  return modelOf(webhookLogMachine, {
    input: { endpoint: till },
    vertex: ({ context }: LogSnapshot) => context,
    cases: {
      'refetch.requested': [{}],
      'more.requested': [{}],
      'deliveries.invalidated': [],
      'resend.requested': ({ context }: LogSnapshot) =>
        context.deliveries !== null && context.delivery === 0 ? [{ delivery: 4 }] : [],
      'test.requested': ({ context }: LogSnapshot) => (context.delivery === 0 ? [{}] : []),
      'log.closed': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadDeliveries': [{ output: firstPage }],
      'xstate.error.actor.loadDeliveries': ({ context }) => readFaults(context),
      'xstate.done.actor.loadMore': [{ output: secondPage }],
      'xstate.error.actor.loadMore': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.resendDelivery': [{ output: undefined }],
      'xstate.error.actor.resendDelivery': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.testWebhook': [{ output: undefined }],
      'xstate.error.actor.testWebhook': [{ error: staffFaults.unnamed }],
    },
  })
}
