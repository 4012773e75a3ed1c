import { fromCallback, fromPromise } from 'xstate'
import type { SessionLogic } from './machines/app.ts'
import { clientDetailsMachine } from './machines/client/client-details.ts'
import { clientPageMachine } from './machines/client/client-page.ts'
import { summariesMachine } from './machines/client/summaries.ts'
import { conversationsMachine } from './machines/list/conversations.ts'
import { labelsMachine } from './machines/list/labels.ts'
import { statsMachine } from './machines/list/stats.ts'
import { teamMachine } from './machines/list/team.ts'
import { pagesMachine } from './machines/pages/pages.ts'
import { draftSyncMachine } from './machines/send/draft-sync.ts'
import { draftsMachine } from './machines/send/drafts.ts'
import { outboxMachine } from './machines/send/outbox.ts'
import { sendFlowMachine } from './machines/send/send-flow.ts'
import { sendRouteMachine } from './machines/send/send-route.ts'
import { deviceCacheMachine } from './machines/session/device-cache.ts'
import { sessionMachine } from './machines/session/session.ts'
import { signOutMachine } from './machines/session/sign-out.ts'
import { alarmsMachine } from './machines/shell/alarms.ts'
import { type DialogName, dialogMachine } from './machines/shell/dialog.ts'
import { laterPartsMachine } from './machines/shell/later-parts.ts'
import { problemReportMachine } from './machines/shell/problem-report.ts'
import { realtimeMachine } from './machines/shell/realtime.ts'
import { autoSyncMachine } from './machines/sync/auto-sync.ts'
import { conversationSyncMachine } from './machines/sync/conversation-sync.ts'
import { recentSyncMachine } from './machines/sync/recent-sync.ts'
import { replyDecisionMachine } from './machines/thread/reply-decision.ts'
import { takePrefetch } from './machines/thread/take-prefetch.ts'
import { threadMachine } from './machines/thread/thread.ts'
import type { Services, SessionServices } from './services-port.ts'

// Exported here so that one request loads the session and its services.
export { createSessionServices } from './session-services.ts'

