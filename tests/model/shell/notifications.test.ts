import { describe, expect, it } from 'vitest'
import { notificationSettings, notificationSettingsMachine } from '../../../src/machines/shell/notification-settings.ts'
import { notificationsMachine, selectPermission } from '../../../src/machines/shell/notifications.ts'
import type { NotificationsEvent } from '../../../src/machines/shell/notifications-setup.ts'
import type { SavedNotificationSettings } from '../../../src/schemas/notification-settings.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { at, faults } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { driveSettings, settingsReference, shownSettings } from '../settings-form-fixture.ts'
import {
  announced,
  arrived,
  changedComments,
  commented,
  louder,
  mentioned,
  noon,
  notificationsModel,
  person,
  quietNow,
  returned,
  savedOf,
  settings,
  settingsModel,
  startNotifications,
  startSettings,
} from './notifications-fixture.ts'

const { selectBlockedReason, selectIsOvertaken, selectSettings } = notificationSettings
const coverage = createCoverage(notificationsMachine)
const settingsCoverage = createCoverage(notificationSettingsMachine)

const here = { type: 'window.focused' } as const
const allowed = { type: 'permission.changed', permission: 'granted' } as const
const opened = { type: 'conversation.opened', id: 'c1' } as const
const hidden = { type: 'tab.hidden' } as const

/** A tab that leads, may show desktop notifications and knows these settings. */
async function leading(saved: SavedNotificationSettings, ...before: readonly NotificationsEvent[]) {
  const sut = startNotifications(coverage.inspect)
  for (const event of [allowed, { type: 'lead.gained' } as const]) sut.actor.send(event)
  await sut.load.resolve(saved)
  for (const event of before) sut.actor.send(event)
  return sut
}
const raisedBy = ({ log }: Awaited<ReturnType<typeof leading>>) => [log.sounds, log.notices.map(({ title }) => title)]

const ofC = (number: number) => `New message from Person c${number}`
const ofT = (number: number) => `New comment from Person t${number}`
/** Settings that were saved before there was a choice for comments. */
const earlier = (unassigned: boolean): SavedNotificationSettings => {
  const { comments: _, ...before } = settings
  return { settings: { ...before, unassigned }, version: 1 }
}
const back = 'Person c1 is back from snooze'
const noted = 'A colleague mentioned you in a note'

