import { createActor, SimulatedClock, type SnapshotFrom } from 'xstate'
import { Failure, type FailureFacts } from '../../src/domain/failure.ts'
import type { TokenOwner } from '../../src/domain/pages/page-token.ts'
import type { PictureScope } from '../../src/domain/pages/pages-calls.ts'
import type { SyncedConversation } from '../../src/domain/sync/sync-calls.ts'
import { pageFormMachine } from '../../src/machines/pages/page-form.ts'
import { pageManagerMachine } from '../../src/machines/pages/page-manager.ts'
import { autoSyncMachine } from '../../src/machines/sync/auto-sync.ts'
import { autoSyncControlMachine } from '../../src/machines/sync/auto-sync-control.ts'
import { conversationSyncMachine } from '../../src/machines/sync/conversation-sync.ts'
import { historySyncMachine } from '../../src/machines/sync/history-sync.ts'
import { recentSyncMachine } from '../../src/machines/sync/recent-sync.ts'
import type { AutoSyncConfig, AutoSyncRun, AutoSyncStatus } from '../../src/schemas/auto-sync.ts'
import type { Platform } from '../../src/schemas/conversation.ts'
import type { Page, PageDeletion, PageFailure } from '../../src/schemas/page.ts'
import type { HistorySync, SyncStatus } from '../../src/schemas/sync.ts'
import { type Cases, createControl, createToastLog, type Inspect, modelOf } from './harness.ts'

export const pageOf = (id: string, rest: Partial<Page> = {}): Page => ({
  page_id: id,
  page_name: `Page ${id}`,
  is_active: true,
  keeps_token: true,
  created_at: '2026-01-05T12:00:00Z',
  updated_at: '2026-01-05T12:00:00Z',
  ...rest,
})

export const ownerOf = (id: string, rest: Partial<TokenOwner> = {}): TokenOwner => ({
  id,
  name: `Page ${id}`,
  is_connected: false,
  ...rest,
})

export const deletionOf = (rest: Partial<PageDeletion> = {}): PageDeletion => ({
  conversations: 12,
  shared_conversations: 3,
  messages: 340,
  unsent_messages: 1,
  ...rest,
})

export const jobOf = (rest: Partial<HistorySync> = {}): HistorySync => ({
  id: 'h1',
  page_id: 'p1',
  platform: 'messenger',
  limit: 50,
  state: 'running',
  conversations_done: 0,
  messages_stored: 0,
  unreadable: 0,
  created_at: '2026-01-05T12:00:00Z',
  ...rest,
})

export const syncStatusOf = (rest: Partial<SyncStatus> = {}): SyncStatus => ({
  totalMessages: 120,
  historicalMessages: 80,
  hasHistoricalSync: true,
  underWay: [],
  ...rest,
})

export const runOf = (rest: Partial<AutoSyncRun> = {}): AutoSyncRun => ({
  id: 'r1',
  state: 'completed',
  trigger: 'schedule',
  started_at: '2026-01-05T12:00:00Z',
  finished_at: '2026-01-05T12:00:05Z',
  messages: 4,
  pages: [{ page_id: 'p1', page_name: 'Page p1', messages: 4 }],
  ...rest,
})

export const autoSyncOf = (rest: Partial<AutoSyncStatus> = {}): AutoSyncStatus => ({
  isRunning: true,
  enabled: true,
  isSyncing: false,
  lastSyncTime: '2026-01-05T12:00:05Z',
  nextSyncIn: 200,
  settings: { interval_minutes: 5, hours_back: 2, enabled: true },
  lastRun: runOf(),
  ...rest,
})

const failure = (facts: Partial<FailureFacts>) =>
  new Failure({ method: 'POST', path: '/facebook/any', kind: 'status', ...facts })

