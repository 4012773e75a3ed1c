import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, sendTo, setup } from 'xstate'
import { productToasts } from '../../domain/client/order-toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { Product } from '../../schemas/product.ts'
import {
  afterDismissal,
  afterSaving,
  askingToDelete,
  formListGuards,
  type ListEvent,
  listLeadingTo,
} from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'
import { productFormMachine } from './product-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    productManager: typeof productManagerMachine
  }
}

type Context = Retries & {
  /** By name. Null until they are loaded. */
  products: readonly Product[] | null
  /** The product to edit or delete; null for a new one. */
  item: Product | null
}

export type ProductManagerEvent = { type: 'refetch.requested' } | ListEvent<Product>

/** The dialog of products: the list and the form. */
export const productManagerMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ProductManagerEvent | { type: 'products.invalidated' },
    children: {} as { productForm: 'productForm' },
  },
  actors: {
    productForm: productFormMachine,
    loadProducts: fromPromise<readonly Product[]>(mustBeProvided('loadProducts')),
    deleteProduct: fromPromise<void, { id: string }>(mustBeProvided('deleteProduct')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    ...formListGuards,
  },
  actions: {
    notify,
    ...readingActions,
    'keep the products': assign((_, { products }: { products: readonly Product[] }) => ({ products, ...noRetries })),
    'keep the item': assign({ item: (_, { item }: { item: Product | null }) => item }),
    'remove the product from the list': assign({
      products: ({ context }) => context.products?.filter(({ id }) => id !== context.item?.id) ?? null,
    }),
    'invalidate the products': raise({ type: 'products.invalidated' }),
    'request close of the form': sendTo('productForm', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'productManager',
  context: { products: null, item: null, ...noRetries },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        list: {
          initial: 'loading',
          on: { 'products.invalidated': '.loading' },
          states: {
            loading: {
              invoke: {
                id: 'loadProducts',
                src: 'loadProducts',
                onDone: {
                  target: 'showing',
                  actions: { type: 'keep the products', params: ({ event }) => ({ products: event.output }) },
                },
                onError: afterFailedRead(productToasts.failed),
              },
            },
            showing: {},
            /** The earlier products stay. */
            failed: failedRead('#productManager.open.list.loading'),
          },
        },
        work: {
          initial: 'list',
          states: {
            list: listLeadingTo('#productManager.dismissed'),
            form: {
              invoke: {
                id: 'productForm',
                src: 'productForm',
                input: ({ context: { item, products } }) => ({
                  item,
                  others: (products ?? []).filter(({ id }) => id !== item?.id),
                }),
                onDone: [afterDismissal('#productManager.dismissed'), ...afterSaving('invalidate the products')],
              },
              on: { 'dialog.dismissed': { actions: 'request close of the form' } },
            },
            asking: {
              on: askingToDelete('deleting'),
            },
            deleting: {
              invoke: {
                id: 'deleteProduct',
                src: 'deleteProduct',
                input: ({ context }) => ({ id: context.item?.id ?? '' }),
                onDone: {
                  target: 'list',
                  actions: [
                    'remove the product from the list',
                    { type: 'notify', params: productToasts.deleted },
                    'invalidate the products',
                  ],
                },
                onError: {
                  target: 'list',
                  // It may have been deleted although the answer was lost.
                  actions: [reportFailure(productToasts.deleteFailed), 'invalidate the products'],
                },
              },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type ProductManagerActor = ActorRefFrom<typeof productManagerMachine>

type Snapshot = SnapshotFrom<typeof productManagerMachine>

/** The open form; undefined while the list is shown. */
export const selectForm = (snapshot: Snapshot) => snapshot.children.productForm

/** All products; null until they are loaded. */
export const selectProducts = (snapshot: Snapshot): readonly Product[] | null => snapshot.context.products

/** The product that the person edited or was asked to delete last; null for a new one. */
export const selectProduct = (snapshot: Snapshot): Product | null => snapshot.context.item

export const selectHaveFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { list: 'failed' } })

/** The product whose deletion the person is asked to confirm; null if the question is not shown. */
export const selectAskedAbout = (snapshot: Snapshot): Product | null =>
  snapshot.matches({ open: { work: 'asking' } }) || snapshot.matches({ open: { work: 'deleting' } })
    ? snapshot.context.item
    : null
export const selectIsDeleting = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'deleting' } })
