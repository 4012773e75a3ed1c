import type { SnapshotFrom } from 'xstate'
import { fromPromise, setup } from 'xstate'
import type { ProductToSave } from '../../domain/client/chat-order-calls.ts'
import { perhapsSavedTexts, productToasts } from '../../domain/client/order-toasts.ts'
import {
  addressProblem,
  blockedReasonOf,
  bodyOf,
  codeProblem,
  fieldsOf,
  type ProductFields,
  priceProblem,
} from '../../domain/client/product-fields.ts'
import { haveSameValues } from '../../domain/same-fields.ts'
import type { Product } from '../../schemas/product.ts'
import {
  afterItemSave,
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

/** `item`: the edited product; null for a new one. */
type Input = { item: Product | null; others: readonly Product[] }

export type ProductFormEvent = ItemFormEvent<ProductFields>

/** The form of a product. */
export const productFormMachine = setup({
  types: {
    context: {} as Input & ItemFormContext<Product, ProductFields>,
    events: {} as ProductFormEvent,
    input: {} as Input,
    output: {} as ItemFormOutput,
  },
  actors: { saveProduct: fromPromise<void, ProductToSave>(mustBeProvided('saveProduct')) },
  guards: {
    ...itemFormGuards,
    'is complete': ({ context }) => blockedReasonOf(context.fields, context.others) === null,
    'has no typed text': ({ context }) => haveSameValues(context.fields, fieldsOf(context.item)),
  },
  actions: itemFormActions(() => perhapsSavedTexts.product),
}).createMachine({
  id: 'productForm',
  context: ({ input }) => ({ ...emptyItemForm, ...input, fields: fieldsOf(input.item) }),
  initial: 'editing',
  states: {
    editing: { on: editingItem },
    ...endingItemForm,
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveProduct',
        src: 'saveProduct',
        input: ({ context: { item, fields } }) => ({ id: item?.id ?? null, body: bodyOf(fields) }),
        ...afterItemSave(productToasts),
      },
    },
  },
  output: ({ context: { isDismissed, mayHaveSaved } }) => ({ isDismissed, mayHaveSaved }),
})

type Snapshot = SnapshotFrom<typeof productFormMachine>

export const selectCodeProblem = (snapshot: Snapshot): string | null =>
  codeProblem(snapshot.context.fields, snapshot.context.others)
export const selectPriceProblem = (snapshot: Snapshot): string | null => priceProblem(snapshot.context.fields)
export const selectPictureProblem = (snapshot: Snapshot): string | null =>
  addressProblem(snapshot.context.fields.picture)
export const selectLinkProblem = (snapshot: Snapshot): string | null => addressProblem(snapshot.context.fields.link)
/** The reason why the product cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null =>
  blockedReasonOf(snapshot.context.fields, snapshot.context.others)
