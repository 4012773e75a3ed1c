import { useCallback } from 'react'
import { newKey } from '../../domain/new-key.ts'
import { replyingTo } from '../../domain/send/reply-target.ts'
import { selectRow } from '../../machines/list/records.ts'
import { selectDraft } from '../../machines/send/drafts.ts'
import { selectThread } from '../../machines/session/session.ts'
import { selectConversationId } from '../../machines/thread/thread.ts'
import type { Message } from '../../schemas/message.ts'
import { useSession } from '../actors.tsx'
import { write } from '../components/message-box.ts'
import { useDraftsActor, useRecordsActor } from '../use-inbox.ts'

/** Makes the draft of the open conversation a reply to a message, and moves the focus to it. */
export function useReplyTo(): (message: Message) => void {
  const session = useSession()
  const drafts = useDraftsActor()
  const records = useRecordsActor()
  return useCallback(
    (message) => {
      const thread = selectThread(session.getSnapshot())
      const conversationId = thread && selectConversationId(thread.getSnapshot())
      if (conversationId == null) return
      const row = selectRow(conversationId)(records.getSnapshot())
      const draft = selectDraft(conversationId)(drafts.getSnapshot()) ?? { id: newKey(), text: '', pageId: null }
      const changed = replyingTo(draft, message, (row?.page_count ?? 1) > 1)
      drafts.send({ type: 'draft.changed', conversationId, draft: changed })
      write('reply')
    },
    [session, drafts, records],
  )
}
