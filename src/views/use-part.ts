import type { ActorRefFrom } from 'xstate'
import type { clientSuggestionsMachine } from '../machines/client/client-suggestions.ts'
import type { summaryCheckMachine } from '../machines/client/summary-check.ts'
import type { answersMachine } from '../machines/comments/answers.ts'
import type { commentCountMachine } from '../machines/comments/comment-count.ts'
import type { answerMarkMachine } from '../machines/faq/answer-mark.ts'
import type { faqSuggestionsMachine } from '../machines/faq/faq-suggestions.ts'
import type { pictureRenewalMachine } from '../machines/list/picture-renewal.ts'
import type { savedFiltersMachine } from '../machines/list/saved-filters.ts'
import type { stateChangesMachine } from '../machines/list/state-changes.ts'
import type { attachedFilesMachine } from '../machines/send/attached-files.ts'
import type { reactionsMachine } from '../machines/send/reactions.ts'
import type { savedRepliesMachine } from '../machines/send/saved-replies.ts'
import type { notificationsMachine } from '../machines/shell/notifications.ts'
import type { pushMachine } from '../machines/shell/push.ts'
import type { collisionMachine } from '../machines/thread/collision.ts'
import type { messagesAroundMachine } from '../machines/thread/messages-around.ts'
import type { notesMachine } from '../machines/thread/notes.ts'
import type { presenceMachine } from '../machines/thread/presence.ts'
import { useLaterPartsActor } from './use-inbox.ts'
import { useSelector } from './use-selector.ts'

export type Parts = {
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
  pictureRenewal: ActorRefFrom<typeof pictureRenewalMachine>
  stateChanges: ActorRefFrom<typeof stateChangesMachine>
}

/** A part that is loaded after the first rows; undefined until its code is loaded, or if the API does not offer the part. */
export function usePart<Name extends keyof Parts>(name: Name): Parts[Name] | undefined {
  const laterParts = useLaterPartsActor()
  // A part starts in a transition of `laterParts`, so a change of its snapshot is the signal.
  return useSelector(laterParts, () => laterParts.system.get(name)) as Parts[Name] | undefined
}
