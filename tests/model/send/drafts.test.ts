import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import type { Draft } from '../../../src/domain/send/draft.ts'
import { countDraftsIn, type DraftsEvent, draftsMachine } from '../../../src/machines/send/drafts.ts'
import type { DraftExtras } from '../../../src/schemas/draft.ts'
import { createCoverage } from '../harness.ts'
import { followBeside, type Reference } from '../reference.ts'
import { draftOf as draft, draftsModel, serverDraft, serverDraftsModel, startDrafts } from './drafts-fixture.ts'

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

describe('drafts on the server', () => {
  const typed = (text: string, id = 'd1') =>
    ({ type: 'draft.changed', conversationId: 'c1', draft: draft(id, text) }) as const
  const fetched = (...drafts: ReturnType<typeof serverDraft>[]) => ({ type: 'drafts.fetched', drafts }) as const
  const saveOf = (text: string, replaces: string | null = null, extras: DraftExtras | null = null) => ({
    conversationId: 'c1',
    text,
    extras,
    version: 'new',
    replaces,
  })

  it('follow what is typed, with the version that a write replaces', () => {
    const sut = start()
    sut.send(typed('a'))
    sut.send({ type: 'draft.saving', conversationId: 'c1', version: 'v1' })
    sut.send({ type: 'draft.answered', save: saveOf('a'), result: { isSaved: true, draft: serverDraft('a') } })
    sut.send(typed('ab'))
    sut.send(typed(''))
    expect(sut.told()).toEqual([
      { type: 'drafts.changed', next: saveOf('a') },
      { type: 'drafts.merged', next: null },
      { type: 'drafts.changed', next: saveOf('ab', 'v1') },
      { type: 'drafts.changed', next: saveOf('', 'v1') },
    ])
  })

  it('are shown, and stored with what the server has', () => {
    const sut = start()
    sut.send(fetched(serverDraft('elsewhere')))
    expect([sut.of('c1'), sut.stored, sut.told()]).toEqual([
      draft('new', 'elsewhere'),
      [
        {
          staffId: 's1',
          conversationId: 'c1',
          draft: draft('new', 'elsewhere'),
          saved: { version: 'v1', text: 'elsewhere', extras: null, sent: [] },
        },
      ],
      [{ type: 'drafts.merged', next: null }],
    ])
  })

  it('disappear here when another device has sent them', () => {
    const sut = start()
    sut.send(fetched(serverDraft('elsewhere')))
    sut.send(fetched())
    expect([sut.of('c1')?.text, sut.told().at(-1)]).toEqual(['', { type: 'drafts.merged', next: null }])
  })

  it('that differ are neither saved nor replaced until a person chooses, once', () => {
    const sut = start()
    sut.send(typed('here'))
    sut.send(fetched(serverDraft('elsewhere')))
    expect([sut.of('c1')?.text, sut.other('c1'), sut.told().at(-1)]).toEqual([
      'here',
      'elsewhere',
      { type: 'drafts.merged', next: null },
    ])
    const settled = { type: 'difference.settled', conversationId: 'c1', choice: 'both' } as const
    sut.send(settled)
    sut.send(settled)
    expect([sut.of('c1')?.text, sut.other('c1'), sut.told().at(-1)]).toEqual([
      'here\n\nelsewhere',
      null,
      { type: 'drafts.changed', next: saveOf('here\n\nelsewhere', 'v1') },
    ])
  })

  it('that the server refused are sent again only after a change', () => {
    const sut = start()
    sut.send(typed('too long'))
    sut.send({ type: 'draft.refused', save: saveOf('too long') })
    expect(sut.told().at(-1)).toEqual({ type: 'drafts.merged', next: null })
    sut.send(typed('short'))
    expect(sut.told().at(-1)).toEqual({ type: 'drafts.changed', next: saveOf('short') })
  })

  it('are known again after a reload, so that text typed offline replaces them without a question', () => {
    const sut = start()
    const saved = { version: 'v1', text: 'a', extras: null, sent: [] }
    sut.hear({ type: 'draft.received', conversationId: 'c1', draft: draft('d1', 'ab'), saved })
    sut.send(fetched(serverDraft('a')))
    expect([sut.of('c1')?.text, sut.other('c1'), sut.told().at(-1)]).toEqual([
      'ab',
      null,
      { type: 'drafts.merged', next: saveOf('ab', 'v1') },
    ])
  })

  it('have their extras on every device, through a change elsewhere and until the text is gone', () => {
    const extras: DraftExtras = { structure: { kind: 'quickReplies', titles: ['Yes', 'No'] } }
    const sut = start()
    sut.send({ type: 'draft.changed', conversationId: 'c1', draft: { ...draft('d1', 'Will you come?'), extras } })
    const save = saveOf('Will you come?', null, extras)
    expect(sut.told().at(-1)).toEqual({ type: 'drafts.changed', next: save })
    sut.send({ type: 'draft.answered', save, result: { isSaved: true, draft: serverDraft(save.text, 'v1', extras) } })
    expect(sut.told().at(-1)).toEqual({ type: 'drafts.merged', next: null })
    const there: DraftExtras = { structure: { kind: 'quickReplies', titles: ['Yes'] } }
    sut.send(fetched(serverDraft('Will you come?', 'v2', there)))
    expect([sut.of('c1'), sut.stored.at(-1)]).toEqual([
      { ...draft('new', 'Will you come?'), extras: there },
      {
        staffId: 's1',
        conversationId: 'c1',
        draft: { ...draft('new', 'Will you come?'), extras: there },
        saved: { version: 'v2', text: 'Will you come?', extras: there, sent: [] },
      },
    ])
    sut.send({ type: 'draft.changed', conversationId: 'c1', draft: { ...draft('new', ' '), extras: there } })
    expect([sut.of('c1'), sut.told().at(-1)]).toEqual([
      draft('new', ' '),
      { type: 'drafts.changed', next: saveOf('', 'v2') },
    ])
  })

  it('are unsaved work until the server has them', () => {
    const sut = start()
    const count = () => countDraftsIn({ get: () => sut.actor } as never)
    sut.send(typed('a'))
    const before = count()
    sut.send({ type: 'draft.answered', save: saveOf('a'), result: { isSaved: true, draft: serverDraft('a') } })
    expect([before, count()]).toEqual([1, 0])
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

describe('the walk through the drafts on the server', () => {
  const paths = serverDraftsModel().everyTransition()
  type State = { text: string; version: string | null; common: string; sent: boolean; other: string | null }
  const take = (text: string, version: string | null): Partial<State> => ({ text, version, common: text, other: null })
  /** Written by hand: who changed since the common text decides; if both did, nothing changes but the question. */
  const merge = (state: State, server: string, version: string | null): Partial<State> => {
    const { text, common } = state
    if (version === state.version) return { other: null }
    if (version === 'v9' && state.sent) return { version, common: server, other: null }
    if (text === server || server === common) return { version, common: server, other: null }
    if (text === common || text === '') return take(server, version)
    if (server === '') return { version, common: server, other: null }
    return { other: server }
  }
  const reference: Reference<State> = {
    start: { text: '', version: null, common: '', sent: false, other: null },
    accepts: () => [
      'draft.changed',
      'conversation.gone',
      'drafts.fetched',
      'draft.saving',
      'draft.answered',
      'draft.refused',
      'difference.settled',
    ],
    rules: {
      'draft.changed': (_, { draft: { text } }) => ({ text }),
      'conversation.gone': () => ({ text: '', version: null, common: '', sent: false, other: null }),
      'drafts.fetched': (state, { drafts: [server] }) =>
        server === undefined ? merge(state, '', null) : merge(state, 'elsewhere', 'v1'),
      'draft.saving': () => ({ sent: true }),
      'draft.answered': (state, { result }) =>
        result.isSaved ? { version: 'v9', common: 'here' } : merge(state, 'elsewhere', 'v1'),
      'difference.settled': ({ text, other }, { choice }) => {
        if (other === null) return {}
        if (choice === 'other') return take('elsewhere', 'v1')
        return {
          text: choice === 'both' ? 'here\n\nelsewhere' : text,
          version: 'v1',
          common: 'elsewhere',
          other: null,
        }
      },
    },
    shown: ({ text, version, common, other }) => ({ text, version, common, other }),
  }

  it(`follows the reference on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const sut = start()
      await followBeside(
        path,
        (event: AnyEventObject) => sut.send(event as DraftsEvent),
        reference,
        () => ({ text: sut.of('c1')?.text ?? '', ...sut.saved('c1'), other: sut.other('c1') }),
      )
      sut.actor.stop()
    }
  })
})

describe('the tests of the drafts', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
