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
  log: Parameters<typeof createClients>[1]
  /** Whether the API takes the header `Idempotency-Key`. */
  sendsKeys: boolean
  /** The proxy for pictures of pages; null is none. */
  pictureProxy: string | null
  client: Provider['client']
  /** Names this load of the page, whoever signs in in it. */
  tab: string
} & Pick<SessionServices, 'isOnline' | 'saveReport'>

/**
 * `firstCall` fulfils one task after the first call for the top of the list has ended, whatever came of it: the rows are
 * drawn then.
 */
function afterFirstCall(conversations: SessionServices['conversations']) {
  let end = () => {}
  const firstCall = new Promise<void>((resolve) => {
    end = resolve
  })
  const loadTop: typeof conversations.loadTop = (...call) =>
    conversations.loadTop(...call).finally(() => setTimeout(end))
  return { conversations: { ...conversations, loadTop }, firstCall }
}

/** The services of a signed-in person, in code that is loaded after sign-in. */
export function createSessionServices(settings: Settings): SessionServices {
  const { http, log, sendsKeys, pictureProxy, client, tab, isOnline, saveReport } = settings
  const area = () => window.localStorage
  const list = afterFirstCall(createConversations(http, log))
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
    loadHistorySync: async () => {
      const { createHistorySync } = await import('./services/sync/history-sync.ts')
      return createHistorySync(http, log)
    },
    loadFaq: async () => {
      const { createFaq } = await import('./services/faq/faq.ts')
      return createFaq(http, log)
    },
    // The client is 40 kB (gzip). The rows must not share the network with it.
    openChannel: createChannels({ client, mayLoad: list.firstCall, timing: frameTiming(window) }),
    outboxStorage: createOutboxStorage({ area, locks: navigator.locks, tab }),
    draftStorage: createDraftStorage({ area, window }),
    watchBrowser: (report) => watchBrowser(window, Date.now, report),
    isOnline,
    saveReport,
  }
}
