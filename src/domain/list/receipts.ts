import type { Conversation, FbUserRow } from '../../schemas/conversation.ts'
import type { Receipt } from '../../schemas/reactions-receipts-replies.ts'

/** Milliseconds since 1970; 0 if there is no time. */
const timeOf = (moment: string | null | undefined): number => Date.parse(moment ?? '') || 0

/** Whether one says more than the other about what was read. Of two times of reading up to one message, the first counts. */
function readsMore(one: Receipt, other: Receipt): boolean {
  const difference = timeOf(one.read_up_to) - timeOf(other.read_up_to)
  return difference > 0 || (difference === 0 && timeOf(one.read_at) < timeOf(other.read_at))
}

function furthest(known: Receipt, given: Receipt): Receipt {
  const read = readsMore(given, known) ? given : known
  const { delivered_up_to } = timeOf(given.delivered_up_to) > timeOf(known.delivered_up_to) ? given : known
  return read === known && delivered_up_to === known.delivered_up_to ? known : { ...read, delivered_up_to }
}

/** Of each identity the furthest receipts, because none is ever taken back. Returns `known` if nothing changes. */
export function mergedReceipts(
  known: Conversation['receipts'],
  given: Conversation['receipts'],
): Conversation['receipts'] {
  if (!known || !given) return known ?? given
  return [
    ...known.map((one) => given.filter((other) => other.fb_user_id === one.fb_user_id).reduce(furthest, one)),
    ...given.filter((one) => !known.some((other) => other.fb_user_id === one.fb_user_id)),
  ]
}

/** The receipts that the row of an identity tells; null if it received nothing yet. */
export const receiptsOf = ({ id: fb_user_id, page_id, delivered_up_to, read_up_to, read_at }: FbUserRow) =>
  delivered_up_to == null ? null : [{ fb_user_id, page_id, delivered_up_to, read_up_to, read_at }]
