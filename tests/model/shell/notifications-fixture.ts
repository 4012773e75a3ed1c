import { type AnyEventObject, fromCallback, SimulatedClock } from 'xstate'
import type { Notice } from '../../../src/domain/list/notices.ts'
import { defaultSettings } from '../../../src/domain/list/notices.ts'
import type { NotificationPermissionState } from '../../../src/domain/shell/notification-calls.ts'
import { notificationSettings } from '../../../src/machines/shell/notification-settings.ts'
import { notificationsMachine } from '../../../src/machines/shell/notifications.ts'
import type { NotificationsEvent } from '../../../src/machines/shell/notifications-setup.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { NotificationSettings, SavedNotificationSettings } from '../../../src/schemas/notification-settings.ts'
import { createControl, type Inspect, modelOf } from '../harness.ts'
import { at, faults, inserted, row, stateOf } from '../inbox-fixture.ts'
import { recordsOf, startWithRecords } from '../records-fixture.ts'
import { settingsFormModel, startSettingsForm } from '../settings-form-fixture.ts'

/** The clock of the tests: noon. */
export const noon = Date.parse(at(0))

const rows = [
  row('c1', 1, { state: stateOf(1, { assigned_to: 's1' }) }),
  row('c2', 2, { state: stateOf(1) }),
  row('c3', 3, { state: stateOf(1, { assigned_to: 's2' }) }),
  row('c4', 4, { state: stateOf(1, { assigned_to: 's1', muted_at: at(0) }) }),
]

export const settings: NotificationSettings = defaultSettings('UTC')
export const savedOf = (more: Partial<NotificationSettings> = {}): SavedNotificationSettings => ({
  settings: { ...settings, ...more },
  version: 1,
})
/** From 11:00 to 13:00 on a Monday. */
export const quietNow = { isOn: true, from: '11:00', to: '13:00', days: [1], timeZone: 'UTC' }

export const announced = (...ids: string[]): NotificationsEvent => ({
  type: 'messages.announced',
  senders: ids.map((id) => ({ id, name: `Person ${id}`, line: `text of ${id}` })),
})
export const arrived = (id: string): NotificationsEvent => ({ type: 'messages.changed', changes: [inserted(id, 5)] })
export const returned = (id: string, changedBy: string | null = null, ended = at(0)): NotificationsEvent => ({
  type: 'states.changed',
  changes: [{ id, state: stateOf(2, { assigned_to: 's1', returned_at: ended }), changedBy }],
})
export const mentioned = (id: string, staff_id = 's2', mentions = ['s1']): NotificationsEvent => ({
  type: 'note.changed',
  change: {
    type: 'INSERT',
    note: { id: 'n1', primary_user_id: id, staff_id, text: 'look', mentions, created_at: at(0) },
  },
})

export const commented = (...threads: readonly (string | { open: string })[]): NotificationsEvent => ({
  type: 'comments.announced',
  news: threads.map((thread) => {
    const isOpen = typeof thread !== 'string'
    const threadId = isOpen ? thread.open : thread
    return { threadId, name: `Person ${threadId}`, line: `text of ${threadId}`, isOpen }
  }),
})
export const changedComments = (isWaiting: boolean, id = 't1') => ({ thread: { id, postId: 'post-1', isWaiting } })

export const person: AuthUser = { id: 's1', email: 'ana@example.com', role: 'agent', permissions: [] }
const input = { user: person, userId: 's1', id: null, isHidden: false, now: () => noon }

