import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import {
  autoSyncMachine,
  selectAutoSyncState,
  selectKnownAt,
  selectStatus,
} from '../../../src/machines/sync/auto-sync.ts'
import {
  autoSyncControlMachine,
  selectAsksToDiscard,
  selectTyped,
} from '../../../src/machines/sync/auto-sync-control.ts'
import type { AutoSyncStatus } from '../../../src/schemas/auto-sync.ts'
import { autoSyncOf, failures, runOf, startAutoSync, startAutoSyncControl } from '../dialogs-fixture.ts'
import { createCoverage, driverOf, error, modelOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(autoSyncMachine)
const controlCoverage = createCoverage(autoSyncControlMachine)
const start = () => startAutoSync(coverage.inspect)
type Sut = ReturnType<typeof start>

const shown = ({ actor }: Sut) => selectAutoSyncState(actor.getSnapshot())

const known = async (status = autoSyncOf()) => {
  const sut = start()
  await sut.load.resolve(status)
  return sut
}

describe('the status of the automatic sync', () => {
  it('is unknown before the first answer', () => expect(shown(start())).toBe('unknown'))

  it.each([
    ['on', autoSyncOf()],
    ['off', autoSyncOf({ isRunning: false, enabled: false })],
    ['syncing', autoSyncOf({ isSyncing: true })],
  ] as const)('is shown as %s', async (state, status) => {
    const sut = await known(status)
    expect([shown(sut), selectStatus(sut.actor.getSnapshot())]).toEqual([state, status])
  })

  it('is fetched every 30 s', async () => {
    const sut = await known()
    sut.clock.increment(29_999)
    expect(sut.load.calls.length).toBe(1)
    sut.clock.increment(1)
    expect(sut.load.calls.length).toBe(2)
    await sut.load.resolve(autoSyncOf({ isRunning: false }))
    expect(shown(sut)).toBe('off')
  })

  it.each(Object.entries(failures))('stays without a toast after a failed fetch: %s', async (_, failure) => {
    const sut = await known()
    sut.clock.increment(30_000)
    await sut.load.reject(failure)
    expect([shown(sut), sut.toasts]).toEqual(['on', []])
    sut.clock.increment(30_000)
    expect(sut.load.calls.length).toBe(3)
  })

  it('is neither On nor Off when it is more than 120 s old, until the next answer', async () => {
    const sut = await known()
    for (let times = 0; times < 3; times += 1) {
      sut.clock.increment(30_000)
      await sut.load.reject(failures.noAnswer)
    }
    sut.clock.increment(29_999)
    expect([shown(sut), selectKnownAt(sut.actor.getSnapshot())]).toEqual(['on', 0])
    sut.clock.increment(1)
    expect([shown(sut), selectKnownAt(sut.actor.getSnapshot())]).toEqual(['old', 0])
    await sut.load.resolve(autoSyncOf())
    expect([shown(sut), selectKnownAt(sut.actor.getSnapshot())]).toEqual(['on', 120_000])
  })

  it('stays current as long as answers arrive', async () => {
    const sut = await known()
    for (let times = 0; times < 10; times += 1) {
      sut.clock.increment(30_000)
      await sut.load.resolve(autoSyncOf())
      expect(shown(sut)).toBe('on')
    }
  })

  it('is old after the computer slept, and is fetched at once', async () => {
    const sut = await known()
    sut.actor.send({ type: 'clock.jumped' })
    expect([shown(sut), sut.load.calls.length]).toEqual(['old', 2])
  })

  it('is fetched every 300 s in a hidden tab, and at once when the tab is shown', async () => {
    const sut = start()
    sut.actor.send({ type: 'tab.hidden' })
    await sut.load.resolve(autoSyncOf())
    sut.clock.increment(299_999)
    expect(sut.load.calls.length).toBe(1)
    sut.clock.increment(1)
    expect(sut.load.calls.length).toBe(2)
    await sut.load.resolve(autoSyncOf())
    sut.actor.send({ type: 'tab.shown' })
    expect(sut.load.calls.length).toBe(3)
    await sut.load.resolve(autoSyncOf())
    sut.clock.increment(30_000)
    expect(sut.load.calls.length).toBe(4)
  })

  it('comes from the answer to a change, although an earlier fetch is under way', async () => {
    const sut = start()
    sut.actor.send({ type: 'status.received', status: autoSyncOf({ isRunning: false }) })
    await sut.load.resolve(autoSyncOf())
    expect([shown(sut), sut.load.last().signal.aborted]).toEqual(['off', true])
  })

  it('invalidates the social pages after another run, because a page token may have died', async () => {
    const sut = await known()
    sut.actor.send({ type: 'status.received', status: autoSyncOf({ nextSyncIn: 100 }) })
    expect(sut.told).toEqual([])
    sut.actor.send({ type: 'status.received', status: autoSyncOf({ lastRun: runOf({ id: 'r2' }) }) })
    expect([shown(sut), sut.told]).toEqual(['on', [{ type: 'pages.invalidated' }]])
  })
})

describe('a forced sync', () => {
  const forced = async () => {
    const sut = await known()
    sut.actor.send({ type: 'force.requested' })
    return sut
  }

  it.each([
    ['completed', { kind: 'success', text: 'Force sync completed' }],
    ['running', { kind: 'info', text: 'The sync needs more time. It continues by itself.' }],
    ['stopped', { kind: 'info', text: 'The sync was stopped' }],
    ['failed', error('Failed to force sync')],
  ] as const)('that is %s shows a toast, and the status is fetched again', async (state, toast) => {
    const sut = await forced()
    sut.actor.send({ type: 'force.requested' })
    expect([shown(sut), sut.force.calls.length]).toEqual(['syncing', 1])
    await sut.force.resolve(runOf({ state }))
    expect([shown(sut), sut.toasts, sut.load.calls.length, sut.told]).toEqual([
      'on',
      [toast],
      2,
      [{ type: 'inbox.invalidated' }],
    ])
  })

  it('without a run in its answer counts as completed', async () => {
    const sut = await forced()
    await sut.force.resolve(null)
    expect(sut.toasts).toEqual([{ kind: 'success', text: 'Force sync completed' }])
  })

  it.each([
    ['without a reason', failures.unnamed, 'Failed to force sync'],
    ['with one', failures.passing, 'The network has a passing fault.'],
    ['without an answer', failures.noAnswer, 'Network error. Please check your connection.'],
  ])('that fails %s shows the error', async (_, failure, text) => {
    const sut = await forced()
    await sut.force.reject(failure)
    expect([shown(sut), sut.toasts]).toEqual(['on', [error(text)]])
  })
})

describe('the walk through the automatic sync', () => {
  type Snapshot = SnapshotFrom<typeof autoSyncMachine>
  const paths = modelOf(autoSyncMachine, {
    input: { now: () => 0 },
    vertex: ({ context: { status, isHidden } }: Snapshot) => [status, isHidden],
    cases: {
      'status.received': [{ status: autoSyncOf() }, { status: autoSyncOf({ lastRun: runOf({ id: 'r2' }) }) }],
      'refetch.requested': [{}],
      'force.requested': [{}],
      'tab.shown': [{}],
      'tab.hidden': [{}],
      'clock.jumped': [{}],
      'xstate.done.actor.loadStatus': [{ output: autoSyncOf() }],
      'xstate.done.actor.forceSync': [{ output: runOf() }],
      'xstate.error.actor.forceSync': [{ error: failures.unnamed }],
      // Both clocks advance at once, so the tests above cover these events.
      'xstate.after.pollDelay.autoSync.watching.waiting': [],
      'xstate.after.statusMaxAge.autoSync.freshness.fresh': [],
    },
  }).everyTransition()

  type State = {
    status: AutoSyncStatus | null
    isOld: boolean
    isLoading: boolean
    isForcing: boolean
    loads: number
    toasts: unknown[]
    told: string[]
  }
  const loadAgain = ({ loads }: State) => ({ isLoading: true, loads: loads + 1 })
  const receive = ({ status: before, told }: State, status: AutoSyncStatus) => ({
    status,
    isOld: false,
    isLoading: false,
    // A page's token may have died in another run.
    told: before !== null && before.lastRun?.id !== status.lastRun?.id ? [...told, 'pages.invalidated'] : told,
  })
  const endForcing = ({ loads, toasts, told }: State, toast: unknown) => ({
    isForcing: false,
    isLoading: true,
    loads: loads + 1,
    toasts: [...toasts, toast],
    told: [...told, 'inbox.invalidated'],
  })
  const reference: Reference<State> = {
    start: { status: null, isOld: false, isLoading: true, isForcing: false, loads: 1, toasts: [], told: [] },
    accepts: ({ isLoading, isForcing }) => [
      ...['clock.jumped', 'refetch.requested', 'status.received', 'tab.hidden', 'tab.shown'],
      ...(isForcing ? ends('forceSync') : ['force.requested']),
      ...when(isLoading, ...ends('loadStatus')),
    ],
    rules: {
      'refetch.requested': loadAgain,
      'tab.shown': loadAgain,
      'clock.jumped': (state) => ({ ...loadAgain(state), isOld: true }),
      'status.received': (state, { status }) => receive(state, status),
      'xstate.done.actor.loadStatus': (state, { output }) => receive(state, output),
      'xstate.error.actor.loadStatus': () => ({ isLoading: false }),
      'force.requested': () => ({ isForcing: true }),
      'xstate.done.actor.forceSync': (state) => endForcing(state, { kind: 'success', text: 'Force sync completed' }),
      'xstate.error.actor.forceSync': (state) => endForcing(state, error('Failed to force sync')),
    },
    shown: ({ status, isOld, isLoading: _, isForcing, ...state }) => {
      const known = isOld ? 'old' : 'on'
      return { ...state, status, shown: isForcing ? 'syncing' : status === null ? 'unknown' : known }
    },
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, { calls: { loadStatus: sut.load, forceSync: sut.force } })
      await followBeside(path, drive, reference, () => ({
        shown: shown(sut),
        status: selectStatus(sut.actor.getSnapshot()),
        loads: sut.load.calls.length,
        toasts: sut.toasts,
        told: sut.told.map(({ type }) => type),
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})

describe('the control of the automatic sync', () => {
  const startControl = () => startAutoSyncControl(controlCoverage.inspect)
  const typed = { interval: '10', hoursBack: '3', enabled: true }
  const shown = { interval: '5', hoursBack: '2', enabled: true }
  const config = { interval_minutes: 10, hours_back: 3, enabled: true }

  it('requests the current status when it opens', () =>
    expect(startControl().told).toEqual([{ type: 'autoSync.invalidated' }]))

  it('saves the settings once, shows the saved settings, and reports them to the session', async () => {
    const sut = startControl()
    sut.actor.send({ type: 'settings.edited', settings: typed, shown })
    sut.actor.send({ type: 'settings.submitted', settings: typed, shown })
    sut.actor.send({ type: 'settings.submitted', settings: typed, shown })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([sut.state(), sut.save.inputs()]).toEqual(['saving', [{ config }]])
    await sut.save.resolve(autoSyncOf({ config }))
    expect([sut.state(), selectTyped(sut.actor.getSnapshot()), sut.toasts, sut.told.at(-1)]).toEqual([
      'editing',
      null,
      [{ kind: 'success', text: 'Settings updated' }],
      { type: 'autoSync.received', status: autoSyncOf({ config }) },
    ])
  })

  it.each([
    { interval: '0', hoursBack: '2' },
    { interval: '61', hoursBack: '2' },
    { interval: '5', hoursBack: '0' },
    { interval: '5', hoursBack: '25' },
    { interval: '', hoursBack: '2' },
    { interval: '2.5', hoursBack: '2' },
  ])('saves no value outside its range: %j', (numbers) => {
    const sut = startControl()
    sut.actor.send({ type: 'settings.submitted', settings: { ...numbers, enabled: true }, shown })
    expect([sut.state(), sut.save.calls.length]).toEqual(['editing', 0])
  })

  it('saves nothing if the settings equal the current ones, also when they became current after they were typed', () => {
    const sut = startControl()
    sut.actor.send({ type: 'settings.submitted', settings: shown, shown })
    sut.actor.send({ type: 'settings.edited', settings: typed, shown })
    sut.actor.send({ type: 'settings.submitted', settings: typed, shown: typed })
    expect([sut.state(), sut.save.calls.length]).toEqual(['editing', 0])
  })

  it.each([
    ['1', '1'],
    ['60', '24'],
  ])('saves the limits of the ranges: %s min, %s h', (interval, hoursBack) => {
    const sut = startControl()
    sut.actor.send({ type: 'settings.submitted', settings: { interval, hoursBack, enabled: false }, shown })
    expect(sut.save.inputs()).toEqual([
      { config: { interval_minutes: Number(interval), hours_back: Number(hoursBack), enabled: false } },
    ])
  })

  it('keeps the typed settings and shows the error if they cannot be saved', async () => {
    const sut = startControl()
    sut.actor.send({ type: 'settings.submitted', settings: typed, shown })
    await sut.save.reject(failures.unnamed)
    expect([sut.state(), selectTyped(sut.actor.getSnapshot()), sut.toasts]).toEqual([
      'editing',
      typed,
      [error('Failed to update settings')],
    ])
  })

  it.each([
    ['start.requested', true],
    ['stop.requested', false],
  ] as const)('%s is executed once; the typed settings stay', async (type, on) => {
    const sut = startControl()
    sut.actor.send({ type: 'settings.edited', settings: typed, shown })
    sut.actor.send({ type })
    sut.actor.send({ type })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([sut.state(), sut.toggle.inputs()]).toEqual(['toggling', [{ on }]])
    await sut.toggle.resolve(null)
    expect([sut.state(), sut.told.at(-1), selectTyped(sut.actor.getSnapshot())]).toEqual([
      'editing',
      { type: 'autoSync.invalidated' },
      typed,
    ])
  })

  it('shows the error if the sync cannot be turned on or off', async () => {
    const sut = startControl()
    sut.actor.send({ type: 'stop.requested' })
    await sut.toggle.reject(failures.unnamed)
    expect([sut.state(), sut.toasts]).toEqual(['editing', [error('Failed to toggle auto-sync')]])
  })

  it.each([
    { ...shown, interval: '6' },
    { ...shown, hoursBack: '' },
    { ...shown, enabled: false },
  ])('asks before it discards typed settings: %j', (settings) => {
    const sut = startControl()
    const asks = () => selectAsksToDiscard(sut.actor.getSnapshot())
    sut.actor.send({ type: 'settings.edited', settings, shown })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([sut.state(), asks()]).toEqual(['leaving', true])
    sut.actor.send({ type: 'discard.refused' })
    expect([sut.state(), selectTyped(sut.actor.getSnapshot())]).toEqual(['editing', settings])
    sut.actor.send({ type: 'dialog.dismissed' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([sut.state(), selectTyped(sut.actor.getSnapshot())]).toEqual(['editing', settings])
    sut.actor.send({ type: 'dialog.dismissed' })
    sut.actor.send({ type: 'discard.confirmed' })
    expect(sut.state()).toBe('dismissed')
  })

  it('does not ask if the typed settings equal the current ones', () => {
    const sut = startControl()
    sut.actor.send({ type: 'settings.edited', settings: typed, shown })
    sut.actor.send({ type: 'settings.edited', settings: shown, shown })
    expect(selectTyped(sut.actor.getSnapshot())).toBe(null)
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(sut.state()).toBe('dismissed')
  })

  it('ends when staff dismiss it', () => {
    const sut = startControl()
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(sut.state()).toBe('dismissed')
  })

  type Typed = { interval: string; hoursBack: string; enabled: boolean }
  type State = {
    step: 'editing' | 'leaving' | 'saving' | 'toggling' | 'dismissed'
    typed: Typed | null
    saves: unknown[]
    toggles: boolean[]
    toasts: unknown[]
    told: string[]
  }
  const isShown = (settings: Typed) => JSON.stringify(settings) === JSON.stringify(shown)
  const fail = ({ toasts, told }: State): Partial<State> => ({
    step: 'editing',
    toasts: [...toasts, error('Server error. Please try again later.')],
    told: [...told, 'autoSync.invalidated'],
  })
  const report = (told: string[], status: AutoSyncStatus | null) => [
    ...told,
    status === null ? 'autoSync.invalidated' : 'autoSync.received',
  ]
  const reference: Reference<State> = {
    start: { step: 'editing', typed: null, saves: [], toggles: [], toasts: [], told: ['autoSync.invalidated'] },
    accepts: ({ step }) =>
      ({
        editing: ['settings.edited', 'settings.submitted', 'start.requested', 'stop.requested', 'dialog.dismissed'],
        leaving: ['discard.confirmed', 'discard.refused', 'dialog.dismissed'],
        saving: ends('saveConfig'),
        toggling: ends('toggle'),
        dismissed: [],
      })[step],
    rules: {
      'settings.edited': (_, { settings }) => ({ typed: isShown(settings) ? null : settings }),
      'settings.submitted': ({ saves }, { settings }) =>
        isShown(settings) || settings.interval === '0'
          ? {}
          : { step: 'saving', typed: settings, saves: [...saves, { config }] },
      'start.requested': ({ toggles }) => ({ step: 'toggling', toggles: [...toggles, true] }),
      'stop.requested': ({ toggles }) => ({ step: 'toggling', toggles: [...toggles, false] }),
      'dialog.dismissed': ({ step, typed: text }) => {
        if (step === 'leaving') return { step: 'editing' }
        return { step: text === null ? 'dismissed' : 'leaving' }
      },
      'discard.confirmed': () => ({ step: 'dismissed' }),
      'discard.refused': () => ({ step: 'editing' }),
      'xstate.done.actor.saveConfig': ({ toasts, told }, { output }) => ({
        step: 'editing',
        typed: null,
        toasts: [...toasts, { kind: 'success', text: 'Settings updated' }],
        told: report(told, output),
      }),
      'xstate.error.actor.saveConfig': fail,
      'xstate.done.actor.toggle': ({ told }, { output }) => ({ step: 'editing', told: report(told, output) }),
      'xstate.error.actor.toggle': fail,
    },
    shown: (state) => state,
  }

  it('shows what the reference shows on every path', async () => {
    const paths = modelOf(autoSyncControlMachine, {
      input: undefined,
      vertex: ({ context }) => context,
      cases: {
        'settings.edited': [{ settings: typed, shown }],
        'discard.confirmed': [{}],
        'discard.refused': [{}],
        'settings.submitted': [
          { settings: typed, shown },
          { settings: { ...typed, interval: '0' }, shown },
          { settings: shown, shown },
        ],
        'start.requested': [{}],
        'stop.requested': [{}],
        'dialog.dismissed': [{}],
        'xstate.done.actor.saveConfig': [{ output: null }, { output: autoSyncOf() }],
        'xstate.error.actor.saveConfig': [{ error: failures.broken }],
        'xstate.done.actor.toggle': [{ output: autoSyncOf() }],
        'xstate.error.actor.toggle': [{ error: failures.broken }],
      },
    }).everyPath()
    for (const path of paths) {
      const sut = startControl()
      const drive = driverOf(sut.actor.send, { calls: { saveConfig: sut.save, toggle: sut.toggle } })
      await followBeside(path, drive, reference, () => ({
        step: sut.state(),
        typed: selectTyped(sut.actor.getSnapshot()),
        saves: sut.save.inputs(),
        toggles: sut.toggle.inputs().map(({ on }) => on),
        toasts: sut.toasts,
        told: sut.told.map(({ type }) => type),
      }))
    }
  })

  it('enters every state', () => expect(controlCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(controlCoverage.transitionsMissed()).toEqual([]))
})
