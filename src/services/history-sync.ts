import * as z from 'zod/mini'
import type { Platform } from '../schemas/conversation.ts'
import {
  type HistorySync,
  historySyncAnswer,
  type SyncHistoryBody,
  type SyncStatus,
  syncStatus,
  syncStatusAnswer,
} from '../schemas/sync.ts'
import type { Http } from './http.ts'

const statusAnswer = z.union([syncStatusAnswer, z.extend(syncStatus, { success: z.literal(true) })])
const pathOfSync = (id: string) => `/facebook/history-syncs/${encodeURIComponent(id)}`

/** The historical sync of a page (spec section 7). All throw `Failure`. */
export function createHistorySync(http: Http) {
  return {
    loadSyncStatus: async ({ pageId }: { pageId: string }, signal: AbortSignal): Promise<SyncStatus> => {
      const path = `/facebook/pages/${encodeURIComponent(pageId)}/sync-status`
      const answer = await http.get(path, { schema: statusAnswer, signal })
      return 'data' in answer ? answer.data : answer
    },

    /** Starts one, or answers the one that is under way for this page and platform. Never aborted. */
    startHistorySync: async (wanted: { pageId: string; platform: Platform; limit: number }): Promise<HistorySync> => {
      const body: SyncHistoryBody = { platform: wanted.platform, limit: wanted.limit }
      const path = `/facebook/pages/${encodeURIComponent(wanted.pageId)}/sync-history`
      return (await http.post(path, { schema: historySyncAnswer, body })).data
    },

    loadHistorySync: async ({ id }: { id: string }, signal: AbortSignal): Promise<HistorySync> =>
      (await http.get(pathOfSync(id), { schema: historySyncAnswer, signal })).data,

    /** Never aborted. */
    cancelHistorySync: async ({ id }: { id: string }): Promise<HistorySync> =>
      (await http.post(`${pathOfSync(id)}/cancel`, { schema: historySyncAnswer })).data,
  }
}
