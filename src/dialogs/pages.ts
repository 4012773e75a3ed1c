import { fromCallback, fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const pagesDialogs = {
  pageManager: {
    loadTitle: async () => (await import('../texts/pages-on-demand.ts')).t('pages.management'),
    numbersInReports: [],
    loadView: () => import('../views/pages/PageManagerDialog.tsx'),
    loadMachine: async (services) => {
      const [{ pageManagerMachine }, { pageFormMachine }, administration] = await Promise.all([
        import('../machines/pages/page-manager.ts'),
        import('../machines/pages/page-form.ts'),
        services.loadPageAdministration(),
      ])
      const pageForm = pageFormMachine.provide({
        actors: {
          verifyToken: fromPromise(({ input, signal }) => administration.verifyToken(input, signal)),
          savePage: fromPromise(({ input }) => administration.savePage(input)),
        },
      })
      return pageManagerMachine.provide({
        actors: {
          pageForm,
          loadDeletion: fromPromise(({ input, signal }) => administration.loadDeletion(input, signal)),
          deletePage: fromPromise(({ input }) => administration.deletePage(input)),
          refreshPictures: fromPromise(({ input }) => administration.refreshPictures(input)),
        },
      })
    },
  },
  businessHours: {
    loadTitle: async () => (await import('../texts/pages-on-demand.ts')).t('pages.hoursTitle'),
    numbersInReports: [],
    loadView: () => import('../views/pages/BusinessHoursDialog.tsx'),
    loadMachine: async (services) => {
      const [{ businessHoursMachine }, settings] = await Promise.all([
        import('../machines/pages/business-hours.ts'),
        services.loadBusinessSettings(),
      ])
      return businessHoursMachine.provide({
        actors: {
          loadSettings: fromPromise(({ signal }) => settings.loadHours(signal)),
          saveSettings: fromPromise(({ input }) => settings.saveHours(input)),
        },
      })
    },
  },
  facebookLogin: {
    loadTitle: async () => (await import('../texts/pages-on-demand.ts')).t('pages.loginTitle'),
    numbersInReports: [],
    loadView: () => import('../views/pages/FacebookLoginDialog.tsx'),
    loadMachine: async (services) => {
      const [{ facebookLoginMachine }, login] = await Promise.all([
        import('../machines/pages/facebook-login.ts'),
        services.loadFacebookLogin(),
      ])
      return facebookLoginMachine.provide({
        actors: {
          beginLogin: fromPromise(({ signal }) => login.beginLogin(signal)),
          watchReturn: fromCallback(({ input, sendBack }) => login.watchReturn(input, sendBack)),
          completeLogin: fromPromise(({ input }) => login.completeLogin(input)),
          connectPage: fromPromise(({ input }) => login.connectPage(input)),
        },
      })
    },
  },
} satisfies Partial<DialogEntries>
