import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import {
  alarmsMachine,
  selectAlarms,
  selectAlarmsHaveFailed,
  selectAreAlarmsKnown,
  selectOpenAlarmCount,
} from '../../../src/machines/shell/alarms.ts'
import type { ShownAlarm } from '../../../src/schemas/alarm.ts'
import { failures } from '../dialogs-fixture.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { administrator, agent, alarmsModel, quiet, ringing, startAlarms } from './alarms-fixture.ts'

const coverage = createCoverage(alarmsMachine)
const start = (user = administrator) => startAlarms(user, coverage.inspect)

/** What the views read. */
const shown = (snapshot: SnapshotFrom<typeof alarmsMachine>) => ({
  isKnown: selectAreAlarmsKnown(snapshot),
  alarms: selectAlarms(snapshot),
  open: selectOpenAlarmCount(snapshot),
  hasFailed: selectAlarmsHaveFailed(snapshot),
})

describe('the alarms', () => {
  it('make no call without the permission, also after a refresh and when the tab is shown', () => {
    const sut = start(agent)
    for (const type of ['refetch.requested', 'tab.hidden', 'tab.shown', 'clock.jumped'] as const)
      sut.actor.send({ type })
    sut.clock.increment(600_000)
    expect([sut.load.calls.length, shown(sut.snapshot()).isKnown]).toEqual([0, false])
  })

  it('begin when the server confirms a user with the permission', () => {
    const sut = start(agent)
    sut.actor.send({ type: 'user.confirmed', user: administrator })
    expect(sut.load.calls.length).toBe(1)
  })

  it('are forgotten, and the call is aborted, when the server confirms a user without the permission', async () => {
    const sut = start()
    await sut.load.resolve(ringing)
    sut.clock.increment(30_000)
    sut.actor.send({ type: 'user.confirmed', user: agent })
    sut.clock.increment(600_000)
    expect([sut.load.last().signal.aborted, sut.load.calls.length]).toEqual([true, 2])
    expect(shown(sut.snapshot())).toEqual({ isKnown: false, alarms: [], open: 0, hasFailed: false })
  })

  it('are fetched every 30 s, and every 300 s in a hidden tab, and at once when the tab is shown', async () => {
    const sut = start()
    const counts: number[] = []
    const wait = async (milliseconds: number) => {
      await sut.load.resolve(quiet)
      sut.clock.increment(milliseconds - 1)
      counts.push(sut.load.calls.length)
      sut.clock.increment(1)
      counts.push(sut.load.calls.length)
    }
    await wait(30_000)
    sut.actor.send({ type: 'tab.hidden' })
    await wait(300_000)
    sut.actor.send({ type: 'tab.shown' })
    counts.push(sut.load.calls.length)
    await wait(30_000)
    expect(counts).toEqual([1, 2, 2, 3, 4, 4, 5])
  })

  it('are fetched every 300 s in a tab that was hidden before the user was confirmed', async () => {
    const sut = start(agent)
    sut.actor.send({ type: 'tab.hidden' })
    sut.actor.send({ type: 'user.confirmed', user: administrator })
    await sut.load.resolve(quiet)
    sut.clock.increment(299_999)
    expect(sut.load.calls.length).toBe(1)
  })

  it.each(Object.entries(failures))('stay without a toast after a failed poll: %s', async (_, failure) => {
    const sut = start()
    await sut.load.resolve(ringing)
    sut.clock.increment(30_000)
    await sut.load.reject(failure)
    expect([shown(sut.snapshot()), sut.toasts]).toEqual([
      { isKnown: true, alarms: ringing, open: 1, hasFailed: true },
      [],
    ])
    sut.clock.increment(30_000)
    await sut.load.resolve(quiet)
    expect(shown(sut.snapshot())).toEqual({ isKnown: true, alarms: quiet, open: 0, hasFailed: false })
  })

  it('are unknown while no poll has succeeded', async () => {
    const sut = start()
    await sut.load.reject(failures.noAnswer)
    expect(shown(sut.snapshot())).toEqual({ isKnown: false, alarms: [], open: 0, hasFailed: true })
  })
})

describe.each([
  ['an administrator', administrator],
  ['an agent', agent],
])('the walk through the alarms of %s', (_, person) => {
  const paths = alarmsModel(person).everyTransition()

  type State = {
    isOffered: boolean
    isHidden: boolean
    alarms: readonly ShownAlarm[] | null
    poll: 'asking' | 'waiting' | 'failed'
    polls: number
  }
  const ask = ({ isOffered, polls }: State): Partial<State> => (isOffered ? { poll: 'asking', polls: polls + 1 } : {})
  const isAdministrator = person === administrator
  const reference: Reference<State> = {
    start: {
      isOffered: isAdministrator,
      isHidden: false,
      alarms: null,
      poll: 'asking',
      polls: isAdministrator ? 1 : 0,
    },
    accepts: ({ isOffered, poll }) => [
      ...['tab.hidden', 'tab.shown', 'user.confirmed'],
      ...when(isOffered, 'clock.jumped', 'refetch.requested'),
      ...when(isOffered && poll === 'asking', ...ends('loadAlarms')),
      ...when(isOffered && poll !== 'asking', `xstate.after.pollDelay.alarms.offered.polling.${poll}`),
    ],
    rules: {
      'user.confirmed': (state, { user }) => {
        if (user !== administrator) return { isOffered: false, alarms: null }
        return state.isOffered ? {} : { isOffered: true, ...ask({ ...state, isOffered: true }) }
      },
      'refetch.requested': ask,
      'clock.jumped': ask,
      'tab.shown': (state) => ({ ...ask(state), isHidden: false }),
      'tab.hidden': () => ({ isHidden: true }),
      'xstate.done.actor.loadAlarms': (_state, { output }) => ({ poll: 'waiting', alarms: output }),
      'xstate.error.actor.loadAlarms': () => ({ poll: 'failed' }),
      'xstate.after.pollDelay.alarms.offered.polling.waiting': ask,
      'xstate.after.pollDelay.alarms.offered.polling.failed': ask,
    },
    shown: ({ isOffered, isHidden, alarms, poll, polls }) => ({
      isKnown: alarms !== null,
      alarms: alarms ?? [],
      open: alarms === ringing ? 1 : 0,
      hasFailed: isOffered && poll === 'failed',
      polls,
      state: isOffered
        ? {
            offered: {
              polling: poll,
              incidents: alarms === null ? 'loading' : alarms === ringing ? 'ringing' : 'quiet',
            },
          }
        : 'notOffered',
      isHidden,
      toasts: [],
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start(person)
      const drive = driverOf(sut.actor.send, {
        calls: { loadAlarms: sut.load },
        delays: { pollDelay: () => sut.clock.increment(sut.snapshot().context.isHidden ? 300_000 : 30_000) },
      })
      await followBeside(path, drive, reference, () => ({
        ...shown(sut.snapshot()),
        polls: sut.load.calls.length,
        state: sut.snapshot().value,
        isHidden: sut.snapshot().context.isHidden,
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })
})

describe('the walks through the alarms', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
