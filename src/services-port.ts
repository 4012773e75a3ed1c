import type { AuthChange } from './domain/session/session-calls.ts'
import type { BrowserReport } from './domain/shell/browser-report.ts'
import type { createChats } from './services/client/chats.ts'
import type { createClientWork } from './services/client/client-work.ts'
import type { createClients } from './services/client/clients.ts'
import type { createDataTransfer } from './services/client/data-transfer.ts'
import type { createPersons } from './services/client/persons.ts'
import type { createShops } from './services/client/shops.ts'
import type { createComments } from './services/comments/comments.ts'
import type { createFaq } from './services/faq/faq.ts'
import type { createConversations } from './services/list/conversations.ts'
import type { createLabels } from './services/list/labels.ts'
import type { createSavedFilters } from './services/list/saved-filters.ts'
import type { createStates } from './services/list/states.ts'
import type { createStats } from './services/list/stats.ts'
import type { createBusinessSettings } from './services/pages/business-settings.ts'
import type { createFacebookLogin } from './services/pages/facebook-login.ts'
import type { createPageAdministration } from './services/pages/page-administration.ts'
import type { createPages } from './services/pages/pages.ts'
import type { createReports } from './services/reports/reports.ts'
import type { createDraftStorage } from './services/send/drafts.ts'
import type { createFileService } from './services/send/files.ts'
import type { createMessageTemplates } from './services/send/message-templates.ts'
import type { createOutboxStorage } from './services/send/outbox-storage.ts'
import type { createSavedReplies } from './services/send/saved-replies.ts'
import type { createServerDrafts } from './services/send/server-drafts.ts'
import type { createAccount } from './services/session/account.ts'
import type { createApiKeys } from './services/session/api-keys.ts'
import type { createAudit } from './services/session/audit.ts'
import type { createAuth } from './services/session/auth.ts'
import type { createDeviceCache } from './services/session/device-cache.ts'
import type { createPasswordReset } from './services/session/password-reset.ts'
import type { createSignIn } from './services/session/sign-in.ts'
import type { createStaff } from './services/session/staff.ts'
import type { createWebhooks } from './services/session/webhooks.ts'
import type { createAlarms } from './services/shell/alarms.ts'
import type { createNotifications } from './services/shell/notifications.ts'
import type { createChannels } from './services/shell/realtime.ts'
import type { createSearch } from './services/shell/search.ts'
import type { createAutoSync } from './services/sync/auto-sync.ts'
import type { createHistorySync } from './services/sync/history-sync.ts'
import type { createSync } from './services/sync/sync.ts'
import type { createColleagues } from './services/thread/colleagues.ts'
import type { createMessages } from './services/thread/messages.ts'
import type { createReactions } from './services/thread/reactions.ts'

/**
 * The port of the client: every outside service that the machines use. `composeApp` connects the services to the
 * machines. The browser and every test pass in their own services.
 */
export type Services = {
  auth: ReturnType<typeof createAuth>
  signIn: ReturnType<typeof createSignIn>
  /** Deletes this tab's copy of a provider session that another tab ended. */
  leaveProvider: () => void
  /** Reports auth changes from outside this tab. Returns a function that stops the reports. */
  watchOutside: (report: (news: AuthChange) => void) => () => void
  deviceCache: ReturnType<typeof createDeviceCache>
  loadPasswordReset: () => Promise<ReturnType<typeof createPasswordReset>>
  /** The calls about the account, for a sign-in that needs another step. */
  loadAccount: () => Promise<ReturnType<typeof createAccount>>
  /** Loads the code of the session's services and creates them. Rejects if the code cannot be loaded. */
  loadSessionServices: () => Promise<SessionServices>
}

