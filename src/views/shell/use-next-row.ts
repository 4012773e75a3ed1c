import { useCallback } from 'react'
import { isWaiting, viewKey } from '../../domain/list/views.ts'
import { selectOrder, selectQuery } from '../../machines/list/conversations.ts'
import { selectRow } from '../../machines/list/records.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { useChild } from '../use-inbox.ts'

type LoadedRow = { id: string; row: Conversation | null }

/** Returns a function that reads the rows in the order of the list. */
function useReadRows(): () => LoadedRow[] {
  const conversations = useChild('conversations')
  const records = useChild('records')
  return useCallback(() => {
    const snapshot = records.getSnapshot()
    return selectOrder(conversations.getSnapshot()).map((id) => ({ id, row: selectRow(id)(snapshot) }))
  }, [conversations, records])
}

/**
 * Finds the conversation that waits after the given one in the order of Waiting, and begins again at the end. If the given one
 * does not wait, this is the first. Null if no other one waits among the loaded rows.
 */
export function useNextWaiting(): (fromId: string | null) => string | null {
  const conversations = useChild('conversations')
  const readRows = useReadRows()
  return useCallback(
    (fromId) => {
      const now = Date.now()
      const { order } = selectQuery(conversations.getSnapshot())
      const waiting = readRows()
        .flatMap(({ id, row }) =>
          row !== null && isWaiting(row) ? [{ id, key: viewKey(row, 'waiting', now, order) }] : [],
        )
        .toSorted((a, b) => b.key - a.key)
      const next = waiting[waiting.findIndex(({ id }) => id === fromId) + 1] ?? waiting[0]
      return next === undefined || next.id === fromId ? null : next.id
    },
    [conversations, readRows],
  )
}

/** Finds the next unread row after the given one and wraps around at the end; null if no row is unread. */
export function useNextUnread(): (fromId: string | null) => Conversation | null {
  const readRows = useReadRows()
  return useCallback(
    (fromId) => {
      const rows = readRows()
      const start = rows.findIndex(({ id }) => id === fromId) + 1
      const unread = [...rows.slice(start), ...rows.slice(0, start)].find(
        ({ id, row }) => row !== null && row.unread_messages > 0 && id !== fromId,
      )
      return unread?.row ?? null
    },
    [readRows],
  )
}
