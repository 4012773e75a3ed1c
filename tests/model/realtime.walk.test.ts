import { describe, expect, it } from 'vitest'
import { realtimeMachine, selectConnection } from '../../src/machines/realtime.ts'
import { createCoverage, follow, modelOf } from './harness.ts'
import { inserted, renamed } from './inbox-fixture.ts'
import { driveRealtime, seen, startRealtime, wholeDelays } from './realtime-fixture.ts'

const coverage = createCoverage(realtimeMachine)

const eachOf = (...channels: string[]) => channels.map((channel) => ({ channel }))

const modelWith = (...channels: string[]) =>
  modelOf(realtimeMachine, {
    input: { random: wholeDelays },
    vertex: ({ context }) => context,
    // How long it waits after so many failures is pinned in the journeys.
    stopWhen: ({ context }) => context.failures.messages + context.failures.users > 1,
    limit: 20_000,
    cases: {
      'channel.subscribed': eachOf(...channels),
      'channel.ready': eachOf(...channels),
      'channel.failed': eachOf(...channels),
      'channel.timedOut': eachOf(...channels),
      'channel.closed': eachOf(...channels),
      'messages.heard': [{ changes: [inserted('c1', 10)] }],
      'users.heard': [{ changes: [renamed('u1', 'Maria')] }],
      'row.refused': [{}],
      'catchUp.done': [{}],
      'tab.shown': [{}],
      'tab.hidden': [{}],
      'browser.online': [{}],
      'browser.offline': [{}],
      'clock.jumped': [{}],
    },
  })

const paths = modelWith('messages', 'users').everyTransition()

describe('realtime does what its model says', () => {
  it(`over ${paths.length} paths, one to each transition`, async () => {
    for (const path of paths) {
      const sut = startRealtime(coverage.inspect)
      await follow(path, driveRealtime(sut), ({ expected }) => {
        const snapshot = sut.actor.getSnapshot()
        expect(seen(snapshot), path.title).toEqual(seen(expected))

        // Whatever happened before: Live is never said with a channel down, and a channel runs while it is used.
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

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
