import { useCallback, useEffect, useMemo } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { SummaryKind } from '../../domain/client/client-calls.ts'
import type { Draft } from '../../domain/send/draft.ts'
import { selectFetching, selectMade } from '../../machines/client/summaries.ts'
import { selectSummaries, type threadMachine } from '../../machines/thread/thread.ts'
import type { SummaryBasis } from '../../schemas/draft.ts'
import { useLaterPartsActor } from '../use-inbox.ts'
import { useThreadConversation } from '../use-list.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

export type Summaries = {
  /** Summaries need a linked client (spec section 5). */
  available: boolean
  fetching: SummaryKind | null
  /** A summary text is ready to be inserted. */
  waiting: boolean
  request: (kind: SummaryKind) => void
  /** Takes the ready summary once, to be inserted into a draft; null if none is ready. */
  take: () => SummaryBasis | null
}

/** The order and payment summaries of a thread. */
export function useSummaries(thread: ActorRefFrom<typeof threadMachine>): Summaries {
  const actor = useSelector(thread, selectSummaries)
  const check = usePart('summaryCheck')
  const available = useThreadConversation(thread)?.client_id != null
  const fetching = useSelector(actor, (snapshot) => snapshot && selectFetching(snapshot)) ?? null
  const waiting = useSelector(actor, (snapshot) => snapshot !== undefined && selectMade(snapshot) !== null)
  const request = useCallback((kind: SummaryKind) => thread.send({ type: 'summary.requested', kind }), [thread])
  const take = useCallback(() => {
    const made = actor === undefined ? null : selectMade(actor.getSnapshot())
    if (made === null) return null
    actor?.send({ type: 'summary.taken' })
    check?.send({ type: 'summary.inserted' })
    const { kind, userId, clientId, text, orders } = made
    return { kind, user_id: userId, client_id: clientId, text, orders }
  }, [actor, check])
  return useMemo(() => ({ available, fetching, waiting, request, take }), [available, fetching, waiting, request, take])
}

/** The check of a message with a summary before the message is sent. */
export function useSummaryCheck({ id, text, extras }: Draft): {
  /** The draft has a summary, and the code of the check is loading. */
  isLoading: boolean
  isChecking: boolean
  isUnchanged: boolean
  /** Something is asked above the text. */
  isAsking: boolean
  /** Whether the message waits for the check. A press after the question sends the message. */
  holdsBack: (draft: Draft) => boolean
  /** Whether the check found no change and the message is to be sent now. True once for a check. */
  release: () => boolean
} {
  const check = usePart('summaryCheck')
  const isCodeLoading = useSelector(useLaterPartsActor(), (parts) => parts.matches({ summaryCheck: 'loading' }))
  const isLoading = isCodeLoading && extras?.summary !== undefined
  const state = useSelector(check, (snapshot) => snapshot?.value)
  useEffect(() => check?.send({ type: 'draft.changed', draftId: id, text }), [check, id, text])
  return {
    isLoading,
    isChecking: state === 'checking',
    isUnchanged: state === 'unchanged',
    isAsking: state === 'changed' || state === 'unchecked',
    holdsBack: useCallback(
      (held) => {
        if (check === undefined) return isLoading
        const { value } = check.getSnapshot()
        if (value === 'changed' || value === 'unchecked') {
          check.send({ type: 'send.confirmed' })
          return false
        }
        check.send({ type: 'send.held', draftId: held.id, text: held.text, summary: held.extras?.summary ?? null })
        return check.getSnapshot().matches('checking')
      },
      [check, isLoading],
    ),
    release: useCallback(() => {
      if (check?.getSnapshot().matches('unchanged') !== true) return false
      check.send({ type: 'send.released' })
      return true
    }, [check]),
  }
}
