import { act, render } from '@testing-library/react'
import { vi } from 'vitest'
import { createActor, type InspectionEvent, SimulatedClock, waitFor } from 'xstate'
import { composeApp } from '../../src/compose-app.ts'
import { dialogs } from '../../src/dialog-registry.ts'
import type { CommentAnswer } from '../../src/domain/comments/answers.ts'
import type { ListAnswer } from '../../src/domain/list/list-calls.ts'
import type { LoginReturned } from '../../src/domain/pages/facebook-login.ts'
import type { AttachedFile } from '../../src/domain/send/attached-files.ts'
import type { Draft, ReceivedDraft } from '../../src/domain/send/draft.ts'
import type { Outgoing } from '../../src/domain/send/outgoing.ts'
import type { VoiceReport } from '../../src/domain/send/voice-note.ts'
import type { ChannelReport, MessageChange, StateReport, UserChange } from '../../src/domain/shell/changes.ts'
import type { NotificationReport } from '../../src/domain/shell/notification-calls.ts'
import { defaultWidths } from '../../src/domain/shell/pane-widths.ts'
import type { PushReport } from '../../src/domain/shell/push-calls.ts'
import type { ColleagueReport } from '../../src/domain/thread/colleague-calls.ts'
import { selectSession } from '../../src/machines/app.ts'
import { sharedComputerLogic } from '../../src/machines/session/shared-computer.ts'
import type { SessionEvent } from '../../src/machines/session-events.ts'
import { appearanceLogic } from '../../src/machines/shell/appearance.ts'
import { paneWidthsLogic } from '../../src/machines/shell/pane-widths.ts'
import { reducedMotionLogic } from '../../src/machines/shell/reduced-motion.ts'
import type { AuthUser } from '../../src/schemas/auth.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import type { SavedInbox } from '../../src/schemas/saved-inbox.ts'
import type { Stats } from '../../src/schemas/stats.ts'
import type { Services, SessionServices } from '../../src/services-port.ts'
import { ActorsProvider, SessionProvider, useApp } from '../../src/views/actors.tsx'
// Loaded here because the screen loads it on demand, which takes real time.
import '../../src/views/client/DetailsPane.tsx'
import { InboxScreen } from '../../src/views/shell/InboxScreen.tsx'
import { Toasts } from '../../src/views/shell/Toasts.tsx'
import { preloadThread } from '../../src/views/thread/ThreadPane.tsx'
import { useSelector } from '../../src/views/use-selector.ts'
import { fakeServices, fakeSessionServices } from '../fake-services.ts'
import type { Drive } from '../model/harness.ts'

// The screen loads this code after the first rows, which takes real time.
await preloadThread()

