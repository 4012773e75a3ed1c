import * as z from 'zod/mini'
import {
  type AutoSyncConfig,
  type AutoSyncRun,
  type AutoSyncStatus,
  autoSyncRun,
  autoSyncStatus,
  autoSyncStatusAnswer,
} from '../schemas/auto-sync.ts'
import type { Http } from './http.ts'

/** A foreign API may answer a change without its outcome. */
const changed = z.object({ success: z.literal(true), data: z.catch(z.nullish(autoSyncStatus), null) })
const forced = z.object({ success: z.literal(true), data: z.catch(z.nullish(autoSyncRun), null) })

/** The automatic sync (spec section 7). All throw `Failure`; a change is never aborted, and answers null where the state
 * after it is not told. */
export function createAutoSync(http: Http) {
  const change = async (path: 'start' | 'stop'): Promise<AutoSyncStatus | null> =>
    (await http.post(`/facebook/auto-sync/${path}`, { schema: changed })).data ?? null

  return {
    loadStatus: async (signal: AbortSignal): Promise<AutoSyncStatus> =>
      (await http.get('/facebook/auto-sync/status', { schema: autoSyncStatusAnswer, signal })).data,

    saveConfig: async ({ config }: { config: AutoSyncConfig }): Promise<AutoSyncStatus | null> =>
      (await http.put('/facebook/auto-sync/config', { schema: changed, body: config })).data ?? null,

    toggle: ({ on }: { on: boolean }): Promise<AutoSyncStatus | null> => change(on ? 'start' : 'stop'),

    /** The run when it has ended, or while it is still running; null where it is not told. */
    forceSync: async (): Promise<AutoSyncRun | null> =>
      (await http.post('/facebook/auto-sync/force-sync', { schema: forced })).data ?? null,
  }
}