describe('A tab raises', () => {
  it.each<[string, SavedNotificationSettings, readonly NotificationsEvent[], NotificationsEvent, string[], number?]>([
    ['a message of an own conversation', savedOf(), [], announced('c1'), [ofC(1)]],
    ['no message of an own conversation', savedOf({ mine: false }), [], announced('c1'), []],
    ['a message that nobody is assigned to', savedOf(), [], announced('c2'), [ofC(2)]],
    ['no message that nobody is assigned to', savedOf({ unassigned: false }), [], announced('c2'), []],
    ['no message of a colleague', savedOf(), [], announced('c3'), []],
    ['a message of a colleague', savedOf({ others: true }), [], announced('c3'), [ofC(3)]],
    ['no message of a muted person', savedOf({ others: true }), [], announced('c4'), []],
    ['a message of an unknown conversation', savedOf(), [], announced('c9'), [ofC(9)]],
    ['what it wants of several', savedOf(), [], announced('c1', 'c3', 'c4', 'c2'), [ofC(1), ofC(2)]],
    ['one for many', savedOf(), [], announced('c1', 'c6', 'c7', 'c8'), ['4 new messages from 4 people']],
    ['the defaults without saved settings', { settings: null, version: 0 }, [], announced('c1'), [ofC(1)]],
    ['nothing in quiet hours', savedOf({ quiet: quietNow }), [], announced('c1'), []],
    ['no mention in quiet hours', savedOf({ quiet: quietNow }), [], mentioned('c1'), []],
    ['no ended snooze in quiet hours', savedOf({ quiet: quietNow }), [], returned('c1'), []],
    ['a message elsewhere', savedOf(), [here, opened], announced('c2'), [ofC(2)]],
    ['nothing about the conversation that is looked at', savedOf(), [here, opened], arrived('c1'), []],
    ['nothing about another page of it', savedOf(), [here, opened], announced('c1'), []],
    ['a message of the open conversation behind another window', savedOf(), [opened], arrived('c1'), [ofC(1)]],
    ['another one that the session announces only once', savedOf(), [opened], arrived('c2'), []],
    ['a message of the open conversation of a hidden tab', savedOf(), [opened, hidden], announced('c1'), [ofC(1)]],
    ['that message only once', savedOf(), [opened, hidden], arrived('c1'), []],
    ['a snooze that has ended', savedOf(), [], returned('c1'), [back]],
    ['no snooze that a colleague has ended', savedOf(), [], returned('c1', 's2'), []],
    ['no snooze that ended long ago', savedOf(), [], returned('c1', null, new Date(noon - 120_000).toISOString()), []],
    ['no snooze twice', savedOf(), [returned('c1')], returned('c1'), [back]],
    ['a snooze of an unknown person', savedOf(), [], returned('c9'), ['A snoozed conversation is back']],
    ['no snooze of the conversation that is looked at', savedOf(), [here, opened], returned('c1'), []],
    ['a mention', savedOf(), [], mentioned('c3'), [noted]],
    ['no mention', savedOf({ mentions: false }), [], mentioned('c3'), []],
    ['no own note', savedOf(), [], mentioned('c3', 's1'), []],
    ['no mention of others', savedOf(), [], mentioned('c3', 's2', ['s3']), []],
    ['no mention in the conversation that is looked at', savedOf(), [here, opened], mentioned('c1'), []],
    ['a mention behind another window', savedOf(), [opened], mentioned('c1'), [noted]],
    ['a comment', savedOf(), [], commented('t1'), [ofT(1)]],
    ['no comment', savedOf({ comments: false }), [], commented('t1'), []],
    ['a comment by the choice for unassigned ones before there was one', earlier(true), [], commented('t1'), [ofT(1)]],
    ['no comment by that choice', earlier(false), [], commented('t1'), []],
    ['no comment in quiet hours', savedOf({ quiet: quietNow }), [], commented('t1'), []],
    ['comments of three threads', savedOf(), [], commented('t1', 't2', 't3', 't1'), [ofT(1), ofT(2), ofT(3)]],
    ['one for comments of many', savedOf(), [], commented('t1', 't2', 't3', 't4'), ['New comments from 4 people']],
    ['nothing about the comments that are looked at', savedOf(), [here], commented({ open: 't1' }, 't2'), [ofT(2)]],
    ['the open comments behind another window', savedOf(), [], commented({ open: 't1' }), [ofT(1)]],
    ['a desktop notification without a sound', savedOf({ sound: false }), [], announced('c1'), [ofC(1)], 0],
  ])('%s', async (_, saved, before, event, titles, sounds = titles.length > 0 ? 1 : 0) => {
    const sut = await leading(saved, ...before)
    sut.actor.send(event)
    expect(raisedBy(sut)).toEqual([sounds, titles])
  })

  it('a sound alone if the person wants no desktop notification, or the browser allows none', async () => {
    const unwanted = await leading(savedOf({ desktop: false }))
    unwanted.actor.send(announced('c1'))
    expect(raisedBy(unwanted)).toEqual([1, []])
    for (const permission of ['undecided', 'denied', 'unsupported'] as const) {
      const blocked = await leading(savedOf(), { type: 'permission.changed', permission })
      blocked.actor.send(announced('c1'))
      expect(raisedBy(blocked)).toEqual([1, []])
    }
  })

  it('the text only if the person wants it', async () => {
    const bodies = await Promise.all(
      [false, true].map(async (showsText) => {
        const sut = await leading(savedOf({ showsText }))
        for (const event of [announced('c1'), mentioned('c2'), commented('t1')]) sut.actor.send(event)
        return sut.log.notices.map(({ body }) => body)
      }),
    )
    expect(bodies).toEqual([
      [null, null, null],
      ['text of c1', 'look', 'text of t1'],
    ])
  })

  it('closes a notification about many comments when the last of their threads is answered, and each about one', async () => {
    const sut = await leading(savedOf(), commented('t1', 't2', 't3', 't4'))
    const answer = (id: string, isWaiting = false) =>
      sut.actor.send({ type: 'comments.changed', ...changedComments(isWaiting, id) })
    for (const id of ['t1', 't2', 't3', 't1', 't9']) answer(id)
    answer('t4', true)
    expect(sut.log.closed).toEqual(['comments:t1', 'comments:t2', 'comments:t3', 'comments:t1', 'comments:t9'])
    // News about few threads have notifications of their own.
    sut.actor.send(commented('t5'))
    answer('t4')
    expect(sut.log.closed.slice(5)).toEqual(['comments:t4', 'comments'])
  })

  it('nothing before the settings are known, and keeps known settings while they are loaded again', async () => {
    const sut = startNotifications(coverage.inspect)
    for (const event of [allowed, { type: 'lead.gained' }, announced('c1')] as const) sut.actor.send(event)
    await sut.load.reject(faults.noAnswer)
    sut.actor.send(announced('c1'))
    expect(raisedBy(sut)).toEqual([0, []])
    sut.clock.increment(2_000)
    await sut.load.resolve(savedOf())
    sut.actor.send({ type: 'refetch.requested' })
    sut.actor.send(announced('c1'))
    expect([raisedBy(sut), sut.load.calls.length]).toEqual([[1, [ofC(1)]], 3])
  })

  it('nothing and loads nothing while another tab leads', async () => {
    const sut = startNotifications(coverage.inspect)
    for (const event of [allowed, announced('c1'), mentioned('c1'), returned('c1')]) sut.actor.send(event)
    expect([raisedBy(sut), sut.load.calls.length]).toEqual([[0, []], 0])
    const other = await leading(savedOf(), { type: 'lead.lost' })
    other.actor.send(announced('c1'))
    expect(raisedBy(other)).toEqual([0, []])
  })
})

