import { fromPromise } from 'xstate'
import type { DialogName, LoadedDialog } from './machines/shell/dialog.ts'
import type { createFaq } from './services/faq/faq.ts'
import type { Http } from './services/http.ts'
import type { createAutoSync } from './services/sync/auto-sync.ts'

type Parts = { http: Http; log: Parameters<typeof createFaq>[1]; autoSync: ReturnType<typeof createAutoSync> }

/** The machine of a dialog with its services: code that is fetched when the dialog is first opened. */
export async function loadDialog(name: DialogName, { http, log, autoSync }: Parts): Promise<LoadedDialog> {
  switch (name) {
    case 'pageManager': {
      const [{ pageManagerMachine }, { pageFormMachine }, { createPageAdministration }] = await Promise.all([
        import('./machines/pages/page-manager.ts'),
        import('./machines/pages/page-form.ts'),
        import('./services/pages/page-administration.ts'),
      ])
      const administration = createPageAdministration(http, log)
      const pageForm = pageFormMachine.provide({
        actors: {
          verifyToken: fromPromise(({ input, signal }) => administration.verifyToken(input, signal)),
          savePage: fromPromise(({ input }) => administration.savePage(input)),
        },
      })
      const logic = pageManagerMachine.provide({
        actors: {
          pageForm,
          loadDeletion: fromPromise(({ input, signal }) => administration.loadDeletion(input, signal)),
          deletePage: fromPromise(({ input }) => administration.deletePage(input)),
          refreshPictures: fromPromise(({ input }) => administration.refreshPictures(input)),
        },
      })
      return { name, logic }
    }
    case 'historySync': {
      const [{ historySyncMachine }, { createHistorySync }] = await Promise.all([
        import('./machines/sync/history-sync.ts'),
        import('./services/sync/history-sync.ts'),
      ])
      const history = createHistorySync(http, log)
      const logic = historySyncMachine.provide({
        actors: {
          loadSyncStatus: fromPromise(({ input, signal }) => history.loadSyncStatus(input, signal)),
          startHistorySync: fromPromise(({ input }) => history.startHistorySync(input)),
          loadHistorySync: fromPromise(({ input, signal }) => history.loadHistorySync(input, signal)),
          cancelHistorySync: fromPromise(({ input }) => history.cancelHistorySync(input)),
        },
      })
      return { name, logic }
    }
    case 'autoSyncControl': {
      const { autoSyncControlMachine } = await import('./machines/sync/auto-sync-control.ts')
      const logic = autoSyncControlMachine.provide({
        actors: {
          saveConfig: fromPromise(({ input }) => autoSync.saveConfig(input)),
          toggle: fromPromise(({ input }) => autoSync.toggle(input)),
        },
      })
      return { name, logic }
    }
    case 'faq': {
      const [{ faqMachine }, { faqFormMachine }, { faqTestMachine }, { createFaq }] = await Promise.all([
        import('./machines/faq/faq.ts'),
        import('./machines/faq/faq-form.ts'),
        import('./machines/faq/faq-test.ts'),
        import('./services/faq/faq.ts'),
      ])
      const faq = createFaq(http, log)
      const logic = faqMachine.provide({
        actors: {
          loadCategories: fromPromise(({ signal }) => faq.loadCategories(signal)),
          loadEntries: fromPromise(({ signal }) => faq.loadEntries(signal)),
          deleteFaq: fromPromise(({ input }) => faq.deleteFaq(input)),
          faqForm: faqFormMachine.provide({ actors: { saveFaq: fromPromise(({ input }) => faq.saveFaq(input)) } }),
          faqTest: faqTestMachine.provide({
            actors: { testMatch: fromPromise(({ input, signal }) => faq.testMatch(input, signal)) },
          }),
        },
      })
      return { name, logic }
    }
  }
}
