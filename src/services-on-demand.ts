import type { Http } from './services/http.ts'
import type { Provider } from './services/session/supabase.ts'
import type { ServicesOnDemand } from './services-port.ts'

export type SettingsOnDemand = {
  http: Http
  /** The address of the API, without a slash at its end. */
  baseUrl: string
  log: { warn: (text: string) => void }
  provider: Pick<Provider, 'client' | 'accessToken'>
}

/** Creates the services that no first row needs. This code and that of each service are loaded on demand. */
export function createServicesOnDemand({ http, baseUrl, log, provider }: SettingsOnDemand): ServicesOnDemand {
  return {
    loadPageAdministration: async () => {
      const { createPageAdministration } = await import('./services/pages/page-administration.ts')
      return createPageAdministration(http, log)
    },
    loadFacebookLogin: async () => {
      const { createFacebookLogin, loginBrowser } = await import('./services/pages/facebook-login.ts')
      return createFacebookLogin(http, log, loginBrowser(window))
    },
    loadHistorySync: async () => {
      const { createHistorySync } = await import('./services/sync/history-sync.ts')
      return createHistorySync(http, log)
    },
    loadFaq: async () => {
      const { createFaq } = await import('./services/faq/faq.ts')
      return createFaq(http, log)
    },
    loadSavedReplies: async () => {
      const { createSavedReplies } = await import('./services/send/saved-replies.ts')
      return createSavedReplies(http, log)
    },
    loadFileService: async () => {
      const { createFileService } = await import('./services/send/files.ts')
      return createFileService(http)
    },
    loadTemplateService: async () => {
      const { createMessageTemplates } = await import('./services/send/message-templates.ts')
      return createMessageTemplates(http, log)
    },
    loadAccount: async () => {
      const { createAccount } = await import('./services/session/account.ts')
      return createAccount({ http, provider })
    },
    loadStaffManagement: async () => {
      const { createStaff } = await import('./services/session/staff.ts')
      return createStaff(http, log)
    },
    loadWebhookService: async () => {
      const { createWebhooks } = await import('./services/session/webhooks.ts')
      return createWebhooks(http, log)
    },
    loadApiKeyService: async () => {
      const { createApiKeys } = await import('./services/session/api-keys.ts')
      return createApiKeys(http, log)
    },
    loadShopService: async () => {
      const { createShops } = await import('./services/client/shops.ts')
      return createShops(http, log)
    },
    loadAuditLog: async () => {
      const [{ createAudit }, { saveFile }] = await Promise.all([
        import('./services/session/audit.ts'),
        import('./services/shell/save-file.ts'),
      ])
      return createAudit(http, log, async (name, text) => saveFile(window, name, text, 'text/csv'))
    },
    loadBusinessSettings: async () => {
      const { createBusinessSettings } = await import('./services/pages/business-settings.ts')
      return createBusinessSettings(http)
    },
    loadReports: async () => {
      const [{ createReports }, { saveFile }] = await Promise.all([
        import('./services/reports/reports.ts'),
        import('./services/shell/save-file.ts'),
      ])
      return createReports(http, async (name, text) => saveFile(window, name, text, 'text/csv'))
    },
    loadDataTransfer: async () => {
      const [{ createDataTransfer }, { saveFrom }] = await Promise.all([
        import('./services/client/data-transfer.ts'),
        import('./services/shell/save-file.ts'),
      ])
      return createDataTransfer(http, log, (path) => saveFrom(window, `${baseUrl}${path}`))
    },
    loadClientWork: async () => {
      const { createClientWork } = await import('./services/client/client-work.ts')
      return createClientWork(http, log)
    },
    loadChatService: async () => {
      const { createChats } = await import('./services/client/chats.ts')
      return createChats(http, log)
    },
    loadCommentService: async () => {
      const { createComments } = await import('./services/comments/comments.ts')
      return createComments(http, log)
    },
    loadReactions: async () => {
      const { createReactions } = await import('./services/thread/reactions.ts')
      return createReactions(http)
    },
    loadSearch: async () => {
      const { createSearch } = await import('./services/shell/search.ts')
      return createSearch(http, log)
    },
    loadPersons: async () => {
      const [{ createPersons }, { saveFile }] = await Promise.all([
        import('./services/client/persons.ts'),
        import('./services/shell/save-file.ts'),
      ])
      return createPersons(http, (name, text) => saveFile(window, name, text))
    },
    loadAlarmService: async () => {
      const { createAlarms } = await import('./services/shell/alarms.ts')
      return createAlarms(http, log)
    },
    loadStates: async () => {
      const { createStates } = await import('./services/list/states.ts')
      return createStates(http, log)
    },
    loadLabelService: async () => {
      const { createLabels } = await import('./services/list/labels.ts')
      return createLabels(http, log)
    },
    loadSavedFilterService: async () => {
      const { createSavedFilters } = await import('./services/list/saved-filters.ts')
      return createSavedFilters(http, log)
    },
    loadServerDrafts: async () => {
      const { createServerDrafts } = await import('./services/send/server-drafts.ts')
      return createServerDrafts(http)
    },
    loadColleagues: async () => {
      const { createColleagues } = await import('./services/thread/colleagues.ts')
      return createColleagues(http, log, provider.client)
    },
    loadNotifications: async () => {
      const { createNotifications } = await import('./services/shell/notifications.ts')
      return createNotifications(http, window)
    },
  }
}
