import { describe, expect, it } from 'vitest'
import { createActor, fromCallback } from 'xstate'
import type { Draft } from '../../src/domain/draft.ts'
import { type DraftsEvent, draftsMachine, selectDraft } from '../../src/machines/drafts.ts'
import { createCoverage } from './harness.ts'

const coverage = createCoverage(draftsMachine)
const draft = (id: string, text: string): Draft => ({ id, text, pageId: null })

function start() {
  const stored: unknown[] = []
  let hear: (event: DraftsEvent) => void = () => {}
  let watched: unknown
  const actor = createActor(
    draftsMachine.provide({
      actors: {
        watchDrafts: fromCallback<DraftsEvent, { staffId: string }>(({ input, sendBack }) => {
          watched = input
          hear = sendBack
        }),
      },
      actions: { store: (_, kept) => void stored.push(kept) },
    }),
    { input: { staffId: 's1', newKey: () => 'new' }, inspect: coverage.inspect },
  ).start()
  return {
    send: (event: DraftsEvent) => actor.send(event),
    hear: (event: DraftsEvent) => hear(event),
    of: (conversationId: string) => selectDraft(conversationId)(actor.getSnapshot()),
    stored,
    watched: () => watched,
  }
}

describe('drafts', () => {
  it('are each conversation’s own, and stored with whose they are', () => {
    const sut = start()
    sut.send({ type: 'draft.changed', conversationId: 'c1', draft: draft('d1', 'for one') })
    sut.send({ type: 'draft.changed', conversationId: 'c2', draft: draft('d2', 'for two') })
    expect([sut.of('c1'), sut.of('c2'), sut.of('c3')]).toEqual([
      draft('d1', 'for one'),
      draft('d2', 'for two'),
      undefined,
    ])
    expect(sut.stored).toEqual([
      { staffId: 's1', conversationId: 'c1', draft: draft('d1', 'for one') },
      { staffId: 's1', conversationId: 'c2', draft: draft('d2', 'for two') },
    ])
  })

  it('that were kept, or come from another tab, are taken and not stored again', () => {
    const sut = start()
    sut.hear({ type: 'draft.heard', conversationId: 'c1', draft: draft('d1', 'kept') })
    expect([sut.watched(), sut.of('c1'), sut.stored]).toEqual([{ staffId: 's1' }, draft('d1', 'kept'), []])
  })

  it('that were sent from another tab are new ones, for an id is taken once', () => {
    const sut = start()
    sut.hear({ type: 'draft.heard', conversationId: 'c1', draft: draft('d1', 'typed there') })
    sut.hear({ type: 'draft.heard', conversationId: 'c1', draft: null })
    expect(sut.of('c1')).toEqual(draft('new', ''))
  })

  it('stay the same object while nothing changes them', () => {
    const sut = start()
    sut.send({ type: 'draft.changed', conversationId: 'c1', draft: draft('d1', 'a') })
    const before = sut.of('c1')
    sut.send({ type: 'draft.changed', conversationId: 'c2', draft: draft('d2', 'b') })
    expect(sut.of('c1')).toBe(before)
  })
})

describe('the tests of the drafts', () => {
  it('entered every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('took every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
