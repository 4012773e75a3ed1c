import type { Message } from '../../schemas/message.ts'
import { mergedReactions } from './merged-reactions.ts'

const isSameMessage = (a: Message, b: Message): boolean => {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Message>
  for (const key of keys) {
    const [before, now] = [a[key] ?? null, b[key] ?? null]
    if (before !== now && JSON.stringify(before) !== JSON.stringify(now)) return false
  }
  return true
}

/**
 * Merges a newer row into a known message. A read message stays read, and values that only one source provides are
 * kept.
 */
export function updated(before: Message, row: Message): Message {
  const now: Message = {
    ...row,
    id: row.id ?? before.id,
    primary_user_id: row.primary_user_id ?? before.primary_user_id,
    page_name: row.page_name ?? before.page_name,
    idempotency_key: row.idempotency_key ?? before.idempotency_key,
    author: row.author ?? before.author,
    is_read: row.is_read || before.is_read,
    reactions: mergedReactions(before.reactions, row.reactions),
  }
  return isSameMessage(before, now) ? before : now
}

/** Merges an older row into a known message. It can only fill in missing values and mark the message as read. */
export function completed(before: Message, row: Message): Message {
  const now: Message = {
    ...before,
    id: before.id ?? row.id,
    primary_user_id: before.primary_user_id ?? row.primary_user_id,
    page_name: before.page_name ?? row.page_name,
    idempotency_key: before.idempotency_key ?? row.idempotency_key,
    author: before.author ?? row.author,
    is_read: before.is_read || row.is_read,
    reactions: mergedReactions(before.reactions, row.reactions),
  }
  return isSameMessage(before, now) ? before : now
}
