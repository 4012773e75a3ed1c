import { useCallback, useMemo } from 'react'
import { offers } from '../domain/session/features.ts'
import { mayTry } from '../domain/session/permissions.ts'
import type { Note } from '../schemas/note.ts'
import { useLaterPartsActor, useUser } from './use-inbox.ts'
import { type Parts, usePart } from './use-part.ts'
import { useSelector } from './use-selector.ts'

const noNotes: readonly Note[] = []

/** The notes of the open conversation. The array stays the same until a note changes. */
export const useNotes = (): readonly Note[] =>
  useSelector(usePart('notes'), (snapshot) => snapshot?.context.notes ?? noNotes)

/** What this person may write into a conversation. */
export function useWriting(): { mayReply: boolean; mayNote: boolean } {
  const user = useUser()
  return useMemo(
    () => ({
      mayReply: mayTry(user, 'messages.send'),
      mayNote: offers(user, 'notes') && mayTry(user, 'notes.write'),
    }),
    [user],
  )
}

/** Reports what is typed as a reply, and holds a message back if somebody else has answered meanwhile. */
export function useCollision(): { typed: (text: string) => void; holdsBack: () => boolean } {
  const laterParts = useLaterPartsActor()
  return {
    typed: useCallback((text) => laterParts.send({ type: 'reply.typed', text }), [laterParts]),
    holdsBack: useCallback(() => {
      const collision: Parts['collision'] | undefined = laterParts.system.get('collision')
      if (collision?.getSnapshot().matches({ writing: 'overtaken' }) !== true) return false
      collision.send({ type: 'send.held' })
      return true
    }, [laterParts]),
  }
}

/** The saved reply that Enter inserts; null while the list is closed or nothing fits. */
export const useActiveReply = (): string | null =>
  useSelector(usePart('savedReplies'), (snapshot) =>
    snapshot?.matches({ picker: 'open' }) ? (snapshot.context.options[snapshot.context.active]?.id ?? null) : null,
  )

/** The number of threads of comments without an answer; null if it is not known or not offered. */
export const useWaitingComments = (): number | null =>
  useSelector(usePart('commentCount'), (snapshot) => snapshot?.context.waiting ?? null)
