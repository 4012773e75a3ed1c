import { useCallback, useMemo } from 'react'
import type { ActorRefFrom } from 'xstate'
import { offers } from '../domain/session/features.ts'
import { mayTry } from '../domain/session/permissions.ts'
import type { clientSuggestionsMachine } from '../machines/client/client-suggestions.ts'
import type { summaryCheckMachine } from '../machines/client/summary-check.ts'
import type { answersMachine } from '../machines/comments/answers.ts'
import type { commentCountMachine } from '../machines/comments/comment-count.ts'
import type { answerMarkMachine } from '../machines/faq/answer-mark.ts'
import type { faqSuggestionsMachine } from '../machines/faq/faq-suggestions.ts'
import type { savedFiltersMachine } from '../machines/list/saved-filters.ts'
import type { attachedFilesMachine } from '../machines/send/attached-files.ts'
import type { reactionsMachine } from '../machines/send/reactions.ts'
import type { savedRepliesMachine } from '../machines/send/saved-replies.ts'
import type { notificationsMachine } from '../machines/shell/notifications.ts'
import type { pushMachine } from '../machines/shell/push.ts'
import type { collisionMachine } from '../machines/thread/collision.ts'
import type { messagesAroundMachine } from '../machines/thread/messages-around.ts'
import type { notesMachine } from '../machines/thread/notes.ts'
import type { presenceMachine } from '../machines/thread/presence.ts'
import type { Note } from '../schemas/note.ts'
import { useLaterPartsActor, useUser } from './use-inbox.ts'
import { useSelector } from './use-selector.ts'

type Parts = {
  presence: ActorRefFrom<typeof presenceMachine>
  notes: ActorRefFrom<typeof notesMachine>
  collision: ActorRefFrom<typeof collisionMachine>
  savedReplies: ActorRefFrom<typeof savedRepliesMachine>
  answerMark: ActorRefFrom<typeof answerMarkMachine>
  faqSuggestions: ActorRefFrom<typeof faqSuggestionsMachine>
  reactions: ActorRefFrom<typeof reactionsMachine>
  notifications: ActorRefFrom<typeof notificationsMachine>
  push: ActorRefFrom<typeof pushMachine>
  savedFilters: ActorRefFrom<typeof savedFiltersMachine>
  commentCount: ActorRefFrom<typeof commentCountMachine>
  answers: ActorRefFrom<typeof answersMachine>
  summaryCheck: ActorRefFrom<typeof summaryCheckMachine>
  clientSuggestions: ActorRefFrom<typeof clientSuggestionsMachine>
  around: ActorRefFrom<typeof messagesAroundMachine>
  attachedFiles: ActorRefFrom<typeof attachedFilesMachine>
}

/** A part that is loaded after the first rows; undefined until its code is loaded, or if the API does not offer the part. */
export function usePart<Name extends keyof Parts>(name: Name): Parts[Name] | undefined {
  const laterParts = useLaterPartsActor()
  // The code of the parts starts them together.
  return useSelector(laterParts, () => laterParts.system.get(name)) as Parts[Name] | undefined
}

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
