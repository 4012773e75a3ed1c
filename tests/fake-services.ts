import type { Services, SessionServices } from '../src/services-port.ts'

type Overrides<Port> = {
  [Part in keyof Port]?: Port[Part] extends (...args: never[]) => unknown ? Port[Part] : Partial<Port[Part]>
}

const unanswered = () => new Promise<never>(() => {})
const ignored = () => {}
/** A subscription that reports nothing. */
const silent = () => ignored

/**
 * The session's part of the port: no call is ever answered, nothing is stored and nothing is reported. `given` replaces
 * single calls.
 */
export function fakeSessionServices(given: Overrides<SessionServices> = {}): SessionServices {
  return {
    conversations: { loadTop: unanswered, loadPage: unanswered, ...given.conversations },
    stats: { loadStats: unanswered, ...given.stats },
    messages: {
      findConversation: unanswered,
      loadMessages: unanswered,
      findNewest: unanswered,
      markRead: unanswered,
      findBestPage: unanswered,
      findIdentity: unanswered,
      decideReply: unanswered,
      sendMessage: unanswered,
      ...given.messages,
    },
    clients: {
      loadProfile: unanswered,
      loadOrders: unanswered,
      loadChats: unanswered,
      searchClients: unanswered,
      createClient: unanswered,
      linkClient: unanswered,
      renewPicture: unanswered,
      fetchOrders: unanswered,
      fetchPayments: unanswered,
      ...given.clients,
    },
    pages: { loadPages: unanswered, ...given.pages },
    sync: { syncRecent: unanswered, syncAllRecent: unanswered, syncConversation: unanswered, ...given.sync },
    autoSync: {
      loadStatus: unanswered,
      saveConfig: unanswered,
      toggle: unanswered,
      forceSync: unanswered,
      ...given.autoSync,
    },
    loadPageAdministration: given.loadPageAdministration ?? unanswered,
    loadHistorySync: given.loadHistorySync ?? unanswered,
    loadFaq: given.loadFaq ?? unanswered,
    openChannel: given.openChannel ?? silent,
    outboxStorage: {
      load: unanswered,
      store: ignored,
      forget: ignored,
      forgetAll: ignored,
      ...given.outboxStorage,
    },
    draftStorage: { store: ignored, watch: silent, forgetAll: ignored, ...given.draftStorage },
    watchBrowser: given.watchBrowser ?? silent,
    isOnline: given.isOnline ?? (() => true),
    saveReport: given.saveReport ?? unanswered,
  }
}

/** The whole port, with a session that is never answered and nothing saved in the browser. */
export function fakeServices(given: Overrides<Services> = {}): Services {
  return {
    auth: {
      findProviderSession: unanswered,
      exchangeProviderSession: unanswered,
      loadUser: unanswered,
      refreshTokens: unanswered,
      endSession: unanswered,
      ...given.auth,
    },
    signIn: {
      askProvider: unanswered,
      checkMigration: unanswered,
      signInLegacy: unanswered,
      signUp: unanswered,
      signInAsRegistered: unanswered,
      completeMigration: unanswered,
      forget: ignored,
      ...given.signIn,
    },
    leaveProvider: given.leaveProvider ?? ignored,
    watchOutside: given.watchOutside ?? silent,
    deviceCache: {
      read: async () => null,
      save: unanswered,
      clear: async () => {},
      isShared: () => false,
      ...given.deviceCache,
    },
    loadSessionServices: given.loadSessionServices ?? (async () => fakeSessionServices()),
  }
}
