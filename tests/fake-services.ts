import type { Services, SessionServices } from '../src/services-port.ts'

type Overrides<Port> = {
  [Part in keyof Port]?: Port[Part] extends (...args: never[]) => unknown ? Port[Part] : Partial<Port[Part]>
}

const pending = () => new Promise<never>(() => {})
const ignored = () => {}
/** A subscription that reports nothing. */
const silent = () => ignored

/**
 * The session services: calls stay pending, nothing is stored and nothing is reported. `overrides` replaces single calls.
 */
export function fakeSessionServices(overrides: Overrides<SessionServices> = {}): SessionServices {
  return {
    conversations: { loadTop: pending, loadPage: pending, ...overrides.conversations },
    stats: { loadStats: pending, ...overrides.stats },
    messages: {
      findConversation: pending,
      isGone: pending,
      loadMessages: pending,
      findNewest: pending,
      markRead: pending,
      findBestPage: pending,
      findIdentity: pending,
      decideReply: pending,
      sendMessage: pending,
      ...overrides.messages,
    },
    clients: {
      loadProfile: pending,
      loadOrders: pending,
      loadChats: pending,
      renewPicture: pending,
      fetchOrders: pending,
      fetchPayments: pending,
      ...overrides.clients,
    },
    pages: { loadPages: pending, ...overrides.pages },
    sync: { syncRecent: pending, syncAllRecent: pending, syncConversation: pending, ...overrides.sync },
    autoSync: {
      loadStatus: pending,
      saveConfig: pending,
      toggle: pending,
      forceSync: pending,
      ...overrides.autoSync,
    },
    loadPageAdministration: overrides.loadPageAdministration ?? pending,
    loadFacebookLogin: overrides.loadFacebookLogin ?? pending,
    loadHistorySync: overrides.loadHistorySync ?? pending,
    loadFaq: overrides.loadFaq ?? pending,
    loadSavedReplies: overrides.loadSavedReplies ?? pending,
    loadTemplateService: overrides.loadTemplateService ?? pending,
    loadFileService: overrides.loadFileService ?? pending,
    loadAccount: overrides.loadAccount ?? pending,
    loadStaffManagement: overrides.loadStaffManagement ?? pending,
    loadApiKeyService: overrides.loadApiKeyService ?? pending,
    loadWebhookService: overrides.loadWebhookService ?? pending,
    loadShopService: overrides.loadShopService ?? pending,
    loadAuditLog: overrides.loadAuditLog ?? pending,
    loadBusinessSettings: overrides.loadBusinessSettings ?? pending,
    loadReports: overrides.loadReports ?? pending,
    loadDataTransfer: overrides.loadDataTransfer ?? pending,
    loadClientWork: overrides.loadClientWork ?? pending,
    loadChatService: overrides.loadChatService ?? pending,
    loadCommentService: overrides.loadCommentService ?? pending,
    loadSearch: overrides.loadSearch ?? pending,
    loadReactions: overrides.loadReactions ?? pending,
    loadPersons: overrides.loadPersons ?? pending,
    loadAlarmService: overrides.loadAlarmService ?? pending,
    loadStates: overrides.loadStates ?? pending,
    loadLabelService: overrides.loadLabelService ?? pending,
    loadSavedFilterService: overrides.loadSavedFilterService ?? pending,
    loadServerDrafts: overrides.loadServerDrafts ?? pending,
    loadNotifications: overrides.loadNotifications ?? pending,
    loadColleagues: overrides.loadColleagues ?? pending,
    afterFirstRows: overrides.afterFirstRows ?? (async () => {}),
    openChannel: overrides.openChannel ?? silent,
    outboxStorage: {
      load: pending,
      store: ignored,
      forget: ignored,
      forgetAll: ignored,
      countElsewhere: () => ({ unsent: 0, typed: 0 }),
      answers: { load: pending, store: ignored, forget: ignored },
      ...overrides.outboxStorage,
    },
    draftStorage: { store: ignored, watch: silent, count: () => 0, forgetAll: ignored, ...overrides.draftStorage },
    noteStorage: { store: ignored, watch: silent, count: () => 0, forgetAll: ignored, ...overrides.noteStorage },
    watchBrowser: overrides.watchBrowser ?? silent,
    isOnline: overrides.isOnline ?? (() => true),
    saveReport: overrides.saveReport ?? pending,
  }
}

/** All services, with session services whose calls stay pending, and nothing saved in the browser. */
export function fakeServices(overrides: Overrides<Services> = {}): Services {
  return {
    auth: {
      findProviderSession: pending,
      exchangeProviderSession: pending,
      loadUser: pending,
      refreshTokens: pending,
      endSession: pending,
      ...overrides.auth,
    },
    signIn: {
      askProvider: pending,
      checkMigration: pending,
      signInLegacy: pending,
      signUp: pending,
      signInAsRegistered: pending,
      completeMigration: pending,
      forget: ignored,
      ...overrides.signIn,
    },
    leaveProvider: overrides.leaveProvider ?? ignored,
    watchOutside: overrides.watchOutside ?? silent,
    deviceCache: {
      read: async () => null,
      save: pending,
      clear: async () => {},
      isShared: () => false,
      ...overrides.deviceCache,
    },
    loadAccount: overrides.loadAccount ?? pending,
    loadPasswordReset: overrides.loadPasswordReset ?? pending,
    loadSessionServices: overrides.loadSessionServices ?? (async () => fakeSessionServices()),
  }
}
