import type { PaymentToRecord } from '../../domain/client/chat-order-calls.ts'
import {
  emptyPayment,
  type PaymentFields,
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

/** `pictures`: the pictures of the message, which may be receipts. `place`: that of the picture among the attachments. */
export type RecordPaymentInput = {
  conversationId: string
  clientId: string
  messageId: string
  pictures: readonly { url: string; name: string; place: number }[]
}

/** The dialog that makes a receipt a payment. The facts are the orders of the client. */
export const recordPayment = creationForm<RecordPaymentInput, readonly Order[], PaymentFields, PaymentToRecord>({
  id: 'recordPayment',
  facts: [],
  empty: ({ input, facts }) => emptyPayment(facts, input.pictures),
  blockedReason: paymentBlockedReason,
  bodyOf: (fields, { input, id }) => paymentToRecord(fields, { id, messageId: input.messageId }),
  toasts: paymentToasts,
  perhapsSaved: () => perhapsSavedTexts.once,
  report: ({ clientId }) => ({ type: 'clientData.changed', clientIds: [clientId] }),
})
export const recordPaymentMachine = recordPayment.machine
