import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { haveSameValues } from '../../domain/same-fields.ts'
import { webhookTexts, webhookToasts } from '../../domain/session/dialog-toasts.ts'
import {
  type WebhookFields,
  type WebhookToSave,
  webhookBlockedReason,
  webhookBodyOf,
  webhookFieldsOf,
  webhookUrlProblem,
} from '../../domain/session/webhook-fields.ts'
import type { WebhookEndpoint } from '../../schemas/webhook.ts'
import {
  editingItem,
  emptyItemForm,
  endingItemForm,
  type ItemFormContext,
  type ItemFormEvent,
  type ItemFormOutput,
  itemFormActions,
  itemFormGuards,
} from '../item-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { afterFailedCreation } from '../on-failure.ts'

export type WebhookFormEvent = ItemFormEvent<WebhookFields>

/** `secret`: of a new webhook; null otherwise. */
export type WebhookFormOutput = ItemFormOutput & { secret: string | null }

/** The form of a webhook. */
export const webhookFormMachine = setup({
  types: {
    context: {} as ItemFormContext<WebhookEndpoint, WebhookFields> & { secret: string | null },
    events: {} as WebhookFormEvent,
    input: {} as { item: WebhookEndpoint | null },
    output: {} as WebhookFormOutput,
  },
  actors: { saveWebhook: fromPromise<string | null, WebhookToSave>(mustBeProvided('saveWebhook')) },
  guards: {
    ...itemFormGuards,
    'is complete': ({ context }) => webhookBlockedReason(context.fields) === null,
    'has no typed text': ({ context }) => haveSameValues(context.fields, webhookFieldsOf(context.item)),
  },
  actions: {
    ...itemFormActions(() => webhookTexts.perhapsMade),
    'keep the secret': assign({ secret: (_, { secret }: { secret: string | null }) => secret }),
  },
}).createMachine({
  id: 'webhookForm',
  context: ({ input }) => ({ ...emptyItemForm, ...input, fields: webhookFieldsOf(input.item), secret: null }),
  initial: 'editing',
  states: {
    editing: { on: editingItem },
    ...endingItemForm,
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveWebhook',
        src: 'saveWebhook',
        input: ({ context: { item, fields } }) => ({ id: item?.id ?? null, body: webhookBodyOf(fields) }),
        onDone: [
          {
            guard: 'is new',
            target: 'saved',
            actions: { type: 'keep the secret', params: ({ event }) => ({ secret: event.output }) },
          },
          { target: 'saved', actions: { type: 'notify', params: webhookToasts.updated } },
        ],
        onError: afterFailedCreation('editing', webhookToasts.saveFailed),
      },
    },
  },
  output: ({ context: { isDismissed, mayHaveSaved, secret } }) => ({ isDismissed, mayHaveSaved, secret }),
})

type Snapshot = SnapshotFrom<typeof webhookFormMachine>

export const selectWebhookUrlProblem = (snapshot: Snapshot): string | null => webhookUrlProblem(snapshot.context.fields)
/** The reason why the webhook cannot be saved; null if it can. */
export const selectWebhookBlockedReason = (snapshot: Snapshot): string | null =>
  webhookBlockedReason(snapshot.context.fields)
