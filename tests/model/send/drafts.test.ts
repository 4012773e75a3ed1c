import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import type { Draft } from '../../../src/domain/send/draft.ts'
import { type DraftsEvent, draftsMachine } from '../../../src/machines/send/drafts.ts'
import { createCoverage } from '../harness.ts'
import { followBeside, type Reference } from '../reference.ts'
import { draftOf as draft, draftsModel, startDrafts } from './drafts-fixture.ts'

const coverage = createCoverage(draftsMachine)
const start = () => startDrafts(coverage.inspect)

describe('drafts', () => {
  it('are kept per conversation and stored with the id of the staff member', () => {
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

  it('are not stored again if they come from storage or from another tab', () => {
    const sut = start()
    sut.hear({ type: 'draft.received', conversationId: 'c1', draft: draft('d1', 'kept') })
    expect([sut.watched(), sut.of('c1'), sut.stored]).toEqual([{ staffId: 's1' }, draft('d1', 'kept'), []])
  })

  it('get a new id after another tab sent them, because the outbox accepts each draft id once', () => {
    const sut = start()
    sut.hear({ type: 'draft.received', conversationId: 'c1', draft: draft('d1', 'typed there') })
    sut.hear({ type: 'draft.received', conversationId: 'c1', draft: null })
    expect(sut.of('c1')).toEqual(draft('new', ''))
  })

  it.each([
    ['a', true],
    [' a ', true],
    [' \n', false],
    ['', false],
  ])('exist with the text %j: %s', (text, is) => {
    const sut = start()
    sut.send({ type: 'draft.changed', conversationId: 'c1', draft: draft('d1', text) })
    expect([sut.has('c1'), sut.has('c2')]).toEqual([is ? text : null, null])
  })

  it('stay the same object while they do not change', () => {
    const sut = start()
    sut.send({ type: 'draft.changed', conversationId: 'c1', draft: draft('d1', 'a') })
    const before = sut.of('c1')
    sut.send({ type: 'draft.changed', conversationId: 'c2', draft: draft('d2', 'b') })
    expect(sut.of('c1')).toBe(before)
  })
})

describe('the walk through the drafts', () => {
  const paths = draftsModel().everyTransition()
  const reference: Reference<{ drafts: Record<string, Draft>; stored: unknown[] }> = {
    start: { drafts: {}, stored: [] },
    accepts: () => ['draft.changed', 'draft.received', 'conversation.gone'],
    rules: {
      'draft.changed': ({ drafts, stored }, { conversationId, draft: typed }) => ({
        drafts: { ...drafts, [conversationId]: typed },
        stored: [...stored, { staffId: 's1', conversationId, draft: typed }],
      }),
      'conversation.gone': ({ drafts, stored }, { id }) => ({
        drafts: { ...drafts, [id]: draft('new', '') },
        stored: [...stored, { staffId: 's1', conversationId: id, draft: draft('new', '') }],
      }),
      'draft.received': ({ drafts }, { conversationId, draft: heard }) => ({
        drafts: { ...drafts, [conversationId]: heard ?? draft('new', '') },
      }),
    },
    shown: (state) => state,
  }

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const drive = (event: AnyEventObject) =>
      event.type === 'draft.received' ? sut.hear(event as DraftsEvent) : sut.send(event as DraftsEvent)
    await followBeside(path, drive, reference, () => ({
      drafts: Object.fromEntries(sut.drafts()),
      stored: sut.stored,
    }))
  })
})

describe('the tests of the drafts', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
