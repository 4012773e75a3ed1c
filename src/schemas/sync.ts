import * as z from 'zod/mini'
import { platform } from './conversation.ts'
import { pageFailure } from './page.ts'
import { answerOf, count, id, moment } from './primitives.ts'
import { ranges } from './ranges.ts'

const syncStates = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

/** A historical sync: a job on the server, whose state the client polls. */
export const historySync = z.object({
  id,
  page_id: id,
  platform,
  /** The number of requested conversations, 1 to 100. */
  limit: count,
  state: z.enum(syncStates),
  conversations_done: count,
  messages_stored: count,
  /** The number of items from the network that did not match the expected format. */
  unreadable: z._default(count, 0),
  /** A sentence for staff: why the sync failed, or why a running sync is waiting. */
  error: z.nullish(z.string()),
  code: z.nullish(z.string()),
  started_by_name: z.nullish(z.string()),
  created_at: moment,
  finished_at: z.nullish(moment),
})
export type HistorySync = z.infer<typeof historySync>

/** Whether a historical sync is queued or running, so that polling must continue. */
export const isUnderWay = ({ state }: Pick<HistorySync, 'state'>): boolean => state === 'queued' || state === 'running'

/** POST /facebook/pages/{id}/sync-history. The form's default is 50. */
export const syncHistoryBody = z.object({
  platform: z._default(platform, 'messenger'),
  limit: z._default(z.number().check(z.int(), z.minimum(ranges.historySync[0]), z.maximum(ranges.historySync[1])), 100),
})
export type SyncHistoryBody = z.input<typeof syncHistoryBody>

/**
 * The answer of POST /facebook/pages/{id}/sync-history, which starts a sync or returns the one in progress for the same
 * page and platform; of GET /facebook/history-syncs/{id}; and of POST /facebook/history-syncs/{id}/cancel.
 */
export const historySyncAnswer = answerOf(historySync)

/** GET /facebook/pages/{id}/sync-status */
export const syncStatus = z.object({
  totalMessages: count,
  historicalMessages: count,
  hasHistoricalSync: z.boolean(),
  /** The syncs in progress for this page, newest first. */
  underWay: z._default(z.array(historySync), []),
})
export type SyncStatus = z.infer<typeof syncStatus>
export const syncStatusAnswer = answerOf(syncStatus)

/** POST /facebook/pages/{id}/sync-conversation */
export const syncConversationBody = z.object({
  userPsid: z.string().check(z.minLength(1)),
  platform: z._default(platform, 'messenger'),
})
export type SyncConversationBody = z.input<typeof syncConversationBody>

/** The answer of sync-conversation and sync-recent: the number of new messages. */
export const syncedMessagesAnswer = answerOf(z.object({ syncedMessages: count }))

export const hoursBack = z.number().check(z.int(), z.minimum(ranges.hoursBack[0]), z.maximum(ranges.hoursBack[1]))

/** POST /facebook/pages/{id}/sync-recent and POST /facebook/sync-all-recent */
export const syncRecentBody = z.object({ hoursBack: z._default(hoursBack, 2) })
export type SyncRecentBody = z.input<typeof syncRecentBody>

/**
 * The answer of sync-all-recent. A page that fails does not stop the others. If all pages fail, the answer is a
 * refusal.
 */
export const syncAllRecentAnswer = answerOf(
  z.object({ totalSyncedMessages: count, pagesSynced: count, failures: z._default(z.array(pageFailure), []) }),
)
