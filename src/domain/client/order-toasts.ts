import type { OrderDetails } from '../../schemas/chat-order.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { toastsIn } from '../toast.ts'
import { orderNameOf } from './client-orders.ts'
import { statusText } from './order-texts.ts'

const { success, error } = toastsIn(t)

export const productToasts = {
  failed: error('orders.productsFailed'),
  created: success('orders.productCreated'),
  updated: success('orders.productUpdated'),
  saveFailed: error('orders.productSaveFailed'),
  deleted: success('orders.productDeleted'),
  deleteFailed: error('orders.productDeleteFailed'),
} as const

export const newOrderToasts = {
  loadFailed: error('orders.productsFailed'),
  created: success('orders.made'),
  saveFailed: error('orders.makeFailed'),
} as const

export const paymentToasts = {
  loadFailed: error('orders.ordersFailed'),
  created: success('orders.paymentRecorded'),
  saveFailed: error('orders.paymentFailed'),
} as const

export const orderToasts = {
  loadFailed: error('orders.orderFailed'),
  orderChanged: (order: OrderDetails) =>
    success('orders.statusChanged', { order: orderNameOf(order), status: statusText(order.status) }),
  paymentChanged: success('orders.paymentChanged'),
  changeFailed: error('orders.changeFailed'),
} as const

/** Texts of the forms after a save without an answer. */
export const perhapsSavedTexts = {
  get product() {
    return t('orders.productPerhapsCreated')
  },
  /** A second press makes nothing twice. */
  get once() {
    return t('orders.perhapsSaved')
  },
} as const
