import { describe, expect, it } from 'vitest'
import { realtimeMachine, selectConnection } from '../../../src/machines/shell/realtime.ts'
import { createCoverage, follow } from '../harness.ts'
import { driveRealtime, realtimeModel, seen, startRealtime, startRealtimeWith } from './realtime-fixture.ts'

const coverage = createCoverage(realtimeMachine)

const paths = realtimeModel().everyTransition()

describe('realtime matches its model', () => {
  it(`on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const sut = startRealtime(coverage.inspect)
      await follow(path, driveRealtime(sut), ({ expected }) => {
        const snapshot = sut.actor.getSnapshot()
        expect(seen(snapshot), path.title).toEqual(seen(expected))

        // After every step: Live requires both channels, and a channel exists as long as it is used.
        const isUp = (name: 'messages' | 'users') => sut.opened(name).filter(({ isOpen }) => isOpen).length
        const isUsed = (name: 'messages' | 'users') =>
          name === 'messages' ? snapshot.matches({ messages: 'open' }) : snapshot.matches({ users: 'open' })
        expect([isUp('messages'), isUp('users')], path.title).toEqual([
          isUsed('messages') ? 1 : 0,
          isUsed('users') ? 1 : 0,
        ])
        if (selectConnection(snapshot) === 'live') expect(isUp('messages') + isUp('users'), path.title).toBe(2)
      })
      sut.actor.stop()
    }
  }, 120_000)

  it('without a confirmed user, and with an offline browser, opens no channel and shows no toast', () => {
    const sut = startRealtimeWith({ isConfirmed: false }, coverage.inspect)
    const shown = () => [sut.channels.length, sut.connection(), sut.toasts]
    sut.send({ type: 'browser.offline' })
    sut.send({ type: 'browser.online' })
    sut.clock.increment(120_000)
    expect(shown()).toEqual([0, 'connecting', []])
    sut.send({ type: 'user.confirmed' })
    expect(shown()).toEqual([2, 'connecting', []])
    sut.becomeReady('messages', 'users')
    sut.send({ type: 'resync.done' })
    // A second confirmation changes nothing.
    sut.send({ type: 'user.confirmed' })
    expect(shown()).toEqual([2, 'live', []])
    sut.actor.stop()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