/** The possible failures of a call. */
export const failures = {
  noAnswer: failure({ kind: 'noAnswer' }),
  broken: failure({ status: 500 }),
  unreadable: failure({ kind: 'badAnswer', status: 200 }),
  refused: failure({ status: 422, error: 'The network refused the call.' }),
  /** A refusal with a success status, as some endpoints of the API answer. */
  refusedMildly: failure({ kind: 'badAnswer', status: 200, error: 'Bad token' }),
  passing: failure({ status: 503, error: 'The network has a passing fault.' }),
  unnamed: failure({ status: 422 }),
  forbidden: failure({ status: 403, details: { requiredPermission: 'pages.manage' } }),
  unauthorised: failure({ status: 401 }),
  gone: failure({ status: 410, error: 'This page is no longer connected.' }),
}

const reports = ['pages.invalidated', 'pages.changed', 'inbox.invalidated', 'autoSync.invalidated', 'autoSync.received']

/** A test clock and the recorded toasts and reports to the session. */
function createWorld(alsoInspect: Inspect) {
  const clock = new SimulatedClock()
  const log = createToastLog()
  const told: { type: string }[] = []
  const inspect: Inspect = (event) => {
    alsoInspect(event)
    log.inspect(event)
    if (event.type === '@xstate.event' && reports.includes(event.event.type)) told.push(event.event)
  }
  return { clock, told, toasts: log.toasts, inspect }
}

export function startPageForm(page: Page | null, alsoInspect: Inspect = () => {}) {
  const verify = createControl<TokenOwner, { token: string }>()
  const save = createControl<void, { pageId: string | null; name: string; token: string; isActive: boolean }>()
  const { inspect, ...world } = createWorld(alsoInspect)
  const machine = pageFormMachine.provide({ actors: { verifyToken: verify.logic, savePage: save.logic } })
  const actor = createActor(machine, { input: { page }, inspect }).start()
  return {
    ...world,
    actor,
    verify,
    save,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
    /** Types a token and presses Verify Token. */
    verifyToken: (token: string) => {
      actor.send({ type: 'token.edited', token })
      actor.send({ type: 'verification.requested' })
    },
  }
}

export const controlsOfManager = () => ({
  verify: createControl<TokenOwner, { token: string }>(),
  save: createControl<void, { pageId: string | null; name: string; token: string; isActive: boolean }>(),
  deletion: createControl<PageDeletion, { pageId: string }>(),
  remove: createControl<string | null, { pageId: string }>(),
  pictures: createControl<{ message: string | null; failures: readonly PageFailure[] }, { scope: PictureScope }>(),
})

const managerOn = ({ verify, save, deletion, remove, pictures }: ReturnType<typeof controlsOfManager>) =>
  pageManagerMachine.provide({
    actors: {
      pageForm: pageFormMachine.provide({ actors: { verifyToken: verify.logic, savePage: save.logic } }),
      loadDeletion: deletion.logic,
      deletePage: remove.logic,
      refreshPictures: pictures.logic,
    },
  })

