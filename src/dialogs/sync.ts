import { fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const syncDialogs = {
  historySync: {
    loadTitle: async () => (await import('../texts/sync-on-demand.ts')).t('sync.historyTitle'),
    numbersInReports: ['limit'],
    loadView: () => import('../views/sync/HistorySyncDialog.tsx'),
    loadMachine: async (services) => {
      const [{ historySyncMachine }, history] = await Promise.all([
        import('../machines/sync/history-sync.ts'),
        services.loadHistorySync(),
      ])
      return historySyncMachine.provide({
        actors: {
          loadSyncStatus: fromPromise(({ input, signal }) => history.loadSyncStatus(input, signal)),
          startHistorySync: fromPromise(({ input }) => history.startHistorySync(input)),
          loadHistorySync: fromPromise(({ input, signal }) => history.loadHistorySync(input, signal)),
          cancelHistorySync: fromPromise(({ input }) => history.cancelHistorySync(input)),
        },
      })
    },
  },
  autoSyncControl: {
    loadTitle: async () => (await import('../texts/sync-on-demand.ts')).t('sync.autoSync'),
    numbersInReports: ['interval', 'hoursBack'],
    loadView: () => import('../views/sync/AutoSyncDialog.tsx'),
    loadMachine: async ({ autoSync }) => {
      const { autoSyncControlMachine } = await import('../machines/sync/auto-sync-control.ts')
      return autoSyncControlMachine.provide({
        actors: {
          saveConfig: fromPromise(({ input }) => autoSync.saveConfig(input)),
          toggle: fromPromise(({ input }) => autoSync.toggle(input)),
        },
      })
    },
  },
} satisfies Partial<DialogEntries>
