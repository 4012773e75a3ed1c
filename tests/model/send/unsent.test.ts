import { describe, expect, it } from 'vitest'
import { createActor } from 'xstate'
import { selectDiscarded, type UnsentEvent, unsentMachine } from '../../../src/machines/send/unsent.ts'
import { createCoverage } from '../harness.ts'
import { followBeside, type Reference, when } from '../reference.ts'
import { outgoingOf } from './send-fixture.ts'
import { unsentModel } from './unsent-fixture.ts'

const coverage = createCoverage(unsentMachine)

function start(asksAbout: string | null = null) {
  const told: unknown[] = []
  const actor = createActor(unsentMachine.provide({ actions: { tellOwners: (_, event) => void told.push(event) } }), {
    input: { asksAbout: asksAbout === null ? null : outgoingOf({ key: asksAbout }) },
    inspect: coverage.inspect,
  }).start()
  return {
    send: (event: UnsentEvent) => actor.send(event),
    seen: () => {
      const snapshot = actor.getSnapshot()
      return { isOpen: snapshot.status === 'active', asks: selectDiscarded(snapshot)?.key ?? null, told }
    },
  }
}

describe('the dialog with unsent messages', () => {
  type State = { isOpen: boolean; asks: string | null; told: unknown[] }
  /** Only an answered question discards, and only the message that it was about. A dismissal ends the question first. */
  const reference: Reference<State> = {
    start: { isOpen: true, asks: null, told: [] },
    accepts: ({ asks }) => [
      'dialog.dismissed',
      ...when(asks === null, 'discard.requested'),
      ...when(asks !== null, 'discard.confirmed', 'discard.refused'),
    ],
    rules: {
      'discard.requested': (_, { send }) => ({ asks: send.key }),
      'discard.refused': () => ({ asks: null }),
      'discard.confirmed': ({ asks, told }) => ({ asks: null, told: [...told, { type: 'send.discarded', key: asks }] }),
      'dialog.dismissed': ({ asks }) => (asks === null ? { isOpen: false } : { asks: null }),
    },
    shown: (state) => state,
  }

  it.each(
    unsentModel()
      .everyTransition()
      .map((path) => [path.title, path] as const),
  )('%s', async (_title, path) => {
    const sut = start()
    await followBeside(path, (event) => sut.send(event as UnsentEvent), reference, sut.seen)
  })

  /** The dialog ends with the question, whatever the answer is. */
  const asked: Reference<State> = {
    ...reference,
    start: { isOpen: true, asks: 'a', told: [] },
    accepts: ({ isOpen }) => when(isOpen, 'dialog.dismissed', 'discard.confirmed', 'discard.refused'),
    rules: {
      'discard.refused': () => ({ isOpen: false, asks: null }),
      'discard.confirmed': () => ({ isOpen: false, asks: null, told: [{ type: 'send.discarded', key: 'a' }] }),
      'dialog.dismissed': () => ({ isOpen: false, asks: null }),
    },
  }

  it.each(
    unsentModel('a')
      .everyTransition()
      .map((path) => [path.title, path] as const),
  )('opened for one message: %s', async (_title, path) => {
    const sut = start('a')
    await followBeside(path, (event) => sut.send(event as UnsentEvent), asked, sut.seen)
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
