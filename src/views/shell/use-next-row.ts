import { useCallback } from 'react'
import { isWaiting, viewKey } from '../../domain/list/views.ts'
import { selectOrder } from '../../machines/list/conversations.ts'
import { selectRow } from '../../machines/list/records.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { useChild } from '../use-inbox.ts'

/** Finds the conversation that waits longest, other than the given one; null if none waits among the loaded rows. */
export function useNextWaiting(): (exceptId: string | null) => string | null {
  const conversations = useChild('conversations')
  const records = useChild('records')
  return useCallback(
    (exceptId) => {
      const snapshot = records.getSnapshot()
      const now = Date.now()
      const waiting = selectOrder(conversations.getSnapshot()).flatMap((id) => {
        const row = selectRow(id)(snapshot)
        return row !== null && id !== exceptId && isWaiting(row) ? [{ id, key: viewKey(row, 'waiting', now) }] : []
      })
      return waiting.toSorted((a, b) => b.key - a.key)[0]?.id ?? null
    },
    [conversations, records],
  )
}

/** Finds the next unread row after the given one and wraps around at the end; null if no row is unread. */
export function useNextUnread(): (fromId: string | null) => Conversation | null {
  const conversations = useChild('conversations')
  const records = useChild('records')
  return useCallback(
    (fromId) => {
      const snapshot = records.getSnapshot()
      const order = selectOrder(conversations.getSnapshot())
      const start = (fromId === null ? -1 : order.indexOf(fromId)) + 1
      for (const id of [...order.slice(start), ...order.slice(0, start)]) {
        const row = selectRow(id)(snapshot)
        if (row !== null && row.unread_messages > 0 && id !== fromId) return row
      }
      return null
    },
    [conversations, records],
  )
}
