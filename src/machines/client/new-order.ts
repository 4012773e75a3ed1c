import type { OrderToMake } from '../../domain/client/chat-order-calls.ts'
import {
  emptyOrder,
  type OrderFields,
  type OrderSource,
  orderBlockedReason,
  orderToMake,
} from '../../domain/client/new-order.ts'
import { newOrderToasts, perhapsSavedTexts } from '../../domain/client/order-toasts.ts'
import type { Product } from '../../schemas/product.ts'
import { creationForm } from '../creation-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    newOrder: typeof newOrderMachine
  }
}

/** `messageId`: the message that the order comes from; null if none was chosen. `sources`: the messages to choose from. */
export type NewOrderInput = {
  conversationId: string
  clientId: string
  messageId: string | null
  sources: readonly OrderSource[]
}

/** The dialog of a new order of the linked client. The facts are the products that are offered. */
export const newOrder = creationForm<NewOrderInput, readonly Product[], OrderFields, OrderToMake>({
  id: 'newOrder',
  facts: [],
  empty: ({ input }) => emptyOrder(input.messageId),
  blockedReason: orderBlockedReason,
  bodyOf: (fields, { input, id }) => orderToMake(fields, { id, clientId: input.clientId }),
  toasts: newOrderToasts,
  perhapsSaved: () => perhapsSavedTexts.once,
  report: ({ clientId }) => ({ type: 'clientData.changed', clientIds: [clientId] }),
})
export const newOrderMachine = newOrder.machine
