import * as z from 'zod/mini'
import { answerOf, count, id, moment } from './primitives.ts'
import { ranges } from './ranges.ts'
import { hoursBack } from './sync.ts'

const config = {
  interval_minutes: z
    .number()
    .check(z.int(), z.minimum(ranges.autoSyncInterval[0]), z.maximum(ranges.autoSyncInterval[1])),
  hours_back: hoursBack,
  enabled: z.boolean(),
}

/** PUT /facebook/auto-sync/config */
export const autoSyncConfig = z.object(config)
export type AutoSyncConfig = z.infer<typeof autoSyncConfig>

/** Includes who last changed the settings, by name or email, and when; null while they are the defaults. */
const autoSyncSettings = z.object({
  ...config,
  last_updated_by: z.nullish(z.string()),
  last_updated_at: z.nullish(moment),
})

/** The result of a run for one page. */
export const autoSyncPage = z.object({
  page_id: id,
  page_name: z.string(),
  messages: count,
  /** A sentence for staff if the page failed or was skipped. */
  error: z.nullish(z.string()),
  code: z.nullish(z.string()),
  /** The page is skipped until this time, because the network asked for a pause. */
  retry_at: z.nullish(moment),
})
export type AutoSyncPage = z.infer<typeof autoSyncPage>

export const autoSyncRun = z.object({
  id,
  state: z.enum(['running', 'completed', 'stopped', 'failed']),
  trigger: z.enum(['schedule', 'forced']),
  /** The staff member who forced the run. */
  started_by_name: z.nullish(z.string()),
  started_at: moment,
  finished_at: z.nullish(moment),
  messages: count,
  pages: z.array(autoSyncPage),
})
export type AutoSyncRun = z.infer<typeof autoSyncRun>

/** GET /facebook/auto-sync/status (spec section 3, Auto-sync status). */
export const autoSyncStatus = z.object({
  /** Enabled, and the schedule is active. */
  isRunning: z.boolean(),
  enabled: z.boolean(),
  /** Whether a run is in progress. */
  isSyncing: z._default(z.boolean(), false),
  /** When the last run ended. */
  lastSyncTime: z.nullish(moment),
  /** Seconds until the next run; null if no run is scheduled. */
  nextSyncIn: z.nullish(z.number()),
  config: z.nullish(autoSyncConfig),
  settings: z.nullish(autoSyncSettings),
  /** The run in progress, or the last one. */
  lastRun: z.catch(z.nullish(autoSyncRun), null),
})
export type AutoSyncStatus = z.infer<typeof autoSyncStatus>

/** The answer of GET /status, PUT /config, POST /start and POST /stop: the state after the call. */
export const autoSyncStatusAnswer = answerOf(autoSyncStatus)

/**
 * The answer of POST /facebook/auto-sync/force-sync, sent when the run has ended. If the run takes longer than the
 * request may wait, the answer has the state `running`. If a run is already in progress, no second run is started.
 */
export const forceSyncAnswer = answerOf(autoSyncRun)
