import { describe, expect, it } from 'vitest'
import type { Draft } from '../../../src/domain/send/draft.ts'
import { createDraftStorage } from '../../../src/services/send/drafts.ts'
import { contentOf, createArea } from '../memory-storage.ts'

const draft = (text: string, pageId: string | null = null): Draft => ({ id: `id-${text}`, text, pageId })

/** A tab on the given storage that receives the storage events of other tabs. */
function openTab(area: Storage | null) {
  let listener: ((event: StorageEvent) => void) | null = null
  const window = {
    addEventListener: (_: string, added: (event: StorageEvent) => void) => {
      listener = added
    },
    removeEventListener: () => {
      listener = null
    },
  } as unknown as Window
  const heard: unknown[] = []
  const storage = createDraftStorage({
    kind: 'draft',
    area: () => {
      if (area === null) throw new Error('storage is forbidden')
      return area
    },
    window,
  })
  return {
    ...storage,
    watch: (staffId = 's1') =>
      storage.watch(staffId, ({ conversationId, draft: text }) => heard.push([conversationId, text])),
    heard,
    hear: (key: string | null, newValue: string | null) => listener?.({ key, newValue } as StorageEvent),
    isListening: () => listener !== null,
  }
}

const kept = (conversationId: string, text: string, staffId = 's1') => ({ staffId, conversationId, draft: draft(text) })

describe('Drafts', () => {
  it('are restored after a reload, one for each conversation', () => {
    const area = createArea()
    const before = openTab(area)
    before.store(kept('c1', 'for one'))
    before.store(kept('c.2', 'for two'))
    before.store(kept('c1', 'for one, longer'))
    const after = openTab(area)
    expect([after.count('s1'), after.count('s2')]).toEqual([2, 0])
    after.watch()
    expect(after.heard).toEqual([
      ['c1', draft('for one, longer')],
      ['c.2', draft('for two')],
    ])
  })

  it('keep the message that they reply to, also without a text', () => {
    const area = createArea()
    const message = { message_id: 'm1', state: 'known', direction: 'incoming', author: null, text: 'Open?' }
    const reply = { ...draft(''), replyTo: { message, pageId: 'p1' } }
    openTab(area).store({ ...kept('c1', ''), draft: reply })
    const after = openTab(area)
    after.watch()
    expect(after.heard).toEqual([['c1', reply]])
  })

  it('keep what goes with their text, and what the server has of it', () => {
    const area = createArea()
    const extras = { structure: { kind: 'quickReplies' as const, titles: ['Yes', 'No'] } }
    const draftWith = { ...draft('Will you come?'), extras }
    const saved = { version: 'v1', text: 'Will you come?', extras, sent: [] }
    const news: unknown[] = []
    openTab(area).store({ ...kept('c1', ''), draft: draftWith, saved })
    // A version of the page without extras has stored this one.
    const { extras: _, ...older } = saved
    area.setItem('staff-inbox.draft.s1.c2', JSON.stringify({ ...draft('a'), saved: older }))
    const tab = createDraftStorage({
      kind: 'draft',
      area: () => area,
      window: { addEventListener: () => {}, removeEventListener: () => {} },
    })
    tab.watch('s1', (one) => news.push(one))
    expect(news).toEqual([
      { type: 'draft.received', conversationId: 'c1', draft: draftWith, saved },
      { type: 'draft.received', conversationId: 'c2', draft: draft('a'), saved: { ...older, extras: null } },
    ])
  })

  it('are removed from storage once they are empty, unless a page is chosen', () => {
    const area = createArea()
    const tab = openTab(area)
    tab.store(kept('c1', 'sent soon'))
    tab.store({ ...kept('c1', ''), draft: draft('') })
    expect(contentOf(area)).toEqual({})
    tab.store({ ...kept('c1', ''), draft: draft('', 'p1') })
    expect(Object.keys(contentOf(area))).toEqual(['staff-inbox.draft.s1.c1'])
  })

  it('of another person are neither shown nor kept, and other keys stay unchanged', () => {
    const area = createArea({ token: 't' })
    const other = openTab(area)
    other.store(kept('c1', 'of another', 's2'))
    const tab = openTab(area)
    tab.watch()
    expect([tab.heard, contentOf(area)]).toEqual([[], { token: 't' }])
  })

  it('are deleted at sign-out', () => {
    const area = createArea({ token: 't' })
    const tab = openTab(area)
    tab.store(kept('c1', 'a'))
    tab.store(kept('c2', 'b'))
    tab.forgetAll()
    expect(contentOf(area)).toEqual({ token: 't' })
  })

  it('follow the changes of another tab to their own keys only', () => {
    const tab = openTab(createArea())
    const stop = tab.watch()
    tab.hear('staff-inbox.draft.s1.c1', JSON.stringify(draft('typed there')))
    tab.hear('staff-inbox.draft.s1.c1', null)
    tab.hear('staff-inbox.draft.s1.c2', 'not json')
    tab.hear('staff-inbox.draft.s2.c1', JSON.stringify(draft('of another')))
    tab.hear('token', 'x')
    tab.hear(null, null)
    expect(tab.heard).toEqual([
      ['c1', draft('typed there')],
      ['c1', null],
      ['c2', null],
    ])
    stop()
    expect(tab.isListening()).toBe(false)
  })

  it('that are unreadable are removed', () => {
    const area = createArea({ 'staff-inbox.draft.s1.c1': '{"text":1}', 'staff-inbox.draft.s1.c2': 'no json' })
    const tab = openTab(area)
    tab.watch()
    expect([tab.heard, contentOf(area)]).toEqual([[], {}])
  })

  it('cause no error if storage is blocked', () => {
    const tab = openTab(null)
    tab.store(kept('c1', 'a'))
    tab.watch()
    tab.forgetAll()
    expect(tab.heard).toEqual([])
  })
})
