import type { Conversation, FbUserRow } from '../../schemas/conversation.ts'
import type { Receipt } from '../../schemas/message-signs.ts'

const timeOf = (moment: string | null | undefined): number =>
  moment == null ? Number.NEGATIVE_INFINITY : Date.parse(moment)

const later = (one: string | null | undefined, other: string | null | undefined): string | null =>
  (timeOf(other) > timeOf(one) ? other : one) ?? null

/** Whether one says more than the other about what was read. Of two times of reading up to one message, the first counts. */
function readsMore(one: Receipt, other: Receipt): boolean {
  const difference = timeOf(one.read_up_to) - timeOf(other.read_up_to)
  return Number.isNaN(difference) || difference === 0 ? timeOf(one.read_at) < timeOf(other.read_at) : difference > 0
}

function furthest(known: Receipt, given: Receipt): Receipt {
  const read = readsMore(given, known) ? given : known
  const delivered_up_to = later(known.delivered_up_to, given.delivered_up_to)
  if (read === known && delivered_up_to === (known.delivered_up_to ?? null)) return known
  const { read_up_to, read_at } = read
  return { ...known, page_id: known.page_id ?? given.page_id, delivered_up_to, read_up_to, read_at }
}

/** Of each identity the furthest receipts, because none is ever taken back. Returns `known` if nothing changes. */
export function mergedReceipts(
  known: Conversation['receipts'],
  given: Conversation['receipts'],
): Conversation['receipts'] {
  if (!known?.length || !given?.length) return known?.length ? known : given
  const merged = known.map((one) => {
    const other = given.find(({ fb_user_id }) => fb_user_id === one.fb_user_id)
    return other === undefined ? one : furthest(one, other)
  })
  const added = given.filter((one) => !known.some(({ fb_user_id }) => fb_user_id === one.fb_user_id))
  return [...merged, ...added]
}

/** The receipts that the row of an identity tells; none if it received nothing yet. */
export const receiptsOf = ({ id, page_id, delivered_up_to, read_up_to, read_at }: FbUserRow): Receipt[] =>
  delivered_up_to == null && read_up_to == null
    ? []
    : [{ fb_user_id: id, page_id, delivered_up_to, read_up_to, read_at }]

/** When the person read the last message of the conversation, if that is ours; null if not. */
export function lastMessageSeenAt(row: Conversation): string | null {
  if (row.last_message_direction !== 'outgoing' || row.last_message_at == null) return null
  const at = timeOf(row.last_message_at)
  const seen = row.receipts?.find(
    ({ page_id, read_up_to }) => page_id === row.last_message_page_id && timeOf(read_up_to) >= at,
  )
  return seen?.read_at ?? null
}