/** Every service call that the test responds to, by name. */
type Calls = SessionServices['conversations'] &
  SessionServices['stats'] &
  SessionServices['messages'] &
  SessionServices['clients'] &
  SessionServices['pages'] &
  SessionServices['sync'] &
  SessionServices['autoSync'] &
  Awaited<ReturnType<SessionServices['loadPageAdministration']>> &
  Awaited<ReturnType<SessionServices['loadHistorySync']>> &
  Omit<Awaited<ReturnType<SessionServices['loadFacebookLogin']>>, 'watchReturn'> &
  Awaited<ReturnType<SessionServices['loadFaq']>> &
  Awaited<ReturnType<SessionServices['loadSavedReplies']>> &
  Awaited<ReturnType<SessionServices['loadTemplateService']>> &
  Awaited<ReturnType<SessionServices['loadAccount']>> &
  Awaited<ReturnType<SessionServices['loadStaffManagement']>> &
  Awaited<ReturnType<SessionServices['loadApiKeyService']>> &
  Awaited<ReturnType<SessionServices['loadWebhookService']>> &
  Awaited<ReturnType<SessionServices['loadShopService']>> &
  Awaited<ReturnType<SessionServices['loadDataTransfer']>> &
  Awaited<ReturnType<SessionServices['loadAuditLog']>> &
  Awaited<ReturnType<SessionServices['loadBusinessSettings']>> &
  Awaited<ReturnType<SessionServices['loadReports']>> &
  Awaited<ReturnType<SessionServices['loadClientWork']>> &
  Awaited<ReturnType<SessionServices['loadChatService']>> &
  Awaited<ReturnType<SessionServices['loadCommentService']>> &
  Awaited<ReturnType<SessionServices['loadSearch']>> &
  Awaited<ReturnType<SessionServices['loadReactions']>> &
  Awaited<ReturnType<SessionServices['loadPersons']>> &
  Awaited<ReturnType<SessionServices['loadAlarmService']>> &
  Awaited<ReturnType<SessionServices['loadStates']>> &
  Omit<Awaited<ReturnType<SessionServices['loadColleagues']>>, 'watch'> &
  Awaited<ReturnType<SessionServices['loadLabelService']>> &
  Awaited<ReturnType<SessionServices['loadSavedFilterService']>> &
  Awaited<ReturnType<SessionServices['loadServerDrafts']>> &
  Pick<
    Awaited<ReturnType<SessionServices['loadNotifications']>>,
    'loadSettings' | 'saveSettings' | 'requestPermission'
  > &
  Pick<
    Awaited<ReturnType<SessionServices['loadNotifications']>>['push'],
    'readDevice' | 'subscribe' | 'renewSubscription' | 'unsubscribe' | 'tellVisible'
  > &
  Pick<SessionServices, 'saveReport'> & {
    loadOutgoing: SessionServices['outboxStorage']['load']
    loadFiles: FileService['load']
    prepareFile: FileService['prepare']
    uploadFile: (file: AttachedFile) => ReturnType<FileService['upload']>
    copyPicture: FileService['copy']
    saveInbox: Services['deviceCache']['save']
    clearDevice: Services['deviceCache']['clear']
    confirmUser: Services['auth']['exchangeProviderSession']
  }
type FileService = Awaited<ReturnType<SessionServices['loadFileService']>>
export type ServiceName = keyof Calls
type Answer<Name extends ServiceName> = Awaited<ReturnType<Calls[Name]>>

type Call = { service: ServiceName; input: unknown; resolve: (answer: never) => void; reject: (error: unknown) => void }

export const user: AuthUser = {
  id: 's1',
  email: 'maria@example.com',
  name: 'Maria Santos',
  role: 'agent',
  permissions: ['staff.manage', 'audit.read'],
}

/** A user of an API with views and states of conversations. */
export const userWithStates: AuthUser = {
  ...user,
  permissions: [...user.permissions, 'conversations.manage'],
  features: ['conversation-states'],
}

export const statsOf = (conversations: number, unread: number): Stats => ({
  messages: { total: 0, incoming: 0, outgoing: 0, unread },
  conversations: { total: conversations, active24h: 0, active7d: 0 },
  users: { total: 0, linked: 0, active24h: 0 },
  total_conversations: conversations,
  unread_messages: unread,
})

export const listOf = (rows: readonly Conversation[], more: Partial<ListAnswer> = {}): ListAnswer => ({
  rows,
  hasNext: false,
  total: rows.length,
  ...more,
})

