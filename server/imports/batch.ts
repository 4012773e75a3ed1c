import type * as z from 'zod/mini'
import type {
  ImportedRow,
  importedClient,
  importedItem,
  importedOrder,
  importedPayment,
  importedProduct,
} from '../../src/schemas/import.ts'

type Given<Schema extends z.ZodMiniType> = { external_id: string } & z.output<Schema>
/**
 * For the recognition of clients that were made here: `phoneNumber` (E.164), and `joins`, the id of the client that the check
 * of a file has found.
 */
export type GivenClient = Given<typeof importedClient> & {
  phoneNumber?: string | null | undefined
  joins?: string | null | undefined
}
/**
 * `clientEmail` or `clientPhone` (E.164) names the client if there is none with the external id. `clientBy`: the kind of
 * name from which the external id is derived.
 */
export type GivenOrder = Given<typeof importedOrder> & {
  clientEmail?: string | undefined
  clientPhone?: string | undefined
  clientBy?: 'email address' | 'phone number' | undefined
}
/** `orderNumber` names the order if there is none with the external id. */
export type OfOrder = { orderNumber?: string | undefined }
/** `itemId` tells the item from the other items of its order. */
export type GivenItem = Given<typeof importedItem> & OfOrder & { itemId: string }
export type GivenPayment = Given<typeof importedPayment> & OfOrder
export type GivenProduct = Given<typeof importedProduct>

/** Rows with distinct external ids. */
export type Batch = {
  clients: readonly GivenClient[]
  orders: readonly GivenOrder[]
  items: readonly GivenItem[]
  payments: readonly GivenPayment[]
  products: readonly GivenProduct[]
}
export const emptyBatch: Batch = { clients: [], orders: [], items: [], payments: [], products: [] }

/**
 * The result of a row. `waiting`: the row names a client or an order that is not stored. Of the check of a file: `joins` is
 * the client that the row would become, and `note` tells staff what they cannot see in the row.
 */
export type StoredRow =
  | (Exclude<ImportedRow, { result: 'refused' }> & { joins?: string; note?: string })
  | { external_id: string; result: 'refused' | 'waiting'; reason: string }

/** The results of the rows, by external id. */
export type Stored = { [Kind in keyof Batch]: Map<string, StoredRow> }
