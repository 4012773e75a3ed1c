import { describe, expect, it } from 'vitest'
import { searchMachine, selectFoundTerm, selectHasFailed, selectHits } from '../../../src/machines/shell/search.ts'
import { faults } from '../client/clients-fixture.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { followBeside } from '../reference.ts'
import { messagesOf, phaseOf, searchModel, searchReference, startSearch } from './search-fixture.ts'

const coverage = createCoverage(searchMachine)
const start = (isOffered = true) => startSearch(isOffered, coverage.inspect)
type Sut = ReturnType<typeof start>

const idsOf = ({ actor }: Sut) =>
  selectHits(actor.getSnapshot()).messages?.hits.map(({ message_id }) => message_id) ?? []

const shownBy = (sut: Sut) => {
  const snapshot = sut.actor.getSnapshot()
  return {
    phase: phaseOf(snapshot),
    term: snapshot.context.term,
    found: selectFoundTerm(snapshot),
    ids: idsOf(sut),
    hasMore: selectHits(snapshot).messages?.next != null,
    failures: sut.toasts.length,
  }
}

describe('the search', () => {
  it('asks for clients, orders and messages 300 ms after the last key press, by the trimmed term', () => {
    const { actor, clock, search } = start()
    actor.send({ type: 'term.typed', term: ' p' })
    clock.increment(299)
    actor.send({ type: 'term.typed', term: ' po ' })
    clock.increment(300)
    expect(search.inputs()).toEqual([{ term: 'po', kinds: ['clients', 'orders', 'messages'], after: null }])
  })

  it.each([
    ['an empty term', '  ', true],
    ['a term that is too long', 'x'.repeat(201), true],
    ['an API that does not offer it', 'po', false],
  ])('makes no call for %s', (_, term, isOffered) => {
    const { actor, clock, search, state } = start(isOffered)
    actor.send({ type: 'term.typed', term })
    clock.increment(60_000)
    expect([search.calls.length, state()]).toEqual([0, 'idle'])
  })

  it('keeps the hits of the earlier term with their term until the answer', async () => {
    const sut = start()
    sut.actor.send({ type: 'term.typed', term: 'po' })
    sut.clock.increment(300)
    await sut.search.resolve(messagesOf(['m1']))
    sut.actor.send({ type: 'term.typed', term: 'bag' })
    sut.clock.increment(300)
    expect([idsOf(sut), selectFoundTerm(sut.actor.getSnapshot())]).toEqual([['m1'], 'po'])
    await sut.search.resolve(messagesOf(['m9']))
    expect([idsOf(sut), selectFoundTerm(sut.actor.getSnapshot())]).toEqual([['m9'], 'bag'])
  })

  it('appends the next result page of a group, and asks for a failed one again from the same place', async () => {
    const sut = start()
    sut.actor.send({ type: 'term.typed', term: 'po' })
    sut.clock.increment(300)
    await sut.search.resolve(messagesOf(['m2'], 'second'))
    sut.actor.send({ type: 'more.requested', kind: 'messages' })
    await sut.search.reject(faults.noAnswer)
    expect([idsOf(sut), sut.toasts.length, selectHasFailed(sut.actor.getSnapshot())]).toEqual([['m2'], 1, false])
    sut.actor.send({ type: 'more.requested', kind: 'messages' })
    await sut.search.resolve(messagesOf(['m1']))
    expect([idsOf(sut), sut.search.inputs().slice(1)]).toEqual([
      ['m2', 'm1'],
      [
        { term: 'po', kinds: ['messages'], after: 'second' },
        { term: 'po', kinds: ['messages'], after: 'second' },
      ],
    ])
  })
})

describe('every transition of the search, beside the reference', () => {
  it.each(
    searchModel()
      .everyTransition()
      .map((path) => [path.title, path] as const),
  )('%s', async (_, path) => {
    const sut = start()
    const drive = driverOf((event) => sut.actor.send(event), {
      calls: { search: sut.search, searchMore: sut.search },
      delays: { searchDebounce: () => sut.clock.increment(300) },
    })
    await followBeside(path, drive, searchReference, () => shownBy(sut))
  })
})

describe('the tests of the search', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
