import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { selectChanges, selectKind, summaryCheckMachine } from '../../../src/machines/client/summary-check.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { faults } from './clients-fixture.ts'
import { changed, startSummaryCheck, summary, summaryCheckModel, unchanged } from './summary-check-fixture.ts'

const coverage = createCoverage(summaryCheckMachine)
const start = () => startSummaryCheck(coverage.inspect)
const held = { draftId: 'd1', text: 'Hello!', summary }

/** A message with a summary is held. */
function startHeld() {
  const sut = start()
  sut.actor.send({ type: 'send.held', ...held })
  return sut
}

describe('A message with a summary', () => {
  it('is checked against the orders that its summary was made from, and goes if nothing changed', async () => {
    const sut = startHeld()
    expect([sut.state(), sut.check.inputs()]).toEqual(['checking', [summary]])
    await sut.check.resolve(unchanged)
    expect(sut.state()).toBe('unchanged')
    sut.actor.send({ type: 'send.released' })
    expect(sut.state()).toBe('idle')
  })

  it('waits for the person if something changed, who is asked once', async () => {
    const sut = startHeld()
    await sut.check.resolve(changed)
    expect([selectChanges(sut.actor.getSnapshot()), selectKind(sut.actor.getSnapshot())]).toEqual([
      changed.changes,
      'orders',
    ])
    sut.actor.send({ type: 'send.confirmed' })
    expect([sut.state(), selectChanges(sut.actor.getSnapshot())]).toEqual(['idle', null])
    // The outbox did not accept the message. The next check compares with the orders that the person has seen.
    sut.actor.send({ type: 'send.held', ...held })
    expect(sut.check.inputs()[1]).toEqual({ ...summary, orders: changed.orders })
  })

  it('goes without a question after its summary was updated', async () => {
    const sut = startHeld()
    await sut.check.resolve(changed)
    sut.actor.send({ type: 'summary.inserted' })
    expect(sut.state()).toBe('idle')
    const updated = { ...summary, orders: changed.orders }
    sut.actor.send({ type: 'send.held', ...held, summary: updated })
    await sut.check.resolve({ changes: [], orders: changed.orders })
    expect([sut.state(), sut.check.inputs()[1]]).toEqual(['unchanged', updated])
  })

  it.each([
    ['fails', (sut: ReturnType<typeof start>) => sut.check.reject(faults.noAnswer)],
    ['takes 5 s', (sut: ReturnType<typeof start>) => sut.clock.increment(1)],
  ])('waits for the person if the check %s, and can be checked again', async (_, happen) => {
    const sut = startHeld()
    sut.clock.increment(4_999)
    expect(sut.state()).toBe('checking')
    await happen(sut)
    expect(sut.state()).toBe('unchecked')
    sut.actor.send({ type: 'check.retried' })
    await sut.check.resolve(unchanged)
    expect(sut.state()).toBe('unchanged')
  })

  it('is not sent if the person goes on writing during the check', async () => {
    const sut = startHeld()
    sut.actor.send({ type: 'draft.changed', draftId: 'd1', text: 'Hello! And' })
    expect(sut.state()).toBe('idle')
    await sut.check.resolve(unchanged)
    expect(sut.state()).toBe('idle')
  })

  it('whose changes the person has seen is compared with its own orders once it has a new summary', async () => {
    const sut = startHeld()
    await sut.check.resolve(changed)
    sut.actor.send({ type: 'send.confirmed' })
    sut.actor.send({ type: 'summary.inserted' })
    sut.actor.send({ type: 'send.held', ...held })
    expect(sut.check.inputs()[1]).toEqual(summary)
  })

  it('without a summary is not checked', () => {
    const sut = start()
    sut.actor.send({ type: 'send.held', ...held, summary: null })
    expect(sut.state()).toBe('idle')
  })
})

describe('the walk through the check', () => {
  const paths = summaryCheckModel().everyTransition()
  const limit = 'xstate.after.checkLimit.summaryCheck.checking'

  type At = 'idle' | 'checking' | 'unchanged' | 'changed' | 'unchecked'
  type State = { id: string | null; at: At; isHeld: boolean }
  const left = { at: 'idle', isHeld: false } as const
  const reference: Reference<State> = {
    start: { id: 'ana', at: 'idle', isHeld: false },
    accepts: ({ at }) => [
      'conversation.opened',
      'conversation.closed',
      'summary.inserted',
      at === 'idle' ? 'send.held' : 'draft.changed',
      ...when(at === 'checking', ...ends('checkSummary'), limit),
      ...when(at === 'unchanged', 'send.released'),
      ...when(at === 'changed' || at === 'unchecked', 'send.confirmed'),
      ...when(at === 'unchecked', 'check.retried'),
    ],
    rules: {
      'conversation.opened': (state, { id }) => (state.id === id ? {} : { id, ...left }),
      'conversation.closed': () => ({ id: null, ...left }),
      'summary.inserted': () => left,
      'draft.changed': ({ at }, { draftId, text }: AnyEventObject) => {
        const isSame = draftId === 'd1' && (at === 'changed' ? text !== '' : text === 'Hello!')
        return isSame ? {} : left
      },
      'send.held': (_, { summary: inserted }) => (inserted === null ? {} : { at: 'checking', isHeld: true }),
      'xstate.done.actor.checkSummary': (_, { output }) => ({
        at: output.changes.length > 0 ? 'changed' : 'unchanged',
      }),
      'xstate.error.actor.checkSummary': () => ({ at: 'unchecked' }),
      [limit]: () => ({ at: 'unchecked' }),
      'send.released': () => left,
      'send.confirmed': () => left,
      'check.retried': () => ({ at: 'checking' }),
    },
    shown: ({ at, isHeld }) => ({
      at,
      changes: at === 'changed' ? changed.changes : null,
      kind: isHeld ? 'orders' : null,
    }),
  }

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const drive = driverOf(sut.actor.send, {
      calls: { checkSummary: sut.check },
      delays: { checkLimit: () => sut.clock.increment(5_000) },
    })
    await followBeside(path, drive, reference, () => {
      const snapshot = sut.actor.getSnapshot()
      return {
        at: snapshot.value,
        changes: selectChanges(snapshot),
        kind: selectKind(snapshot),
      }
    })
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