export function startPageManager(alsoInspect: Inspect = () => {}) {
  const controls = controlsOfManager()
  const { inspect, ...world } = createWorld(alsoInspect)
  const actor = createActor(managerOn(controls), { inspect }).start()
  return {
    ...controls,
    ...world,
    actor,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

export function startHistorySync(pageId: string | null, alsoInspect: Inspect = () => {}) {
  const status = createControl<SyncStatus, { pageId: string }>()
  const begin = createControl<HistorySync | null, { pageId: string; platform: Platform; limit: number }>()
  const look = createControl<HistorySync, { id: string }>()
  const cancel = createControl<HistorySync, { id: string }>()
  const { inspect, ...world } = createWorld(alsoInspect)
  const machine = historySyncMachine.provide({
    actors: {
      loadSyncStatus: status.logic,
      startHistorySync: begin.logic,
      loadHistorySync: look.logic,
      cancelHistorySync: cancel.logic,
    },
  })
  const actor = createActor(machine, { clock: world.clock, input: { pageId }, inspect }).start()
  return {
    ...world,
    actor,
    status,
    begin,
    look,
    cancel,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

export function startRecentSync(alsoInspect: Inspect = () => {}) {
  const one = createControl<number, { pageId: string }>()
  const all = createControl<{ messages: number; pages: number; failures: readonly PageFailure[] }>()
  const { inspect, ...world } = createWorld(alsoInspect)
  const machine = recentSyncMachine.provide({ actors: { syncRecent: one.logic, syncAllRecent: all.logic } })
  const actor = createActor(machine, { inspect }).start()
  return { ...world, actor, one, all, state: () => actor.getSnapshot().value }
}

export function startConversationSync(alsoInspect: Inspect = () => {}) {
  const sync = createControl<number, SyncedConversation>()
  const { inspect, ...world } = createWorld(alsoInspect)
  const machine = conversationSyncMachine.provide({ actors: { syncConversation: sync.logic } })
  const actor = createActor(machine, { inspect }).start()
  return {
    ...world,
    actor,
    sync,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

export function startAutoSync(alsoInspect: Inspect = () => {}) {
  const load = createControl<AutoSyncStatus>()
  const force = createControl<AutoSyncRun | null>()
  const { inspect, ...world } = createWorld(alsoInspect)
  const machine = autoSyncMachine.provide({ actors: { loadStatus: load.logic, forceSync: force.logic } })
  const actor = createActor(machine, { clock: world.clock, input: { now: () => world.clock.now() }, inspect }).start()
  return {
    ...world,
    actor,
    load,
    force,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

export function startAutoSyncControl(alsoInspect: Inspect = () => {}) {
  const save = createControl<AutoSyncStatus | null, { config: AutoSyncConfig }>()
  const toggle = createControl<AutoSyncStatus | null, { on: boolean }>()
  const { inspect, ...world } = createWorld(alsoInspect)
  const machine = autoSyncControlMachine.provide({ actors: { saveConfig: save.logic, toggle: toggle.logic } })
  const actor = createActor(machine, { inspect }).start()
  return {
    ...world,
    actor,
    save,
    toggle,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

export const syncedConversation: SyncedConversation = { pageId: 'p1', psid: '100', platform: 'messenger' }

export const conversationSyncModel = () =>
  modelOf(conversationSyncMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: {
      'conversationSync.requested': [{ subject: syncedConversation }],
      'xstate.done.actor.syncConversation': [{ output: 3 }],
      'xstate.error.actor.syncConversation': [{ error: failures.refused }, { error: failures.unnamed }],
    },
  })

type Manager = SnapshotFrom<typeof pageManagerMachine>

/** The model of the page manager; `fewer` replaces cases. */
export const pageManagerModel = (page: Page, fewer: Cases<Manager> = {}) =>
  modelOf(pageManagerMachine, {
    input: undefined,
    vertex: ({ context }: Manager) => [context.item?.page_id, context.deletion],
    cases: {
      'item.added': [{}],
      'item.edited': [{ item: page }],
      'deletion.requested': [{ item: page }],
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'pictures.requested': [{ scope: 'pages' }],
      'dialog.dismissed': (snapshot) => (snapshot.matches({ open: { work: 'form' } }) ? [] : [{}]),
      'xstate.done.actor.pageForm': [{ output: { isDismissed: false } }, { output: { isDismissed: true } }],
      'xstate.done.actor.loadDeletion': [{ output: deletionOf() }],
      'xstate.error.actor.loadDeletion': [{ error: failures.noAnswer }],
      'xstate.done.actor.deletePage': [{ output: null }],
      'xstate.error.actor.deletePage': [{ error: failures.refused }],
      'xstate.done.actor.refreshPictures': [{ output: { message: null, failures: [] } }],
      'xstate.error.actor.refreshPictures': [{ error: failures.unnamed }],
      ...fewer,
    },
  })
