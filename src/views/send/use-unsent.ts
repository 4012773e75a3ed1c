import { useCallback } from 'react'
import { selectUnsentAnswers, selectWaitingAnswers } from '../../machines/comments/answers.ts'
import { selectUnsent, selectWaiting, type Unsent } from '../../machines/send/unsent.ts'
import { useOutbox } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

type OwnerEvent = { type: 'waiting.retried' } | { type: 'send.retried' | 'check.requested'; key: string }

/** The messages and the answers to comments that were not sent, failed or are unconfirmed; oldest first of each. */
export const useUnsent = (): readonly Unsent[] =>
  together(useSelector(useOutbox(), selectUnsent), useSelector(usePart('answers'), selectUnsentAnswers))

/** Those that were not sent because of the connection or a closed tab. */
export const useWaiting = (): readonly Unsent[] =>
  together(useSelector(useOutbox(), selectWaiting), useSelector(usePart('answers'), selectWaitingAnswers))

const together = (messages: readonly Unsent[], answers: readonly Unsent[]) => [...messages, ...answers]

/** Tells the owners of messages and answers. Each ignores the keys that it does not know. */
export function useTellOwners(): (event: OwnerEvent) => void {
  const outbox = useOutbox()
  const answers = usePart('answers')
  return useCallback(
    (event) => {
      outbox.send(event)
      answers?.send(event)
    },
    [outbox, answers],
  )
}