/** The services that only a signed-in person needs. */
export type SessionServices = ServicesOnDemand & {
  conversations: ReturnType<typeof createConversations>
  stats: ReturnType<typeof createStats>
  messages: ReturnType<typeof createMessages>
  clients: ReturnType<typeof createClients>
  pages: ReturnType<typeof createPages>
  sync: ReturnType<typeof createSync>
  autoSync: ReturnType<typeof createAutoSync>
  /** Resolves when the first rows are rendered. Code that they do not need waits for this. */
  afterFirstRows: () => Promise<void>
  openChannel: ReturnType<typeof createChannels>
  outboxStorage: ReturnType<typeof createOutboxStorage>
  draftStorage: ReturnType<typeof createDraftStorage>
  /** The notes that are typed and not saved. */
  noteStorage: ReturnType<typeof createDraftStorage>
  /** Reports visibility, connection and sleep of this tab. Returns a function that stops the reports. */
  watchBrowser: (report: (event: BrowserReport) => void) => () => void
  isOnline: () => boolean
  /** Saves a problem report as a file. */
  saveReport: () => Promise<void>
}

/** The services that are loaded after the first rows, each with the first call or dialog that needs it. */
export type ServicesOnDemand = {
  /** The services of these dialogs are loaded when the dialog opens. */
  loadPageAdministration: () => Promise<ReturnType<typeof createPageAdministration>>
  loadFacebookLogin: () => Promise<ReturnType<typeof createFacebookLogin>>
  loadHistorySync: () => Promise<ReturnType<typeof createHistorySync>>
  loadFaq: () => Promise<ReturnType<typeof createFaq>>
  loadAccount: () => Promise<ReturnType<typeof createAccount>>
  loadDataTransfer: () => Promise<ReturnType<typeof createDataTransfer>>
  loadClientWork: () => Promise<ReturnType<typeof createClientWork>>
  loadChatService: () => Promise<ReturnType<typeof createChats>>
  loadCommentService: () => Promise<ReturnType<typeof createComments>>
  loadSearch: () => Promise<ReturnType<typeof createSearch>>
  loadPersons: () => Promise<ReturnType<typeof createPersons>>
  loadStaffManagement: () => Promise<ReturnType<typeof createStaff>>
  loadApiKeyService: () => Promise<ReturnType<typeof createApiKeys>>
  loadWebhookService: () => Promise<ReturnType<typeof createWebhooks>>
  loadShopService: () => Promise<ReturnType<typeof createShops>>
  loadAuditLog: () => Promise<ReturnType<typeof createAudit>>
  loadBusinessSettings: () => Promise<ReturnType<typeof createBusinessSettings>>
  loadReports: () => Promise<ReturnType<typeof createReports>>
  /** Loaded for administrators only. */
  loadAlarmService: () => Promise<ReturnType<typeof createAlarms>>
  /** Loaded if the API offers the states of conversations. */
  loadStates: () => Promise<ReturnType<typeof createStates>>
  /** Loaded if the API offers labels. */
  loadLabelService: () => Promise<ReturnType<typeof createLabels>>
  /** Loaded if the API keeps drafts. */
  loadServerDrafts: () => Promise<ReturnType<typeof createServerDrafts>>
  /** Loaded if the API offers saved replies. */
  loadSavedReplies: () => Promise<ReturnType<typeof createSavedReplies>>
  /** Loaded with the first reaction of this person. */
  loadReactions: () => Promise<ReturnType<typeof createReactions>>
  /** Loaded if the API offers to send files. */
  loadTemplateService: () => Promise<ReturnType<typeof createMessageTemplates>>
  loadFileService: () => Promise<ReturnType<typeof createFileService>>
  /** Loaded if the API offers saved filters. */
  loadSavedFilterService: () => Promise<ReturnType<typeof createSavedFilters>>
  /** Loaded if the API offers authors, presence, notes, labels or saved filters. */
  loadColleagues: () => Promise<ReturnType<typeof createColleagues>>
  /** Loaded if the API keeps notification settings. */
  loadNotifications: () => Promise<ReturnType<typeof createNotifications>>
}
