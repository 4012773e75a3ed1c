import { createClients } from './services/client/clients.ts'
import { createConversations } from './services/list/conversations.ts'
import { createStats } from './services/list/stats.ts'
import { createPages } from './services/pages/pages.ts'
import { createDraftStorage } from './services/send/drafts.ts'
import { createOutboxStorage } from './services/send/outbox-storage.ts'
import { frameTiming } from './services/shell/batches.ts'
import { watchBrowser } from './services/shell/browser.ts'
import { createChannels } from './services/shell/realtime.ts'
import { createAutoSync } from './services/sync/auto-sync.ts'
import { createSync } from './services/sync/sync.ts'
import { createMessages } from './services/thread/messages.ts'
import type { SettingsOnDemand } from './services-on-demand.ts'
import type { ServicesOnDemand, SessionServices } from './services-port.ts'

type Settings = SettingsOnDemand & {
  /** Whether the API accepts the header `Idempotency-Key`. */
  sendsKeys: boolean
  /** The proxy for pictures of pages; null for no proxy. */
  pictureProxy: string | null
  /** The id of this page load. Stays the same when another person signs in. */
  tab: string
  /** What the browser cannot store of the outbox. Stays the same when another person signs in. */
  unstored: Map<string, string>
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

/** The services that `services-on-demand.ts` creates. */
export const namesOnDemand = [
  'loadPageAdministration',
  'loadFacebookLogin',
  'loadHistorySync',
  'loadFaq',
  'loadSavedReplies',
  'loadFileService',
  'loadTemplateService',
  'loadAccount',
  'loadStaffManagement',
  'loadWebhookService',
  'loadApiKeyService',
  'loadShopService',
  'loadAuditLog',
  'loadBusinessSettings',
  'loadReports',
  'loadDataTransfer',
  'loadClientWork',
  'loadChatService',
  'loadCommentService',
  'loadReactions',
  'loadSearch',
  'loadPersons',
  'loadAlarmService',
  'loadStates',
  'loadLabelService',
  'loadSavedFilterService',
  'loadServerDrafts',
  'loadColleagues',
  'loadNotifications',
] as const

/** Services whose code is loaded with the first of them. */
const onDemand = (load: () => Promise<ServicesOnDemand>): ServicesOnDemand =>
  Object.fromEntries(namesOnDemand.map((name) => [name, async () => (await load())[name]()])) as Pick<
    ServicesOnDemand,
    (typeof namesOnDemand)[number]
  >

/** Creates the services of a signed-in person. This code is loaded after sign-in. */
export function createSessionServices(settings: Settings): SessionServices {
  const { http, log, sendsKeys, pictureProxy, provider, tab, unstored, isOnline, saveReport, loadLater } = settings
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
    ...onDemand(async () => (await import('./services-on-demand.ts')).createServicesOnDemand(settings)),
    afterFirstRows: () => list.firstCall,
    // The client is 40 kB (gzip). Loading it later leaves the bandwidth to the first rows.
    openChannel: createChannels({ client: provider.client, mayLoad: list.firstCall, timing: frameTiming(window) }),
    outboxStorage: createOutboxStorage({ area, locks: navigator.locks, tab, unstored }),
    draftStorage: createDraftStorage({ kind: 'draft', area, window }),
    noteStorage: createDraftStorage({ kind: 'note', area, window }),
    watchBrowser: (report) => watchBrowser(window, Date.now, report),
    isOnline,
    saveReport,
  }
}