describe('Web Push', () => {
  const withPush = { ...person, features: ['web-push' as const] }

  it('takes over the desktop notifications of a hidden tab, and hears what the browser reports', async () => {
    const sut = startNotifications(coverage.inspect, withPush)
    for (const event of [allowed, { type: 'lead.gained' } as const]) sut.actor.send(event)
    await sut.load.resolve(savedOf())
    const titles: number[] = []
    for (const event of [
      hidden,
      announced('c1'),
      { type: 'push.changed', isOn: true } as const,
      announced('c1'),
      { type: 'tab.shown' } as const,
      announced('c1'),
      hidden,
      { type: 'push.changed', isOn: false } as const,
      announced('c1'),
    ]) {
      sut.actor.send(event)
      if (event.type === 'messages.announced') titles.push(sut.log.notices.length)
    }
    expect(titles).toEqual([1, 1, 2, 3])
    expect([sut.log.sounds, sut.log.push]).toEqual([4, ['permission.changed', 'tab.hidden', 'tab.shown', 'tab.hidden']])
  })

  it('is not asked for without the feature', () => {
    const sut = startNotifications(coverage.inspect)
    for (const event of [allowed, hidden]) sut.actor.send(event)
    expect([sut.log.push, sut.snapshot().matches({ push: 'notOffered' })]).toEqual([[], true])
  })
})

type Permission = ReturnType<typeof selectPermission>

