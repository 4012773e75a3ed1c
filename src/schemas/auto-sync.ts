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

/** Who last changed them, by name or e-mail, and when; null while they are the defaults. */
const autoSyncSettings = z.object({
  ...config,
  last_updated_by: z.nullish(z.string()),
  last_updated_at: z.nullish(moment),
})

/** What a run did for one page. */
export const autoSyncPage = z.object({
  page_id: id,
  page_name: z.string(),
  messages: count,
  /** A sentence for staff where the page failed or was left out. */
  error: z.nullish(z.string()),
  code: z.nullish(z.string()),
  /** The page is left out until then, because the network asked for a pause. */
  retry_at: z.nullish(moment),
})
export type AutoSyncPage = z.infer<typeof autoSyncPage>

export const autoSyncRun = z.object({
  id,
  state: z.enum(['running', 'completed', 'stopped', 'failed']),
  trigger: z.enum(['schedule', 'forced']),
  /** Who forced it. */
  started_by_name: z.nullish(z.string()),
  started_at: moment,
  finished_at: z.nullish(moment),
  messages: count,
  pages: z.array(autoSyncPage),
})
export type AutoSyncRun = z.infer<typeof autoSyncRun>

/** GET /facebook/auto-sync/status (spec section 3, Auto-sync status). */
export const autoSyncStatus = z.object({
  /** On: enabled, and the schedule is kept. */
  isRunning: z.boolean(),
  enabled: z.boolean(),
  /** A run is under way at this moment. */
  isSyncing: z._default(z.boolean(), false),
  /** When the last run ended. */
  lastSyncTime: z.nullish(moment),
  /** Seconds until the next run; null when none is due. */
  nextSyncIn: z.nullish(z.number()),
  config: z.nullish(autoSyncConfig),
  settings: z.nullish(autoSyncSettings),
  /** The run under way, or the last one. */
  lastRun: z.catch(z.nullish(autoSyncRun), null),
})
export type AutoSyncStatus = z.infer<typeof autoSyncStatus>

/** Of GET /status, PUT /config, POST /start and POST /stop: the state after the call. */
export const autoSyncStatusAnswer = answerOf(autoSyncStatus)

/**
 * POST /facebook/auto-sync/force-sync, answered when the run has ended; one that takes longer than the answer may wait
 * is answered while it is `running`. A run under way is joined.
 */
export const forceSyncAnswer = answerOf(autoSyncRun)
