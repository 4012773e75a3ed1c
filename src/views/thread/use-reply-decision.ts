import { useCallback } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { DecidedReply } from '../../domain/thread/thread-calls.ts'
import { selectDecided } from '../../machines/thread/reply-decision.ts'
import { selectReplyDecision, type threadMachine } from '../../machines/thread/thread.ts'
import { useSelector } from '../use-selector.ts'

/** Sends decisions on the unconfirmed automatic replies of a thread. `decided` is the decision that is in progress. */
export function useReplyDecision(thread: ActorRefFrom<typeof threadMachine>) {
  const actor = useSelector(thread, selectReplyDecision)
  return {
    decided: useSelector(actor, (snapshot) => snapshot && selectDecided(snapshot)) ?? null,
    decide: useCallback((decided: DecidedReply) => actor?.send({ type: 'reply.decided', ...decided }), [actor]),
  }
}