/** The session with its services, in code that is loaded after sign-in. */
export function composeSession(
  services: SessionServices,
  {
    deviceCache,
    wasLeft,
  }: Pick<Services, 'deviceCache'> & {
    /** True if the person signed out or another person signed in. Their queued messages, drafts and typed notes are deleted then. */
    wasLeft: () => boolean
  },
): SessionLogic {
  const { conversations, stats, messages, clients, pages, sync, autoSync, outboxStorage, draftStorage, noteStorage } =
    services

  /** Nobody waits for what these services answer, so the first rows come first. */
  const afterFirstRows = async <Service>(load: () => Promise<Service>): Promise<Service> => {
    await services.afterFirstRows()
    return load()
  }
  const loadDialog = async (name: DialogName) => (await import('./dialog-registry.ts')).loadDialog(name, services)
  const clientProfile = clientDetailsMachine.provide({
    actors: { loadClient: fromPromise(({ input, signal }) => clients.loadProfile(input, signal)) },
  })
  const clientOrders = clientDetailsMachine.provide({
    actors: { loadClient: fromPromise(({ input, signal }) => clients.loadOrders(input, signal)) },
  })

  return sessionMachine.provide({
    actors: {
      conversations: conversationsMachine.provide({
        actors: {
          loadTop: fromPromise(({ input, signal }) => conversations.loadTop(input, signal)),
          loadPage: fromPromise(({ input, signal }) => conversations.loadPage(input, signal)),
        },
      }),
      stats: statsMachine.provide({
        actors: { loadStats: fromPromise(({ input, signal }) => stats.loadStats(input, signal)) },
      }),
      team: teamMachine.provide({
        actors: {
          loadTeam: fromPromise(async ({ signal }) => (await afterFirstRows(services.loadStates)).loadTeam(signal)),
        },
      }),
      labels: labelsMachine.provide({
        actors: {
          loadLabels: fromPromise(async ({ signal }) =>
            (await afterFirstRows(services.loadLabelService)).loadLabels(signal),
          ),
        },
      }),
      laterParts: laterPartsMachine.provide({
        actors: {
          loadPart: fromPromise(async ({ input }) => {
            // So that this code does not compete with that of the first rows.
            await services.afterFirstRows()
            return (await import('./part-registry.ts')).parts[input.part](services, wasLeft)
          }),
        },
      }),
      pages: pagesMachine.provide({ actors: { loadPages: fromPromise(({ signal }) => pages.loadPages(signal)) } }),
      realtime: realtimeMachine.provide({
        actors: { channel: fromCallback(({ input, sendBack }) => services.openChannel(input, sendBack)) },
      }),
      thread: threadMachine.provide({
        actors: {
          findConversation: fromPromise(({ input, signal }) => messages.findConversation(input, signal)),
          loadMessages: fromPromise(
            async ({ input, signal, system }) =>
              (await takePrefetch(system, input)) ?? messages.loadMessages(input, signal),
          ),
          markRead: fromPromise(({ input }) => messages.markRead(input)),
          clientProfile,
          clientOrders,
          sendRoute: sendRouteMachine.provide({
            actors: {
              findBestPage: fromPromise(({ input, signal }) => messages.findBestPage(input, signal)),
              findIdentity: fromPromise(({ input, signal }) => messages.findIdentity(input, signal)),
            },
          }),
          replyDecision: replyDecisionMachine.provide({
            actors: { decideReply: fromPromise(({ input }) => messages.decideReply(input)) },
          }),
          summaries: summariesMachine.provide({
            actors: {
              fetchOrders: fromPromise(({ input, signal }) => clients.fetchOrders(input, signal)),
              fetchPayments: fromPromise(({ input, signal }) => clients.fetchPayments(input, signal)),
            },
          }),
        },
      }),
      clientPage: clientPageMachine.provide({
        actors: {
          profile: clientProfile,
          orders: clientOrders,
          chats: clientDetailsMachine.provide({
            actors: { loadClient: fromPromise(({ input, signal }) => clients.loadChats(input, signal)) },
          }),
        },
      }),
      autoSync: autoSyncMachine.provide({
        actors: {
          loadStatus: fromPromise(({ signal }) => autoSync.loadStatus(signal)),
          forceSync: fromPromise(() => autoSync.forceSync()),
        },
      }),
      alarms: alarmsMachine.provide({
        actors: {
          loadAlarms: fromPromise(async ({ signal }) =>
            (await afterFirstRows(services.loadAlarmService)).loadAlarms(signal),
          ),
        },
      }),
      recentSync: recentSyncMachine.provide({
        actors: {
          syncRecent: fromPromise(({ input }) => sync.syncRecent(input)),
          syncAllRecent: fromPromise(() => sync.syncAllRecent()),
        },
      }),
      conversationSync: conversationSyncMachine.provide({
        actors: { syncConversation: fromPromise(({ input }) => sync.syncConversation(input)) },
      }),
      deviceCache: deviceCacheMachine.provide({
        actors: {
          saveInbox: fromPromise(async ({ input }) => {
            if (input.inbox !== null) await deviceCache.save(input.inbox)
          }),
          clearDevice: fromPromise(() => deviceCache.clear()),
        },
        guards: { 'is a shared computer': deviceCache.isShared },
      }),
      problemReport: problemReportMachine.provide({ actors: { saveReport: fromPromise(() => services.saveReport()) } }),
      dialog: dialogMachine.provide({
        actors: { loadDialog: fromPromise(({ input }) => loadDialog(input.name)) },
        actions: {
          // Opening the dialog reports a failed load.
          'load ahead': (_, { name }) => void loadDialog(name).catch(() => {}),
        },
      }),
      signOut: signOutMachine.provide({
        actors: {
          countElsewhere: fromPromise(async ({ input }) => {
            const { unsent, typed } = outboxStorage.countElsewhere(input)
            return { unsent, drafts: typed, notes: noteStorage.count(input.staffId) }
          }),
        },
      }),
      outbox: outboxMachine.provide({
        actors: {
          sendFlow: sendFlowMachine.provide({
            actors: {
              findBestPage: fromPromise(({ input, signal }) => messages.findBestPage(input, signal)),
              findIdentity: fromPromise(({ input, signal }) => messages.findIdentity(input, signal)),
              sendMessage: fromPromise(({ input }) => messages.sendMessage(input)),
              findNewest: fromPromise(({ input, signal }) => messages.findNewest(input, signal)),
            },
            guards: { isOnline: services.isOnline },
          }),
          loadOutgoing: fromPromise(({ input }) => outboxStorage.load(input)),
          // After an expired session the messages are kept for the same person's next sign-in.
          forgetOnSignOut: fromCallback(() => () => {
            if (wasLeft()) outboxStorage.forgetAll()
          }),
        },
        actions: {
          store: (_, { staffId, sends }) => {
            for (const send of sends) outboxStorage.store(staffId, send)
          },
          forget: (_, { key }) => outboxStorage.forget(key),
        },
      }),
      drafts: draftsMachine.provide({
        actors: {
          watchDrafts: fromCallback(({ input, sendBack }) => {
            const stop = draftStorage.watch(input.staffId, sendBack)
            return () => {
              stop()
              if (!wasLeft()) return
              draftStorage.forgetAll()
              noteStorage.forgetAll()
            }
          }),
        },
        actions: {
          store: (_, { staffId, drafts }) => {
            for (const draft of drafts) draftStorage.store({ ...draft, staffId })
          },
        },
      }),
      draftSync: draftSyncMachine.provide({
        actors: {
          loadDrafts: fromPromise(async ({ signal }) =>
            (await afterFirstRows(services.loadServerDrafts)).loadDrafts(signal),
          ),
          // Not aborted, so that the last text is saved also when the session ends.
          saveDraft: fromPromise(async ({ input }) => (await services.loadServerDrafts()).saveDraft(input)),
        },
      }),
      findSenders: fromPromise(async ({ input: { ids, asOf }, signal }) => {
        const found = await Promise.all(ids.map((id) => messages.findConversation({ id }, signal)))
        return { rows: found.filter((row) => row !== null), asOf }
      }),
      browser: fromCallback(({ sendBack }) => services.watchBrowser(sendBack)),
    },
  })
}
