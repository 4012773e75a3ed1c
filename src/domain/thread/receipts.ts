import type { Message } from '../../schemas/message.ts'
import type { Receipt } from '../../schemas/reactions-receipts-replies.ts'
import { sentAt } from '../message-order.ts'

/** What stands under a message of ours: that it was delivered, or when the person had seen it. */
export type ShownReceipt = { state: 'delivered' } | { state: 'seen'; at: string }

const isCovered = (message: Message, upTo: string | null | undefined): boolean =>
  upTo != null && sentAt(message) <= Date.parse(upTo)

/**
 * The receipts under the messages of a thread (oldest first), by message id: the last one of each page and identity that
 * the person has seen, and the last one that was delivered if it is later. A message that is not confirmed has none.
 */
export function shownReceipts(
  messages: readonly Message[],
  receipts: readonly Receipt[] | null | undefined,
): ReadonlyMap<string, ShownReceipt> {
  const shown = new Map<string, ShownReceipt>()
  for (const { fb_user_id, delivered_up_to, read_up_to, read_at } of receipts ?? []) {
    const last = (upTo: string | null | undefined) =>
      messages.findLast(
        (message) =>
          message.fb_user_id === fb_user_id &&
          message.direction === 'outgoing' &&
          !message.message_id.startsWith('temp_') &&
          isCovered(message, upTo),
      )
    const delivered = last(delivered_up_to)
    if (delivered !== undefined) shown.set(delivered.message_id, { state: 'delivered' })
    const seen = last(read_up_to)
    if (seen !== undefined && read_at != null) shown.set(seen.message_id, { state: 'seen', at: read_at })
  }
  return shown
}

export const sameReceipt = (one: ShownReceipt | undefined, other: ShownReceipt | undefined): boolean =>
  one?.state === other?.state && (one?.state !== 'seen' || other?.state !== 'seen' || one.at === other.at)