describe.each(['lead', 'attention'] as const)('The walk through the notifications: %s', (part) => {
  const paths = notificationsModel(part).everyTransition()

  type State = {
    permission: Permission
    isHere: boolean
    lead: 'following' | 'loading' | 'loaded' | 'waiting' | 'refused'
    id: string | null
    isHidden: boolean
    isKnown: boolean
    hasReturned: boolean
    sounds: number
    notices: number
    closed: number
    opened: number
    loads: number
    asked: number
  }
  const raised = (state: State, isWanted: boolean): Partial<State> =>
    state.isKnown && isWanted && state.lead !== 'following'
      ? { sounds: state.sounds + 1, notices: state.notices + (state.permission === 'granted' ? 1 : 0) }
      : {}
  const load = ({ loads }: State): Partial<State> => ({ lead: 'loading', loads: loads + 1 })
  const reference: Reference<State> = {
    start: {
      permission: 'unknown',
      isHere: false,
      lead: 'following',
      id: null,
      isHidden: false,
      isKnown: false,
      hasReturned: false,
      sounds: 0,
      notices: 0,
      closed: 0,
      opened: 0,
      loads: 0,
      asked: 0,
    },
    accepts: ({ permission, isHere, lead, isHidden }) => [
      ...[
        'permission.changed',
        'notice.clicked',
        'notice.commentsClicked',
        'comments.changed',
        'conversation.opened',
        'conversation.closed',
        'settings.saved',
      ],
      ...['tab.shown', 'tab.hidden', 'sound.tested'],
      isHere ? 'window.left' : 'window.focused',
      ...when(permission === 'undecided', 'permission.requested'),
      ...when(permission === 'granted', 'notice.tested'),
      ...when(permission === 'asking', ...ends('requestPermission')),
      ...when(lead === 'following', 'lead.gained'),
      ...when(
        lead !== 'following',
        ...[
          'lead.lost',
          'refetch.requested',
          'messages.announced',
          'states.changed',
          'note.changed',
          'comments.announced',
        ],
      ),
      ...when(lead !== 'following' && !isHere && !isHidden, 'messages.changed'),
      ...when(lead === 'loading', ...ends('loadSettings')),
      ...when(lead === 'waiting', 'xstate.after.retryDelay.notifications.tab.leading.waiting'),
    ],
    rules: {
      'permission.changed': (_, { permission }) => ({ permission }),
      'permission.requested': ({ asked }) => ({ permission: 'asking', asked: asked + 1 }),
      'xstate.done.actor.requestPermission': (_, { output }) => ({ permission: output }),
      'xstate.error.actor.requestPermission': () => ({ permission: 'undecided' }),
      'window.focused': () => ({ isHere: true }),
      'window.left': () => ({ isHere: false }),
      'lead.gained': load,
      'lead.lost': () => ({ lead: 'following' }),
      'refetch.requested': load,
      'xstate.after.retryDelay.notifications.tab.leading.waiting': load,
      'xstate.done.actor.loadSettings': () => ({ lead: 'loaded', isKnown: true }),
      'xstate.error.actor.loadSettings': (_, { error }) => ({ lead: error === faults.refused ? 'refused' : 'waiting' }),
      'settings.saved': ({ lead }) => ({ isKnown: true, ...(lead !== 'following' && { lead: 'loaded' }) }),
      'conversation.opened': ({ closed }, { id }) => ({ id, closed: closed + 1 }),
      'conversation.closed': () => ({ id: null }),
      'tab.shown': () => ({ isHidden: false }),
      'tab.hidden': () => ({ isHidden: true }),
      'notice.clicked': (state) => ({ opened: state.opened + 1 }),
      'notice.commentsClicked': (state) => ({ opened: state.opened + 1 }),
      'comments.changed': ({ closed }, { thread }) => (thread.isWaiting ? {} : { closed: closed + 1 }),
      'comments.announced': (state, { news }) => raised(state, !(state.isHere && news[0].isOpen)),
      'sound.tested': ({ sounds }) => ({ sounds: sounds + 1 }),
      'notice.tested': ({ notices }) => ({ notices: notices + 1 }),
      'messages.announced': (state, { senders }) =>
        raised(
          state,
          senders.some(({ id }: { id: string }) => id !== 'c3' && id !== 'c4' && (id !== state.id || state.isHidden)),
        ),
      'messages.changed': (state, { changes }) => raised(state, changes[0].record.primary_user_id === state.id),
      'states.changed': (state, { changes }) => {
        const isNew = changes[0].changedBy === null && !state.hasReturned
        return {
          ...raised(state, isNew && !(state.isHere && state.id === 'c1')),
          ...(isNew && { hasReturned: true }),
        }
      },
      'note.changed': (state, { change }) =>
        raised(state, change.note?.staff_id === 's2' && !(state.isHere && state.id === 'c1')),
    },
    shown: (state) => state,
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startNotifications(coverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { loadSettings: sut.load, requestPermission: sut.permission },
        delays: { retryDelay: () => sut.clock.increment(sut.snapshot().context.retryDelay) },
      })
      await followBeside(path, drive, reference, () => {
        const { context, value } = sut.snapshot()
        return {
          permission: selectPermission(sut.snapshot()),
          isHere: value.attention === 'here',
          lead: typeof value.tab === 'string' ? value.tab : value.tab.leading,
          id: context.id,
          isHidden: context.isHidden,
          isKnown: context.saved !== null,
          hasReturned: context.returned['c1'] === at(0),
          sounds: sut.log.sounds,
          notices: sut.log.notices.length,
          closed: sut.log.closed.length,
          opened: sut.log.opened.length,
          loads: sut.load.calls.length,
          asked: sut.permission.calls.length,
        }
      })
      sut.actor.stop()
    }
  })
})

