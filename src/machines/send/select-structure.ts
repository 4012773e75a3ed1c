import type { SnapshotFrom } from 'xstate'
import type { ReplyStructure } from '../../schemas/structured-message.ts'
import type { savedRepliesMachine } from './saved-replies.ts'

/** Returns a selector for the quick replies or buttons that go with a draft; null if there are none. */
export const selectStructureOf =
  (conversationId: string, draftId: string) =>
  (snapshot: SnapshotFrom<typeof savedRepliesMachine> | undefined): ReplyStructure | null => {
    const held = snapshot?.context.inserted.get(conversationId)
    return held?.draftId === draftId ? held.structure : null
  }
