import type { Business } from '../../schemas/business.ts'
import type { Client } from '../../schemas/client.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Order } from '../../schemas/order.ts'
import { knownNameOf } from '../list/conversation-text.ts'
import { placeholderOf, type Variable, variables } from '../send/placeholders.ts'
import { safeName } from '../shown-text.ts'
import { formatMoney } from './money.ts'
import { isCancelled, newestFirst, totalsOf } from './orders.ts'

/** The values of the variables for one conversation; null if a value is not known. */
export type VariableValues = Readonly<Record<Variable, string | null>>

const longestValue = 100

/** A value as inserted: on one line, without characters that reorder text or look like a placeholder. Null if empty. */
const insertable = (text: string | null | undefined): string | null =>
  safeName((text ?? '').replace(/[⟦⟧]/g, ''))
    .slice(0, longestValue)
    .toWellFormed() || null

/**
 * The values for a conversation, from the data that is loaded. `orders` is null while they are not known or without a
 * client. The order number is that of the newest order that is not cancelled, the balance what is outstanding of all.
 */
export function valuesFor({
  conversation,
  client,
  orders,
  pageName,
  business,
}: {
  conversation: Conversation
  client: Client | null
  orders: readonly Order[] | null
  pageName: string | null
  business: Business
}): VariableValues {
  const order = orders === null ? undefined : newestFirst(orders).find((one) => !isCancelled(one))
  return {
    first_name:
      insertable(conversation.first_name) ??
      insertable(knownNameOf(conversation)?.split(' ')[0]) ??
      insertable(client?.first_name),
    balance: orders === null ? null : formatMoney(totalsOf(orders).outstanding, business),
    order_number: insertable(order?.order_number),
    page: insertable(pageName),
  }
}

const variable = new RegExp(`\\{(${variables.join('|')})\\}`, 'g')

/** The text in pieces: `variable` is null for the text between variables. */
export const piecesOf = (text: string): { text: string; variable: Variable | null }[] =>
  text
    .split(variable)
    .map((piece, index) => ({ text: piece, variable: index % 2 === 0 ? null : (piece as Variable) }))
    .filter((piece) => piece.text !== '')

/** The text with its variables filled. A variable without a value becomes a placeholder. A value is not filled again. */
export const filled = (text: string, values: VariableValues): string =>
  piecesOf(text)
    .map((piece) => (piece.variable === null ? piece.text : (values[piece.variable] ?? placeholderOf(piece.variable))))
    .join('')

/** What looks like a variable and is none, for example `{name}`. It would be sent as written. */
export const unknownVariablesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\{[\p{L}\p{N}_ ]{1,40}\}/gu)]
      .map(([found]) => found)
      .filter((found) => !variables.some((name) => found === `{${name}}`)),
  ),
]
