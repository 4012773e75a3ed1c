import type { AuthUser } from '../../schemas/auth.ts'
import type { SavedInbox } from '../../schemas/saved-inbox.ts'
import { limits } from '../limits.ts'
import { rowIdOf } from '../list/conversation-row.ts'
import { type Records, rowById } from '../list/records.ts'
import { emptyThread, hasOlder, isLoaded, mergePage, type ThreadMessages } from './thread-messages.ts'

export type SavedThread = NonNullable<SavedInbox['thread']>

/** The limits of the copy. `characters` of JSON limits rows and messages separately. */
const limitsOfCopy = { rows: 200, messages: limits.messagePageSize, characters: 500_000 } as const

/** The first items, as many as both limits allow. */
function within<Item>(items: readonly Item[], count: number): Item[] {
  const kept: Item[] = []
  let characters = 0
  for (const item of items.slice(0, count)) {
    characters += JSON.stringify(item).length
    if (characters > limitsOfCopy.characters) break
    kept.push(item)
  }
  return kept
}

/** The newest confirmed messages of a thread; null if the thread is not loaded. */
export function savedThreadOf(conversationId: string, thread: ThreadMessages): SavedThread | null {
  if (!isLoaded(thread)) return null
  const unconfirmed = new Set(thread.temporary.map(({ message }) => message))
  const confirmed = thread.messages.filter((message) => !unconfirmed.has(message))
  const messages = within(confirmed.toReversed(), limitsOfCopy.messages).reverse()
  return {
    conversationId,
    messages,
    hasOlder: hasOlder(thread) || messages.length < confirmed.length,
    start: thread.start,
  }
}

/** Restores a thread from its saved messages. */
export const threadOf = ({ messages, hasOlder, start }: SavedThread): ThreadMessages =>
  mergePage(
    emptyThread,
    { messages, hasMore: hasOlder && messages.length > 0, start },
    { isNewest: true, adjoins: true },
  )

/** The copy of the list and of the last open thread. */
export function savedInboxOf(
  user: AuthUser,
  records: Records,
  list: SavedInbox['list'],
  thread: SavedThread | null,
): SavedInbox {
  const rows = within(
    list.ids.flatMap((id) => rowById(records, id) ?? []),
    limitsOfCopy.rows,
  )
  const ids = rows.map(rowIdOf)
  const opened = thread && !ids.includes(thread.conversationId) ? rowById(records, thread.conversationId) : undefined
  const conversations = opened ? [...rows, opened] : rows
  const isKnown = thread !== null && (opened !== undefined || ids.includes(thread.conversationId))
  return {
    user,
    conversations,
    list: { ids, total: list.total, hasNext: list.hasNext || ids.length < list.ids.length },
    thread: isKnown ? thread : null,
  }
}
