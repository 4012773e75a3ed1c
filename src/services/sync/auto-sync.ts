import * as z from 'zod/mini'
import {
  type AutoSyncConfig,
  type AutoSyncRun,
  type AutoSyncStatus,
  autoSyncPage,
  autoSyncRun,
  autoSyncStatus,
} from '../../schemas/auto-sync.ts'
import { type Http, rows } from '../http.ts'

/**
 * The automatic sync (spec section 7). All throw `Failure`. Calls that change the state are never aborted, and return
 * null if the API does not send the new state.
 */
export function createAutoSync(http: Http, log: { warn: (text: string) => void }) {
  const run = z.extend(autoSyncRun, {
    pages: rows(autoSyncPage, log, 'pages of a sync'),
  })
  const status = z.extend(autoSyncStatus, { lastRun: z.catch(z.nullish(run), null) })
  const statusAnswer = z.object({ success: z.literal(true), data: status })
  // A foreign API may answer a change without the new state.
  const changed = z.object({ success: z.literal(true), data: z.catch(z.nullish(status), null) })
  const forced = z.object({ success: z.literal(true), data: z.catch(z.nullish(run), null) })

  const change = async (path: 'start' | 'stop'): Promise<AutoSyncStatus | null> =>
    (await http.post(`/facebook/auto-sync/${path}`, { schema: changed })).data ?? null

  return {
    loadStatus: async (signal: AbortSignal): Promise<AutoSyncStatus> =>
      (await http.get('/facebook/auto-sync/status', { schema: statusAnswer, signal })).data,

    saveConfig: async ({ config }: { config: AutoSyncConfig }): Promise<AutoSyncStatus | null> =>
      (await http.put('/facebook/auto-sync/config', { schema: changed, body: config })).data ?? null,

    toggle: ({ on }: { on: boolean }): Promise<AutoSyncStatus | null> => change(on ? 'start' : 'stop'),

    /** The run, either finished or still in progress; null if the API does not send it. */
    forceSync: async (): Promise<AutoSyncRun | null> =>
      (await http.post('/facebook/auto-sync/force-sync', { schema: forced })).data ?? null,
  }
}
