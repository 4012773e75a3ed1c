import { describe, expect, it } from 'vitest'
import {
  paletteMachine,
  selectFound,
  selectFurther,
  selectHasFailed,
  selectIsSearching,
  selectTerm,
} from '../../../src/machines/shell/palette.ts'
import { faults } from '../client/clients-fixture.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { followBeside } from '../reference.ts'
import { ana, answerOf, anton, paletteModel, paletteReference, phaseOf, startPalette } from './palette-fixture.ts'

const coverage = createCoverage(paletteMachine)
const start = () => startPalette(coverage.inspect)
type Sut = ReturnType<typeof start>

const shownBy = ({ actor, toasts }: Sut) => {
  const snapshot = actor.getSnapshot()
  return {
    phase: phaseOf(snapshot),
    term: selectTerm(snapshot),
    found: selectFound(snapshot),
    further: selectFurther(snapshot),
    failures: toasts.length,
  }
}

describe('the palette', () => {
  it('searches people 300 ms after the last key press, by the trimmed term', () => {
    const { actor, clock, find } = start()
    actor.send({ type: 'term.typed', term: ' a' })
    clock.increment(299)
    actor.send({ type: 'term.typed', term: ' an ' })
    clock.increment(299)
    expect(find.inputs()).toEqual([])
    clock.increment(1)
    expect(find.inputs()).toEqual([{ term: 'an' }])
  })

  it.each(['', '  ', 'x'.repeat(201)])('does not search for %j', (term) => {
    const { actor, clock, find, state } = start()
    actor.send({ type: 'term.typed', term })
    clock.increment(60_000)
    expect([find.calls.length, state()]).toEqual([0, { open: 'idle' }])
  })

  it('aborts a search that another term overtakes, and ignores its answer', async () => {
    const sut = start()
    sut.actor.send({ type: 'term.typed', term: 'ana' })
    sut.clock.increment(300)
    sut.actor.send({ type: 'term.typed', term: 'ant' })
    const [first] = sut.find.calls
    expect(first?.signal.aborted).toBe(true)
    sut.clock.increment(300)
    first?.resolve(answerOf([ana]))
    await sut.find.resolve(answerOf([anton]))
    expect([selectFound(sut.actor.getSnapshot()), sut.row('u1')]).toEqual([['u2'], undefined])
  })

  it('gives the found rows to the records and holds them there', async () => {
    const sut = start()
    sut.actor.send({ type: 'term.typed', term: 'an' })
    sut.clock.increment(300)
    await sut.find.resolve(answerOf([ana, anton]))
    expect([sut.row('u1'), sut.row('u2'), sut.held()]).toEqual([ana, anton, ['u1', 'u2']])
  })

  it('says that a search failed, and searches again on request', async () => {
    const sut = start()
    sut.actor.send({ type: 'term.typed', term: 'ana' })
    expect(selectIsSearching(sut.actor.getSnapshot())).toBe(true)
    sut.clock.increment(300)
    await sut.find.reject(faults.invalid)
    const failed = sut.actor.getSnapshot()
    expect([selectHasFailed(failed), selectIsSearching(failed), selectTerm(failed), sut.toasts]).toEqual([
      true,
      false,
      'ana',
      [{ kind: 'error', text: 'Failed to load conversations' }],
    ])
    sut.actor.send({ type: 'refetch.requested' })
    expect(sut.find.inputs()).toEqual([{ term: 'ana' }, { term: 'ana' }])
  })

  it('reports the chosen command once, and ends', () => {
    const { actor, told } = start()
    actor.send({ type: 'command.chosen', id: 'faq' })
    actor.send({ type: 'command.chosen', id: 'pages' })
    expect([told, actor.getSnapshot().status]).toEqual([[{ type: 'command.chosen', id: 'faq' }], 'done'])
  })
})

describe('every transition of the palette, beside the reference', () => {
  it.each(
    paletteModel()
      .everyTransition()
      .map((path) => [path.title, path] as const),
  )('%s', async (_, path) => {
    const sut = start()
    const drive = driverOf((event) => sut.actor.send(event), {
      calls: { findPeople: sut.find },
      delays: { searchDebounce: () => sut.clock.increment(300) },
    })
    await followBeside(path, drive, paletteReference, () => shownBy(sut))
  })
})

describe('the tests of the palette', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
