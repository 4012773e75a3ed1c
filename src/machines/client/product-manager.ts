import type { ActorRefFrom } from 'xstate'
import { productToasts } from '../../domain/client/order-toasts.ts'
import type { Product } from '../../schemas/product.ts'
import { itemManager } from '../item-manager.ts'
import { productFormMachine } from './product-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    productManager: typeof productManagerMachine
  }
}

/** The dialog of products, sorted by name. */
export const productManager = itemManager<Product, typeof productFormMachine>({
  id: 'productManager',
  form: productFormMachine,
  toasts: productToasts,
})
export const productManagerMachine = productManager.machine

export type ProductManagerActor = ActorRefFrom<typeof productManagerMachine>
