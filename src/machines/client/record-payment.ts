import type { PaymentToRecord } from '../../domain/client/chat-order-calls.ts'
import {
  emptyPayment,
  type PaymentFields,
  type PaymentSource,
  paymentBlockedReason,
  paymentToRecord,
} from '../../domain/client/new-payment.ts'
import { paymentToasts, perhapsSavedTexts } from '../../domain/client/order-toasts.ts'
import type { Order } from '../../schemas/order.ts'
import { creationForm } from '../creation-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    recordPayment: typeof recordPaymentMachine
  }
}

/** With a `conversationId` the dialog is closed when another conversation opens. */
export type RecordPaymentInput = PaymentSource & { conversationId?: string; clientId: string }

/**
 * The dialog that records a payment, from a receipt or for an order. The facts are the orders that it may be for: those of
 * the client, or the one that the input names.
 */
export const recordPayment = creationForm<RecordPaymentInput, readonly Order[], PaymentFields, PaymentToRecord>({
  id: 'recordPayment',
  facts: [],
  empty: ({ input, facts }) => emptyPayment(facts, input),
  blockedReason: paymentBlockedReason,
  bodyOf: (fields, { input, id }) => paymentToRecord(fields, { id, pictures: input.pictures }),
  toasts: paymentToasts,
  perhapsSaved: () => perhapsSavedTexts.once,
  report: ({ clientId }) => ({ type: 'clientData.changed', clientIds: [clientId] }),
})
export const recordPaymentMachine = recordPayment.machine