export function startNotifications(inspect: Inspect = () => {}, user: AuthUser = person) {
  const load = createControl<SavedNotificationSettings>()
  const permission = createControl<NotificationPermissionState>()
  const clock = new SimulatedClock()
  const log = {
    sounds: 0,
    notices: [] as Notice[],
    closed: [] as string[],
    opened: [] as string[],
    push: [] as string[],
  }
  const { actor } = startWithRecords(
    notificationsMachine.provide({
      actors: {
        loadSettings: load.logic,
        requestPermission: permission.logic,
        watchBrowser: fromCallback(() => {}),
        push: fromCallback<AnyEventObject>(({ receive }) => receive((event) => log.push.push(event.type))) as never,
      },
      actions: {
        'play the sound': () => {
          log.sounds += 1
        },
        'show the notices': (_, { notices }) => void log.notices.push(...notices),
        'close the notice': (_, { tag }) => void log.closed.push(tag),
      },
    }),
    {
      input: { ...input, user },
      rows,
      clock,
      inspect: (event) => {
        inspect(event)
        if (event.type !== '@xstate.event') return
        if (event.event.type === 'conversation.requested') log.opened.push(event.event['id'])
        if (event.event.type === 'comments.requested') log.opened.push(event.event['threadId'])
      },
    },
  )
  return { actor, load, permission, clock, log, snapshot: () => actor.getSnapshot() }
}

const own = (...types: readonly string[]) => Object.fromEntries(types.map((type) => [type, []]))

/** The events by which a tab comes to lead, to know the settings and to be allowed desktop notifications. */
const lead = {
  'permission.changed': (['undecided', 'granted', 'denied', 'unsupported'] as const).map((permission) => ({
    permission,
  })),
  'permission.requested': [{}],
  'lead.gained': [{}],
  'lead.lost': [{}],
  'refetch.requested': [{}],
  'settings.saved': [{ saved: savedOf() }],
  'sound.tested': [{}],
  'notice.tested': [{}],
  'messages.announced': [announced('c1'), announced('c3', 'c4')],
  'xstate.done.actor.loadSettings': [{ output: savedOf() }],
  'xstate.error.actor.loadSettings': [{ error: faults.noAnswer }, { error: faults.refused }],
  'xstate.done.actor.requestPermission': (['granted', 'denied', 'undecided'] as const).map((output) => ({ output })),
  'xstate.error.actor.requestPermission': [{ error: new Error('blocked') }],
}

/** The events that decide whether the person looks at a conversation, and those about conversations. */
const attention = {
  'permission.changed': [{ permission: 'granted' }],
  'lead.gained': [{}],
  'window.focused': [{}],
  'window.left': [{}],
  'conversation.opened': [{ id: 'c1' }],
  'conversation.closed': [{}],
  'tab.shown': [{}],
  'tab.hidden': [{}],
  'notice.clicked': [{ conversationId: 'c2' }],
  'notice.commentsClicked': [{ threadId: 't1' }],
  'comments.announced': [commented('t1'), commented({ open: 't1' })],
  'comments.changed': [changedComments(true), changedComments(false)],
  'messages.announced': [announced('c1'), announced('c2')],
  'messages.changed': [arrived('c1'), arrived('c2')],
  'states.changed': [returned('c1'), returned('c1', 's2')],
  'note.changed': [mentioned('c1'), mentioned('c1', 's1'), { change: { type: 'DELETE', id: 'n1' } }],
  'xstate.done.actor.loadSettings': [{ output: savedOf() }],
}

/** Two models of one machine, because all combinations would be too many. */
export const notificationsModel = (part: 'lead' | 'attention') =>
  modelOf(notificationsMachine, {
    input,
    records: recordsOf(...rows),
    vertex: ({ context: { id, isHidden, saved, returned: known } }) => ({ id, isHidden, saved, known }),
    limit: 40_000,
    cases: {
      // The machine raises `notices.due` itself.
      ...own('notices.due', 'push.changed', ...Object.keys(lead), ...Object.keys(attention)),
      ...(part === 'lead' ? lead : attention),
    },
  })

export function startSettings(inspect: Inspect = () => {}) {
  const told: unknown[] = []
  const sut = startSettingsForm(notificationSettings, (event) => {
    inspect(event)
    if (event.type === '@xstate.event' && event.event.type === 'settings.saved') told.push(event.event['saved'])
  })
  return { ...sut, told }
}

export const louder = { ...settings, others: true }
const dayless = { ...louder, quiet: { ...quietNow, days: [] } }

export const settingsModel = () =>
  settingsFormModel(notificationSettings, {
    facts: { timeZone: 'UTC' },
    empty: settings,
    changed: louder,
    incomplete: dayless,
    others: { ...settings, sound: false },
  })
