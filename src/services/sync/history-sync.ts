import * as z from 'zod/mini'
import type { HistorySyncRequest } from '../../domain/sync/sync-calls.ts'
import {
  type HistorySync,
  historySync,
  historySyncAnswer,
  type SyncHistoryBody,
  type SyncStatus,
  syncStatus,
} from '../../schemas/sync.ts'
import { type Http, rows } from '../http.ts'

const pathOfSync = (id: string) => `/facebook/history-syncs/${encodeURIComponent(id)}`

/** The historical sync of a page (spec section 7). All throw `Failure`. */
export function createHistorySync(http: Http, log: { warn: (text: string) => void }) {
  const status = z.extend(syncStatus, {
    underWay: z._default(rows(historySync, log, 'syncs under way'), []),
  })
  const statusAnswer = z.union([
    z.object({ success: z.literal(true), data: status }),
    z.extend(status, { success: z.literal(true) }),
  ])

  /** An API that finishes the sync before it answers sends no job. */
  const startedAnswer = z.union([
    historySyncAnswer,
    z.object({ success: z.literal(true), data: z.nullish(z.object({ id: z.optional(z.undefined()) })) }),
  ])

  return {
    loadSyncStatus: async ({ pageId }: { pageId: string }, signal: AbortSignal): Promise<SyncStatus> => {
      const path = `/facebook/pages/${encodeURIComponent(pageId)}/sync-status`
      const answer = await http.get(path, { schema: statusAnswer, signal })
      return 'data' in answer ? answer.data : answer
    },

    /**
     * Starts a historical sync, or returns the one in progress for this page and platform; null if the API finished the
     * sync before it answered. Never aborted.
     */
    startHistorySync: async (wanted: HistorySyncRequest): Promise<HistorySync | null> => {
      const body: SyncHistoryBody = { platform: wanted.platform, limit: wanted.limit }
      const path = `/facebook/pages/${encodeURIComponent(wanted.pageId)}/sync-history`
      const { data } = await http.post(path, { schema: startedAnswer, body })
      return data?.id === undefined ? null : data
    },

    loadHistorySync: async ({ id }: { id: string }, signal: AbortSignal): Promise<HistorySync> =>
      (await http.get(pathOfSync(id), { schema: historySyncAnswer, signal })).data,

    /** Never aborted. */
    cancelHistorySync: async ({ id }: { id: string }): Promise<HistorySync> =>
      (await http.post(`${pathOfSync(id)}/cancel`, { schema: historySyncAnswer })).data,
  }
}
