import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { type DeviceCacheEvent, deviceCacheMachine } from '../../../src/machines/session/device-cache.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { SavedInbox } from '../../../src/schemas/saved-inbox.ts'
import { createControl, createCoverage, settled } from '../harness.ts'
import { ana } from './auth-fixture.ts'

const coverage = createCoverage(deviceCacheMachine)
const allowed: AuthUser = { ...ana, deviceCache: true }

function start({ user = allowed, isConfirmed = true, isShared = false } = {}) {
  let isSharedNow = isShared
  const save = createControl<void, { inbox: SavedInbox | null }>()
  const clear = createControl<void>()
  const clock = new SimulatedClock()
  let report: (event: DeviceCacheEvent) => void = () => {}
  const actor = createActor(
    deviceCacheMachine.provide({
      actors: {
        saveInbox: save.logic,
        clearDevice: clear.logic,
        watchScreen: fromCallback(({ sendBack }) => {
          report = sendBack
        }),
      },
      guards: { 'is a shared computer': () => isSharedNow },
    }),
    { input: { user, isConfirmed, thread: null }, clock, inspect: coverage.inspect },
  ).start()
  return {
    save,
    clear,
    clock,
    state: () => actor.getSnapshot().value,
    changes: () => report({ type: 'screen.changed' }),
    share: (isShared: boolean) => {
      isSharedNow = isShared
      actor.send({ type: 'sharedComputer.changed' })
    },
    confirm: (user: AuthUser) => actor.send({ type: 'user.confirmed', user }),
  }
}

describe('the copy of the inbox in the browser', () => {
  it('is saved once, 2 s after the first of several changes', () => {
    const { save, clock, changes } = start()
    changes()
    clock.increment(1_999)
    changes()
    expect(save.calls).toHaveLength(0)
    clock.increment(1)
    expect(save.calls).toHaveLength(1)
    clock.increment(60_000)
    expect(save.calls).toHaveLength(1)
  })

  it('is saved again for a change during a save', async () => {
    const { save, clock, changes, state } = start()
    changes()
    clock.increment(2_000)
    changes()
    clock.increment(2_000)
    expect(save.calls).toHaveLength(2)
    await save.resolve()
    expect(state()).toEqual({ keeping: 'saved' })
  })

  it('is saved at the next change after a failed save', async () => {
    const { save, clock, changes, state } = start()
    changes()
    clock.increment(2_000)
    await save.reject(new Error('no room'))
    expect(state()).toEqual({ keeping: 'saved' })
    changes()
    clock.increment(2_000)
    expect(save.calls).toHaveLength(2)
  })

  it.each<[string, Parameters<typeof start>[0]]>([
    ['an API without the setting', { user: ana }],
    ['an API that forbids the copy', { user: { ...ana, deviceCache: false } }],
    ['a shared computer', { isShared: true }],
    ['a shared computer, before the server has confirmed the user,', { isShared: true, isConfirmed: false }],
  ])('is deleted and not saved with %s', async (_, settings) => {
    const { save, clear, clock, changes, state } = start(settings)
    expect(clear.calls).toHaveLength(1)
    await clear.resolve()
    changes()
    clock.increment(60_000)
    expect([state(), save.calls.length]).toEqual(['off', 0])
  })

  it('is off after a failed deletion', async () => {
    const { clear, state } = start({ user: ana })
    await clear.reject(new Error('blocked'))
    expect(state()).toBe('off')
  })

  it('is not saved before the server has confirmed who is signed in', async () => {
    const { save, clock, changes, confirm, state } = start({ isConfirmed: false })
    changes()
    clock.increment(60_000)
    expect([state(), save.calls.length]).toEqual(['unconfirmed', 0])
    confirm(allowed)
    await settled()
    changes()
    clock.increment(2_000)
    expect(save.calls).toHaveLength(1)
  })

  it('is deleted if the server no longer allows it', () => {
    const { clear, confirm, state } = start({ isConfirmed: false })
    confirm({ ...ana, deviceCache: false })
    expect([state(), clear.calls.length]).toEqual(['clearing', 1])
  })

  it('is deleted once the computer becomes a shared one, and saved again after that is taken back', async () => {
    const { save, clear, clock, changes, share, state } = start()
    changes()
    clock.increment(1_999)
    share(true)
    clock.increment(60_000)
    expect([state(), save.calls.length, clear.calls.length]).toEqual(['clearing', 0, 1])
    await clear.resolve()
    expect(state()).toBe('off')
    share(false)
    changes()
    clock.increment(2_000)
    expect(save.calls).toHaveLength(1)
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