describe('The dialog of the settings', () => {
  const loaded = { saved: savedOf(), facts: { timeZone: 'Asia/Manila' } }

  it('shows the defaults in the time zone of the browser before the first save', async () => {
    const sut = startSettings(settingsCoverage.inspect)
    expect(selectSettings(sut.snapshot())).toBeNull()
    await sut.load.resolve({ saved: { settings: null, version: 0 }, facts: { timeZone: 'Asia/Manila' } })
    expect(selectSettings(sut.snapshot())).toEqual({
      ...settings,
      quiet: { ...settings.quiet, timeZone: 'Asia/Manila' },
    })
  })

  it('saves what was changed over the version that was seen, and tells the session', async () => {
    const sut = startSettings(settingsCoverage.inspect)
    await sut.load.resolve(loaded)
    sut.actor.send({ type: 'settings.submitted' })
    expect([selectBlockedReason(sut.snapshot()), sut.save.calls.length]).toEqual(['Nothing was changed', 0])
    sut.actor.send({ type: 'settings.edited', settings: louder })
    sut.actor.send({ type: 'settings.submitted' })
    expect(sut.save.inputs()).toEqual([{ settings: louder, replaces: 1 }])
    await sut.save.resolve({ settings: louder, version: 2, isSaved: true })
    expect([sut.told, sut.toasts, selectSettings(sut.snapshot())]).toEqual([
      [{ settings: louder, version: 2 }],
      [{ kind: 'success', text: 'Notification settings saved' }],
      louder,
    ])
  })

  it('overwrites nothing silently: it says that others were saved, and keeps the changes for a second press', async () => {
    const sut = startSettings(settingsCoverage.inspect)
    await sut.load.resolve(loaded)
    sut.actor.send({ type: 'settings.edited', settings: louder })
    sut.actor.send({ type: 'settings.submitted' })
    await sut.save.resolve({ ...savedOf({ sound: false }), version: 5, isSaved: false })
    expect([selectIsOvertaken(sut.snapshot()), selectSettings(sut.snapshot()), sut.told]).toEqual([true, louder, []])
    sut.actor.send({ type: 'settings.submitted' })
    expect(sut.save.last().input).toEqual({ settings: louder, replaces: 5 })
    await sut.save.resolve({ settings: louder, version: 6, isSaved: true })
    expect(selectIsOvertaken(sut.snapshot())).toBe(false)
  })

  it.each([
    ['a day', { days: [] }, 'Choose at least one day for the quiet hours'],
    ['a time', { from: '' }, 'Type both times of the quiet hours'],
  ])('saves no quiet hours without %s', async (_, more, reason) => {
    const sut = startSettings(settingsCoverage.inspect)
    await sut.load.resolve(loaded)
    const quiet = { ...quietNow, ...more }
    sut.actor.send({ type: 'settings.edited', settings: { ...settings, quiet } })
    sut.actor.send({ type: 'settings.submitted' })
    expect([selectBlockedReason(sut.snapshot()), sut.save.calls.length]).toEqual([reason, 0])
    sut.actor.send({ type: 'settings.edited', settings: { ...louder, quiet: { ...quiet, isOn: false } } })
    expect(selectBlockedReason(sut.snapshot())).toBeNull()
  })
})

describe('The walk through the dialog of the settings', () => {
  const paths = settingsModel().everyTransition()
  const reference = settingsReference(
    'notificationSettings',
    settings,
    ({ quiet }) => !quiet.isOn || quiet.days.length > 0,
  )

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startSettings(settingsCoverage.inspect)
      await followBeside(path, driveSettings(sut), reference, () => shownSettings(notificationSettings, sut))
      sut.actor.stop()
    }
  })
})

describe('The walks', () => {
  it('enter every state', () => expect([coverage.statesMissed(), settingsCoverage.statesMissed()]).toEqual([[], []]))
  it('take every transition', () =>
    expect([coverage.transitionsMissed(), settingsCoverage.transitionsMissed()]).toEqual([[], []]))
})