/** Renders the inbox on real machines. Only the test provides responses, and time advances only by `pass`. */
export async function showInbox({
  left = [] as readonly Outgoing[],
  /** The answers to comments that an earlier tab stored. */
  leftAnswers = [] as readonly CommentAnswer[],
  drafts = new Map<string, Draft>() as ReadonlyMap<string, Draft>,
  inspect = (_event: InspectionEvent) => {},
  /** The test decides when the data of an earlier tab is read. */
  holdsOutbox = false,
  withToasts = false,
  /** The number of sends that other tabs hold. */
  countElsewhere = (): { unsent: number; typed: number } => ({ unsent: 0, typed: 0 }),
  /** The number of typed notes that the browser keeps. */
  notes = 0,
  isOnline = (): boolean => true,
  /** The user who signs in. */
  person = user,
  /** The inbox that an earlier page load saved. Auth then waits until the test resolves `confirmUser`. */
  saved = null as SavedInbox | null,
  isShared = (): boolean => false,
  /** Whether the code for the work with colleagues can be loaded. */
  hasColleagues = (): boolean => true,
} = {}) {
  // Loads the on-demand code first: the tests check the content, not the loading time.
  await Promise.all([
    ...Object.values(import.meta.glob('../../src/compose-*.ts')).map((load) => load()),
    import('../../src/views/client/ClientDetails.tsx'),
    import('../../src/views/client/DetailsPane.tsx'),
    import('../../src/views/client/LanguageLine.tsx'),
    import('../../src/views/client/ContactLines.tsx'),
    import('../../src/views/client/PersonActions.tsx'),
    import('../../src/views/shell/AlarmBell.tsx'),
    import('../../src/views/list/EmptyList.tsx'),
    import('../../src/views/list/ViewRail.tsx'),
    import('../../src/views/shell/ConversationKeys.tsx'),
    import('../../src/views/shell/PaneDivider.tsx'),
    import('../../src/views/list/RowActions.tsx'),
    import('../../src/views/list/RowDecision.tsx'),
    import('../../src/views/list/FoldButton.tsx'),
    import('../../src/views/list/NewRows.tsx'),
    import('../../src/views/thread/DoneLine.tsx'),
    import('../../src/views/thread/UnconfirmedReply.tsx'),
    import('../../src/views/list/MarkedActions.tsx'),
    import('../../src/views/thread/StateActions.tsx'),
    import('../../src/views/thread/StateMenuItems.tsx'),
    import('../../src/views/shell/AccountActions.tsx'),
    import('../../src/views/send/UnsentButton.tsx'),
    import('../../src/views/send/WaitingBanner.tsx'),
    import('../../src/views/send/ReplyNotices.tsx'),
    import('../../src/views/send/ReplyHelp.tsx'),
    import('../../src/views/send/MissingValues.tsx'),
    import('../../src/views/thread/Colleagues.tsx'),
    import('../../src/part-registry.ts'),
    import('../../src/views/thread/MessagesAround.tsx'),
    import('../../src/views/send/OtherDraft.tsx'),
  ])
  if (withToasts) await import('../../src/views/shell/Toaster.tsx')
  const clock = new SimulatedClock()
  const began = Date.now()
  const calls: Call[] = []
  const keptDrafts = new Map(drafts)
  const keptAnswers = new Map(leftAnswers.map((answer) => [answer.key, answer]))
  const keptFiles: string[] = []
  const keptFileIds: string[] = []
  const discardedFiles: string[] = []
  let reportSent = (_: number) => {}
  let reportVoice = (_: VoiceReport) => {}
  const voiceCalls: ('stop' | 'cancel')[] = []
  let goneElsewhere = (_: readonly string[]) => {}
  const colleagueReports = new Set<(report: ColleagueReport) => void>()
  const notificationReports = new Set<(report: NotificationReport) => void>()
  const loginReports = new Set<(report: LoginReturned) => void>()
  const pushReports = new Set<(report: PushReport) => void>()
  const raised: string[] = []
  const channels = new Set<(report: ChannelReport) => void>()
  const draftListeners = new Set<(event: ReceivedDraft) => void>()

  /** A pending call waits for the response from the test and is removed when it is aborted. */
  const ask = <Name extends ServiceName>(service: Name, input: unknown, signal?: AbortSignal) =>
    new Promise<Answer<Name>>((resolve, reject) => {
      const call: Call = { service, input, resolve, reject }
      calls.push(call)
      signal?.addEventListener('abort', () => {
        const index = calls.indexOf(call)
        if (index >= 0) calls.splice(index, 1)
      })
    })
  const service =
    <Name extends ServiceName>(name: Name) =>
    (input: unknown, signal?: AbortSignal) =>
      ask(name, input, signal)
  /** A call without an input. */
  const plainService =
    <Name extends ServiceName>(name: Name) =>
    (signal?: AbortSignal) =>
      ask(name, undefined, signal)

  const holdsCache = saved !== null || person.deviceCache !== undefined
  const session = fakeSessionServices({
    conversations: { loadTop: service('loadTop'), loadPage: service('loadPage') },
    stats: { loadStats: service('loadStats') },
    messages: {
      findConversation: service('findConversation'),
      isGone: service('isGone'),
      loadMessages: service('loadMessages'),
      findNewest: service('findNewest'),
      markRead: service('markRead'),
      findBestPage: service('findBestPage'),
      findIdentity: service('findIdentity'),
      decideReply: service('decideReply'),
      sendMessage: service('sendMessage'),
    },
    clients: {
      loadProfile: service('loadProfile'),
      loadOrders: service('loadOrders'),
      loadChats: service('loadChats'),
      renewPicture: service('renewPicture'),
      fetchOrders: service('fetchOrders'),
      fetchPayments: service('fetchPayments'),
    },
    pages: { loadPages: plainService('loadPages') },
    sync: {
      syncRecent: service('syncRecent'),
      syncAllRecent: plainService('syncAllRecent'),
      syncConversation: service('syncConversation'),
    },
    autoSync: {
      loadStatus: plainService('loadStatus'),
      saveConfig: service('saveConfig'),
      toggle: service('toggle'),
      forceSync: plainService('forceSync'),
    },
    loadPageAdministration: async () => ({
      verifyToken: service('verifyToken'),
      savePage: service('savePage'),
      loadDeletion: service('loadDeletion'),
      deletePage: service('deletePage'),
      refreshPictures: service('refreshPictures'),
    }),
    loadFacebookLogin: async () => ({
      beginLogin: plainService('beginLogin'),
      completeLogin: service('completeLogin'),
      connectPage: service('connectPage'),
      watchReturn: (_login, report) => {
        loginReports.add(report)
        return () => loginReports.delete(report)
      },
    }),
    loadHistorySync: async () => ({
      loadSyncStatus: service('loadSyncStatus'),
      startHistorySync: service('startHistorySync'),
      loadHistorySync: service('loadHistorySync'),
      cancelHistorySync: service('cancelHistorySync'),
    }),
    loadClientWork: async () => ({
      searchClients: service('searchClients'),
      createClient: service('createClient'),
      linkClient: service('linkClient'),
      saveLanguage: service('saveLanguage'),
      loadProducts: plainService('loadProducts'),
      saveProduct: service('saveProduct'),
      deleteProduct: service('deleteProduct'),
      makeOrder: service('makeOrder'),
      loadOrder: service('loadOrder'),
      changeOrder: service('changeOrder'),
      recordPayment: service('recordPayment'),
      loadClientToEdit: service('loadClientToEdit'),
      editClient: service('editClient'),
      loadClientSummary: service('loadClientSummary'),
      removeClient: service('removeClient'),
      mergeClients: service('mergeClients'),
      loadRemovals: plainService('loadRemovals'),
      undoRemoval: service('undoRemoval'),
      loadSuggestions: service('loadSuggestions'),
      dismissSuggestion: service('dismissSuggestion'),
    }),
    loadChatService: async () => ({
      loadConversationChats: service('loadConversationChats'),
      changeChats: service('changeChats'),
    }),
    loadCommentService: async () => ({
      loadThreads: service('loadThreads'),
      loadThread: service('loadThread'),
      finishThread: service('finishThread'),
      findAnswer: service('findAnswer'),
      sendReply: service('sendReply'),
      decideSend: service('decideSend'),
      changeComment: service('changeComment'),
      loadSale: plainService('loadSale'),
      saveSale: service('saveSale'),
    }),
    loadReactions: async () => ({ react: service('react') }),
    loadSearch: async () => ({ search: service('search'), loadAround: service('loadAround') }),
    loadPersons: async () => ({
      exportPerson: service('exportPerson'),
      loadErasable: service('loadErasable'),
      erasePerson: service('erasePerson'),
      loadErasure: service('loadErasure'),
    }),
    loadFaq: async () => ({
      loadCategories: plainService('loadCategories'),
      loadEntries: plainService('loadEntries'),
      saveFaq: service('saveFaq'),
      deleteFaq: service('deleteFaq'),
      testMatch: service('testMatch'),
      loadMatching: plainService('loadMatching'),
      saveMatching: service('saveMatching'),
      loadWrongAnswers: plainService('loadWrongAnswers'),
      resolveWrongAnswer: service('resolveWrongAnswer'),
      dryRun: service('dryRun'),
      markAnswer: service('markAnswer'),
    }),
    loadTemplateService: async () => ({ loadTemplates: service('loadTemplates') }),
    loadFileService: async () => ({
      load: service('loadFiles'),
      prepare: service('prepareFile'),
      copy: service('copyPicture'),
      upload: (file, onProgress, signal) => {
        reportSent = onProgress
        return service('uploadFile')(file, signal)
      },
      save: async (_, files) => {
        keptFiles.splice(0, keptFiles.length, ...files.map(({ name }) => name))
        keptFileIds.splice(0, keptFileIds.length, ...files.map(({ id }) => id))
      },
      discard: async (id) => {
        discardedFiles.push(id)
      },
      recordVoice: (report) => {
        reportVoice = report
        return { stop: () => void voiceCalls.push('stop'), cancel: () => void voiceCalls.push('cancel') }
      },
      forgetAll: async () => {},
      watchOtherTabs: (report) => {
        goneElsewhere = report
        return () => {}
      },
      watchOnline: (report) => {
        window.addEventListener('online', report)
        return () => window.removeEventListener('online', report)
      },
    }),
    loadSavedReplies: async () => ({
      loadReplies: plainService('loadReplies'),
      saveReply: service('saveReply'),
      deleteReply: service('deleteReply'),
      countUse: service('countUse'),
    }),
    loadAccount: async () => ({
      changePassword: service('changePassword'),
      loadSecondFactor: plainService('loadSecondFactor'),
      beginEnrolment: service('beginEnrolment'),
      confirmEnrolment: service('confirmEnrolment'),
      enterCode: service('enterCode'),
      disableSecondFactor: service('disableSecondFactor'),
      replaceRecoveryCodes: service('replaceRecoveryCodes'),
      copyText: service('copyText'),
    }),
    loadStaffManagement: async () => ({
      loadStaff: plainService('loadStaff'),
      saveStaff: service('saveStaff'),
      resetPassword: service('resetPassword'),
      removeSecondFactor: service('removeSecondFactor'),
    }),
    loadWebhookService: async () => ({
      loadWebhooks: plainService('loadWebhooks'),
      saveWebhook: service('saveWebhook'),
      deleteWebhook: service('deleteWebhook'),
      replaceWebhookSecret: service('replaceWebhookSecret'),
      testWebhook: service('testWebhook'),
      loadDeliveries: service('loadDeliveries'),
      resendDelivery: service('resendDelivery'),
    }),
    loadApiKeyService: async () => ({
      loadApiKeys: plainService('loadApiKeys'),
      createApiKey: service('createApiKey'),
      revokeApiKey: service('revokeApiKey'),
    }),
    loadShopService: async () => ({
      loadShops: plainService('loadShops'),
      connectShop: service('connectShop'),
      changeRun: service('changeRun'),
      disconnectShop: service('disconnectShop'),
    }),
    loadDataTransfer: async () => ({
      loadImports: plainService('loadImports'),
      loadImport: service('loadImport'),
      upload: service('upload'),
      checkImport: service('checkImport'),
      runImport: service('runImport'),
      cancelImport: service('cancelImport'),
      loadRows: service('loadRows'),
      saveRefused: service('saveRefused'),
      exportData: service('exportData'),
    }),
    loadAuditLog: async () => ({ loadAudit: service('loadAudit'), exportAudit: service('exportAudit') }),
    loadBusinessSettings: async () => ({
      loadHours: plainService('loadHours'),
      saveHours: service('saveHours'),
      loadRules: plainService('loadRules'),
      saveRules: service('saveRules'),
    }),
    loadReports: async () => ({ loadReport: service('loadReport'), exportReport: service('exportReport') }),
    loadStates: async () => ({ changeStates: service('changeStates'), loadTeam: plainService('loadTeam') }),
    loadColleagues: async () => {
      if (!hasColleagues()) throw new Error('the code cannot be loaded')
      return {
        renewPresence: service('renewPresence'),
        endPresence: service('endPresence'),
        loadNotes: service('loadNotes'),
        saveNote: service('saveNote'),
        deleteNote: service('deleteNote'),
        loadCommentCount: plainService('loadCommentCount'),
        takeCommentsInAddress: () => null,
        watch: (_tables, sendBack) => {
          colleagueReports.add(sendBack)
          return () => colleagueReports.delete(sendBack)
        },
      }
    },
    loadLabelService: async () => ({
      loadLabels: plainService('loadLabels'),
      saveLabel: service('saveLabel'),
      deleteLabel: service('deleteLabel'),
      loadLabelUsage: service('loadLabelUsage'),
      changeClientLabels: service('changeClientLabels'),
    }),
    loadSavedFilterService: async () => ({
      loadFilters: plainService('loadFilters'),
      saveFilter: service('saveFilter'),
      deleteFilter: service('deleteFilter'),
    }),
    loadServerDrafts: async () => ({ loadDrafts: plainService('loadDrafts'), saveDraft: service('saveDraft') }),
    loadNotifications: async () => ({
      loadSettings: plainService('loadSettings'),
      saveSettings: service('saveSettings'),
      requestPermission: plainService('requestPermission'),
      timeZone: () => 'UTC',
      play: () => void raised.push('sound'),
      show: (notices) => void raised.push(...notices.map(({ title }) => title)),
      close: () => {},
      push: {
        readDevice: service('readDevice'),
        subscribe: service('subscribe'),
        renewSubscription: service('renewSubscription'),
        unsubscribe: service('unsubscribe'),
        tellVisible: plainService('tellVisible'),
        tellHidden: () => void raised.push('hidden'),
        close: async () => {},
        watch: (sendBack) => {
          pushReports.add(sendBack)
          return () => pushReports.delete(sendBack)
        },
        forget: async () => void raised.push('forgotten'),
      },
      watch: (_, sendBack) => {
        notificationReports.add(sendBack)
        return () => notificationReports.delete(sendBack)
      },
    }),
    loadAlarmService: async () => ({ loadAlarms: plainService('loadAlarms') }),
    openChannel: ({ channel }, sendBack) => {
      const report = (event: ChannelReport) => {
        if (!('channel' in event) || event.channel === channel) sendBack(event)
      }
      channels.add(report)
      return () => channels.delete(report)
    },
    outboxStorage: {
      load: holdsOutbox ? service('loadOutgoing') : async () => left,
      answers: {
        load: async () => leftAnswers,
        store: (_, answer) => void keptAnswers.set(answer.key, answer),
        forget: (key) => void keptAnswers.delete(key),
      },
      countElsewhere,
    },
    draftStorage: {
      store: ({ conversationId, draft }) => void keptDrafts.set(conversationId, draft),
      watch: (_, tell) => {
        for (const [conversationId, draft] of drafts) tell({ type: 'draft.received', conversationId, draft })
        draftListeners.add(tell)
        return () => draftListeners.delete(tell)
      },
    },
    noteStorage: { count: () => notes },
    isOnline,
    saveReport: plainService('saveReport'),
  })
  await Promise.all(Object.values(dialogs).map(({ loadMachine }) => loadMachine(session)))
  const app = createActor(
    composeApp(
      fakeServices({
        auth: {
          findProviderSession: async () => true,
          exchangeProviderSession:
            saved === null ? async () => ({ user: person, session: 1 }) : plainService('confirmUser'),
        },
        deviceCache: {
          read: async () => saved,
          save: service('saveInbox'),
          clear: holdsCache ? plainService('clearDevice') : async () => {},
          isShared,
        },
        loadSessionServices: async () => session,
      }),
    ),
    { input: { now: () => began + clock.now() }, clock, systemId: 'app', inspect },
  ).start()
  const appearance = createActor(appearanceLogic, { input: 'system' }).start()
  const reducedMotion = createActor(reducedMotionLogic, { input: false }).start()
  const paneWidths = createActor(paneWidthsLogic, { input: defaultWidths }).start()
  const sharedComputer = createActor(sharedComputerLogic, { input: false }).start()
  await waitFor(app, (snapshot) => snapshot.context.session !== null)

  const opened: (string | null)[] = []
  const actors = {
    app,
    auth: app.system.get('auth'),
    notifier: app.system.get('notifier'),
    appearance,
    reducedMotion,
    paneWidths,
    sharedComputer,
  }
  const view = render(
    <ActorsProvider actors={actors}>
      <Screen onNavigate={(id) => opened.push(id)} />
      {withToasts && <Toasts onOpen={({ pathname }) => opened.push(pathname)} />}
    </ActorsProvider>,
  )
  await act(async () => {})

  const settle = async (name: ServiceName, how: (call: Call) => void) => {
    const index = calls.findIndex((call) => call.service === name)
    const [call] = index < 0 ? [] : calls.splice(index, 1)
    if (call === undefined) throw new Error(`${name} was not asked; waiting are: ${calls.map((each) => each.service)}`)
    await act(async () => how(call))
  }

  const inbox = {
    app,
    appearance,
    reducedMotion,
    paneWidths,
    unmount: view.unmount,
    /** Sends the session an event from the browser or from a child actor. */
    tell: (event: SessionEvent) => act(async () => selectSession(app.getSnapshot())?.send(event)),
    /** What is stored for the next page load. */
    keptDrafts,
    /** The names of the attached files that are stored for the next page load. */
    keptAnswers,
    keptFiles,
    /** The ids of the same. */
    keptFileIds,
    /** The ids of the files that are deleted on the server. */
    discardedFiles,
    /** The upload that runs reports how many bytes have left. */
    reportSent: (bytes: number) => act(async () => reportSent(bytes)),
    /** The recorder of voice notes reports. */
    reportVoice: (told: VoiceReport) => act(async () => reportVoice(told)),
    voiceCalls,
    /** Another tab sent or removed the files with these ids. */
    goneElsewhere: (ids: readonly string[]) => act(async () => goneElsewhere(ids)),
    /** The ids that the URL was changed to; null is the bare inbox. */
    opened,
    /** The calls that have no response yet. */
    waiting: (name?: ServiceName) =>
      calls.filter((call) => name === undefined || call.service === name).map((call) => call.input),
    answer: <Name extends ServiceName>(name: Name, answer: Answer<Name>) =>
      settle(name, (call) => call.resolve(answer as never)),
    fail: (name: ServiceName, error: unknown) => settle(name, (call) => call.reject(error)),
    /** A call that the test answers, for `driverOf`. */
    control: (name: ServiceName) => ({
      resolve: (output: never) => inbox.answer(name, output),
      reject: (error: unknown) => inbox.fail(name, error),
    }),
    /** What ends the actors that have the names of their services, for `follow`. */
    ends: (...names: ServiceName[]): Record<string, Drive> =>
      Object.fromEntries(
        names.flatMap((name): [string, Drive][] => [
          [`xstate.done.actor.${name}`, ({ output }) => inbox.answer(name, output as never)],
          [`xstate.error.actor.${name}`, ({ error }) => inbox.fail(name, error)],
        ]),
      ),
    /** Opens a dialog, with its code. */
    openDialog: async (dialog: object) => {
      await act(async () => app.system.get('dialog').send({ type: 'dialog.requested', dialog }))
      await act(() => vi.dynamicImportSettled())
    },
    hear: (...reports: ChannelReport[]) =>
      act(async () => {
        for (const report of reports) for (const channel of [...channels]) channel(report)
      }),
    /** The sounds and the titles of the desktop notifications that were raised, in order. */
    raised,
    /** The network returned the person to the inbox. */
    hearLogin: (report: LoginReturned) =>
      act(async () => {
        for (const tell of [...loginReports]) tell(report)
      }),
    /** A report of the browser about notifications. */
    hearNotifications: (report: NotificationReport) =>
      act(async () => {
        for (const tell of [...notificationReports]) tell(report)
      }),
    /** A report of the service worker. */
    hearPush: (report: PushReport) =>
      act(async () => {
        for (const tell of [...pushReports]) tell(report)
      }),
    /** A report of the channel of presence and notes. */
    hearColleagues: (report: ColleagueReport) =>
      act(async () => {
        for (const tell of [...colleagueReports]) tell(report)
      }),
    openChannels: () => channels.size,
    /** Both channels are subscribed, and everything has caught up except for the calls that the test resolves. */
    connect: () =>
      inbox.hear(
        { type: 'channel.subscribed', channel: 'messages' },
        { type: 'channel.subscribed', channel: 'users' },
        { type: 'channel.ready', channel: 'messages' },
        { type: 'channel.ready', channel: 'users' },
      ),
    /** Delivers changes over one channel, as in production. */
    change: (changes: readonly MessageChange[]) =>
      act(async () => {
        const [first] = channels
        first?.({ type: 'messages.received', changes })
      }),
    changeUsers: (changes: readonly UserChange[]) =>
      act(async () => {
        const [first] = channels
        first?.({ type: 'users.received', changes })
      }),
    changeStates: (changes: readonly StateReport[]) =>
      act(async () => {
        const [first] = channels
        first?.({ type: 'states.received', changes })
      }),
    /** The send that another tab of the same user stores; null if that tab has sent it. */
    hearDraft: (conversationId: string, draft: Draft | null) =>
      act(async () => {
        if (draft === null) keptDrafts.delete(conversationId)
        else keptDrafts.set(conversationId, draft)
        for (const tell of draftListeners) tell({ type: 'draft.received', conversationId, draft })
      }),
    /** Opens a conversation as a link does. */
    open: (id: string) =>
      act(async () => selectSession(app.getSnapshot())?.send({ type: 'conversation.selected', id })),
    /** Returns to the bare inbox. */
    leave: () => act(async () => selectSession(app.getSnapshot())?.send({ type: 'conversation.deselected' })),
    /** Resolves the pending send route look-ups of the composer and of sends. */
    settleLookups: async ({ pageId, psid }: { pageId: string; psid: string }) => {
      while (inbox.waiting('findBestPage').length > 0) await inbox.answer('findBestPage', { pageId, reason: null })
      while (inbox.waiting('findIdentity').length > 0) await inbox.answer('findIdentity', { psid, platform: null })
    },
    pass: (milliseconds: number) => act(async () => clock.increment(milliseconds)),
  }
  return inbox
}

/** Does what the routes do, without a router. */
function Screen({ onNavigate }: { onNavigate: (id: string | null) => void }) {
  const session = useSelector(useApp(), selectSession)
  if (!session) return null
  return (
    <SessionProvider session={session}>
      <InboxScreen
        onOpen={(id) => {
          onNavigate(id)
          session.send({ type: 'conversation.selected', id })
        }}
        onLeave={() => {
          onNavigate(null)
          session.send({ type: 'conversation.deselected' })
        }}
      />
    </SessionProvider>
  )
}

export type ShownInbox = Awaited<ReturnType<typeof showInbox>>
