import { useCallback, useMemo } from 'react'
import type { ActorRefFrom } from 'xstate'
import { type SummaryKind, selectFetching, selectTaken, selectText } from '../../machines/client/summaries.ts'
import { selectSummaries, type threadMachine } from '../../machines/thread/thread.ts'
import { useThreadConversation } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

export type Summaries = {
  /** Summaries need a linked client (spec section 5). */
  available: boolean
  fetching: SummaryKind | null
  /** A summary text is ready to be inserted. */
  waiting: boolean
  request: (kind: SummaryKind) => void
  /** Takes the ready text once, with the text inserted before it; null if none is ready. */
  take: () => { text: string; before: string | null } | null
}

/** The order and payment summaries of a thread. */
export function useSummaries(thread: ActorRefFrom<typeof threadMachine>): Summaries {
  const actor = useSelector(thread, selectSummaries)
  const available = useThreadConversation(thread)?.client_id != null
  const fetching = useSelector(actor, (snapshot) => snapshot && selectFetching(snapshot)) ?? null
  const waiting = useSelector(actor, (snapshot) => snapshot !== undefined && selectText(snapshot) !== null)
  const request = useCallback((kind: SummaryKind) => thread.send({ type: 'summary.requested', kind }), [thread])
  const take = useCallback(() => {
    const snapshot = actor?.getSnapshot()
    const text = snapshot === undefined ? null : selectText(snapshot)
    if (snapshot === undefined || text === null) return null
    actor?.send({ type: 'summary.taken' })
    return { text, before: selectTaken(snapshot) }
  }, [actor])
  return useMemo(() => ({ available, fetching, waiting, request, take }), [available, fetching, waiting, request, take])
}
