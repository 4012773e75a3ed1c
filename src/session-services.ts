import { createClients } from './services/client/clients.ts'
import type { Http } from './services/http.ts'
import { createConversations } from './services/list/conversations.ts'
import { createStats } from './services/list/stats.ts'
import { createPages } from './services/pages/pages.ts'
import { createDraftStorage } from './services/send/drafts.ts'
import { createOutboxStorage } from './services/send/outbox-storage.ts'
import type { Provider } from './services/session/supabase.ts'
import { frameTiming } from './services/shell/batches.ts'
import { watchBrowser } from './services/shell/browser.ts'
import { createChannels } from './services/shell/realtime.ts'
import { createAutoSync } from './services/sync/auto-sync.ts'
import { createSync } from './services/sync/sync.ts'
import { createMessages } from './services/thread/messages.ts'
import type { SessionServices } from './services-port.ts'

type Settings = {
  http: Http
  /** The address of the API, without a slash at its end. */
  baseUrl: string
  log: Parameters<typeof createClients>[1]
  /** Whether the API accepts the header `Idempotency-Key`. */
  sendsKeys: boolean
  /** The proxy for pictures of pages; null for no proxy. */
  pictureProxy: string | null
  provider: Pick<Provider, 'client' | 'accessToken'>
  /** The id of this page load. Stays the same when another person signs in. */
  tab: string
  /** Loads code that is needed after the first rows. Who needs the code reports a failure. */
  loadLater: () => Promise<unknown>
} & Pick<SessionServices, 'isOnline' | 'saveReport'>

/**
 * `firstCall` resolves one task after the first call for the top of the list has ended, successfully or not. The rows
 * are rendered by then.
 */
function afterFirstCall(conversations: SessionServices['conversations']) {
  let end = () => {}
  const firstCall = new Promise<void>((resolve) => {
    end = resolve
  })
  const loadTop: typeof conversations.loadTop = (request, signal) =>
    conversations.loadTop(request, signal).finally(() => {
      // The view or filter of the URL replaces the first call.
      if (!signal.aborted) setTimeout(end)
    })
  return { conversations: { ...conversations, loadTop }, firstCall }
}

/** Creates the services of a signed-in person. This code is loaded after sign-in. */
export function createSessionServices(settings: Settings): SessionServices {
  const { http, baseUrl, log, sendsKeys, pictureProxy, provider, tab, isOnline, saveReport, loadLater } = settings
  const area = () => window.localStorage
  const list = afterFirstCall(createConversations(http, log))
  void list.firstCall.then(loadLater).catch(() => {})
  return {
    conversations: list.conversations,
    stats: createStats(http),
    messages: createMessages(http, log, { sendsKeys }),
    clients: createClients(http, log),
    pages: createPages(http, log, { pictureProxy }),
    sync: createSync(http, log),
    autoSync: createAutoSync(http, log),
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
      await list.firstCall
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
    // Nobody waits for the alarms, so the first rows come first.
    loadAlarmService: async () => {
      await list.firstCall
      const { createAlarms } = await import('./services/shell/alarms.ts')
      return createAlarms(http, log)
    },
    // Names and changes are needed after the first rows.
    loadStates: async () => {
      await list.firstCall
      const { createStates } = await import('./services/list/states.ts')
      return createStates(http, log)
    },
    loadLabelService: async () => {
      await list.firstCall
      const { createLabels } = await import('./services/list/labels.ts')
      return createLabels(http, log)
    },
    loadSavedFilterService: async () => {
      const { createSavedFilters } = await import('./services/list/saved-filters.ts')
      return createSavedFilters(http, log)
    },
    loadServerDrafts: async () => {
      await list.firstCall
      const { createServerDrafts } = await import('./services/send/server-drafts.ts')
      return createServerDrafts(http)
    },
    loadColleagues: async () => {
      await list.firstCall
      const { createColleagues } = await import('./services/thread/colleagues.ts')
      return createColleagues(http, log, provider.client)
    },
    loadNotifications: async () => {
      await list.firstCall
      const { createNotifications } = await import('./services/shell/notifications.ts')
      return createNotifications(http, window)
    },
    afterFirstRows: () => list.firstCall,
    // The client is 40 kB (gzip). Loading it later leaves the bandwidth to the first rows.
    openChannel: createChannels({ client: provider.client, mayLoad: list.firstCall, timing: frameTiming(window) }),
    outboxStorage: createOutboxStorage({ area, locks: navigator.locks, tab }),
    draftStorage: createDraftStorage({ kind: 'draft', area, window }),
    noteStorage: createDraftStorage({ kind: 'note', area, window }),
    watchBrowser: (report) => watchBrowser(window, Date.now, report),
    isOnline,
    saveReport,
  }
}
