import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { newKey } from '../../domain/new-key.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { type ProductCard, textOfCard } from '../../domain/send/product-card.ts'
import { productCardToasts } from '../../domain/send/product-card-toasts.ts'
import type { Platform } from '../../schemas/conversation.ts'
import type { Product } from '../../schemas/product.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { createSendAction } from '../system.ts'
import type { OutboxEvent } from './outbox.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    productCard: typeof productCardMachine
  }
}

/** `conversationId`: the row id. `pageId`: null is Auto-select. `platform`: null if unknown. */
type Input = { conversationId: string; pageId: string | null; platform: Platform | null; newKey?: () => string }

type Context = Retries &
  Omit<Input, 'newKey'> & {
    /** One message at most comes out of the dialog. */
    draftId: string
    /** Those that are offered, by name. Null until they are loaded. */
    products: readonly Product[] | null
    chosen: Product | null
  }

export type ProductCardEvent =
  | { type: 'refetch.requested' }
  | { type: 'product.chosen'; product: Product }
  | { type: 'product.left' }
  /** The card as the preview shows it, with the price in the currency of the business. */
  | { type: 'card.sent'; card: ProductCard }
  | { type: 'dialog.dismissed' }

const tellOutbox = createSendAction<OutboxEvent>((event, { system, self }) => [
  { to: system.get('outbox') ?? self, event },
])

/** The dialog that sends a product as a card: choose, look at the preview, send. */
export const productCardMachine = setup({
  types: { context: {} as Context, events: {} as ProductCardEvent, input: {} as Input },
  actors: { loadProducts: fromPromise<readonly Product[]>(mustBeProvided('loadProducts')) },
  delays: readingDelays,
  guards: readingGuards,
  actions: {
    ...readingActions,
    tellOutbox,
    'keep the products': assign((_, { products }: { products: readonly Product[] }) => ({
      products: products.filter(({ is_active }) => is_active),
      ...noRetries,
    })),
    'keep the chosen product': assign({ chosen: (_, { product }: { product: Product }) => product }),
  },
}).createMachine({
  id: 'productCard',
  context: ({ input: { newKey: key = newKey, ...input } }) => ({
    ...input,
    draftId: key(),
    products: null,
    chosen: null,
    ...noRetries,
  }),
  initial: 'loading',
  on: { 'dialog.dismissed': '.closed' },
  states: {
    loading: {
      invoke: {
        id: 'loadProducts',
        src: 'loadProducts',
        onDone: {
          target: 'choosing',
          actions: { type: 'keep the products', params: ({ event }) => ({ products: event.output }) },
        },
        onError: afterFailedRead(productCardToasts.failed),
      },
    },
    failed: failedRead('#productCard.loading'),
    choosing: {
      on: {
        'product.chosen': {
          target: 'previewing',
          actions: { type: 'keep the chosen product', params: ({ event }) => event },
        },
      },
    },
    previewing: {
      on: {
        'product.left': 'choosing',
        'card.sent': {
          target: 'closed',
          actions: {
            type: 'tellOutbox',
            params: ({ context: { draftId, conversationId, pageId, platform }, event: { card } }) => ({
              type: 'send.requested',
              draftId,
              conversationId,
              pageId,
              platform,
              text: textOfCard(card),
              structured: card,
            }),
          },
        },
      },
    },
    closed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof productCardMachine>

/** Null until they are loaded. */
export const selectProducts = ({ context }: Snapshot): readonly Product[] | null => context.products
/** The product of the preview; null while one is chosen from the list. */
export const selectChosen = (snapshot: Snapshot): Product | null =>
  snapshot.matches('previewing') ? snapshot.context.chosen : null
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
