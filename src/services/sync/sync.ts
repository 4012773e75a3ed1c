import * as z from 'zod/mini'
import { limits } from '../../domain/limits.ts'
import type { SyncedConversation, SyncedPages } from '../../domain/sync/sync-calls.ts'
import { count } from '../../schemas/primitives.ts'
import { type SyncConversationBody, type SyncRecentBody, syncedMessagesAnswer } from '../../schemas/sync.ts'
import type { Http } from '../http.ts'
import { pageFailures } from '../pages/page-failures.ts'

/**
 * The short syncs (spec section 7). All throw `Failure`. None is aborted, because the server finishes a started sync in
 * any case.
 */
export function createSync(http: Http, log: { warn: (text: string) => void }) {
  const totals = {
    totalSyncedMessages: count,
    pagesSynced: count,
    failures: pageFailures(log),
  }
  const allRecentAnswer = z.union([
    z.object({ success: z.literal(true), data: z.object(totals) }),
    z.object({ success: z.literal(true), ...totals }),
  ])
  const body: SyncRecentBody = { hoursBack: limits.autoSync.hoursBack }
  return {
    /** Returns the number of new messages. */
    syncRecent: async ({ pageId }: { pageId: string }): Promise<number> =>
      (
        await http.post(`/facebook/pages/${encodeURIComponent(pageId)}/sync-recent`, {
          schema: syncedMessagesAnswer,
          body,
        })
      ).data.syncedMessages,

    syncAllRecent: async (): Promise<SyncedPages> => {
      const answer = await http.post('/facebook/sync-all-recent', { schema: allRecentAnswer, body })
      const { totalSyncedMessages, pagesSynced, failures } = 'data' in answer ? answer.data : answer
      return { messages: totalSyncedMessages, pages: pagesSynced, failures }
    },

    /** Returns the number of new messages. */
    syncConversation: async (subject: SyncedConversation): Promise<number> => {
      const sent: SyncConversationBody = { userPsid: subject.psid, platform: subject.platform }
      const { data } = await http.post(`/facebook/pages/${encodeURIComponent(subject.pageId)}/sync-conversation`, {
        schema: syncedMessagesAnswer,
        body: sent,
      })
      return data.syncedMessages
    },
  }
}
