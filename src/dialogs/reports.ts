import { fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const reportsDialogs = {
  reports: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.reports'),
    numbersInReports: [],
    loadView: () => import('../views/reports/ReportsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ reportsMachine }, reports] = await Promise.all([
        import('../machines/reports/reports.ts'),
        services.loadReports(),
      ])
      return reportsMachine.provide({
        actors: {
          loadReport: fromPromise(({ input, signal }) => reports.loadReport(input, signal)),
          exportReport: fromPromise(({ input }) => reports.exportReport(input)),
        },
      })
    },
  },
} satisfies Partial<DialogEntries>
