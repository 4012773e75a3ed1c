import { describe, expect, it } from 'vitest'
import {
  appendRows,
  type ConversationList,
  emptyList,
  fresh,
  isMissing,
  markRead,
  mergeTop,
  patchMessages,
  patchUser,
  patchUsers,
  replaceRows,
  staleAll,
  stalenessAfterMessages,
  stalenessAfterUsers,
  staleTop,
  worse,
} from '../../../src/domain/list/conversation-list.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { at, inserted, renamed, row, updated } from '../../model/inbox-fixture.ts'

const listOf = (...rows: Conversation[]) => replaceRows(emptyList, rows)
const rowsIn = (list: ConversationList) => list.order.map((id) => list.byId.get(id))
const four = listOf(row('c4', 40), row('c3', 30), row('c2', 20), row('c1', 10))

describe('a refresh of the top', () => {
  const top = { hasNext: true, covered: 0, heard: [] }

  it('moves a row up and keeps the later rows', () => {
    const { list, dropped } = mergeTop(four, { ...top, rows: [row('c1', 50), row('c4', 40)] })
    expect(rowsIn(list)).toEqual([row('c1', 50), row('c4', 40), row('c3', 30), row('c2', 20)])
    expect(dropped).toBe(false)
  })

  it('puts a new row first', () => {
    const { list } = mergeTop(four, { ...top, rows: [row('c5', 50), row('c4', 40)] })
    expect(list.order).toEqual(['c5', 'c4', 'c3', 'c2', 'c1'])
  })

  it('drops a row that should stand among the answered ones but does not', () => {
    const { list, dropped } = mergeTop(four, { ...top, rows: [row('c4', 40), row('c2', 20)] })
    expect(list).toEqual(listOf(row('c4', 40), row('c2', 20), row('c1', 10)))
    expect(dropped).toBe(true)
  })

  it('drops every row that is not answered when the answer is all there is', () => {
    const { list, dropped } = mergeTop(four, { rows: [row('c4', 40)], hasNext: false, covered: 0, heard: [] })
    expect(list).toEqual(listOf(row('c4', 40)))
    expect(dropped).toBe(true)
  })

  it('empties the list when the answer is empty', () => {
    expect(mergeTop(four, { rows: [], hasNext: false, covered: 0, heard: [] }).list).toEqual(emptyList)
  })

  it('does not undo what was heard after it was asked for', () => {
    const heard = patchMessages(four, [inserted('c1', 60, { message_text: 'new' })], null)
    const { list, dropped } = mergeTop(heard, {
      rows: [row('c4', 40), row('c3', 30)],
      hasNext: true,
      covered: 0,
      heard: ['c1'],
    })
    expect(list.order).toEqual(['c1', 'c4', 'c3', 'c2'])
    expect(list.byId.get('c1')?.last_message_text).toBe('new')
    expect(dropped).toBe(false)
  })

  it('takes what it says of a row that was heard of, unless that is older than what is known here', () => {
    const asked = { hasNext: true, covered: 0, heard: ['c4', 'c3'] }
    const { list } = mergeTop(four, { ...asked, rows: [row('c3', 45, { total_messages: 9 }), row('c4', 35)] })
    expect(rowsIn(list)).toEqual([row('c3', 45, { total_messages: 9 }), row('c4', 40), row('c2', 20), row('c1', 10)])
    const told = mergeTop(four, { ...asked, rows: [row('c4', 40, { unread_messages: 5 }), row('c3', 30)] }).list
    expect(told.byId.get('c4')?.unread_messages).toBe(5)
  })

  it('keeps a row of the very time of the last answered one, which may stand after it', () => {
    expect(mergeTop(four, { ...top, rows: [row('c4', 40), row('c5', 30)] })).toEqual({
      list: listOf(row('c4', 40), row('c5', 30), row('c3', 30), row('c2', 20), row('c1', 10)),
      dropped: false,
    })
  })

  it('puts one without a message last', () => {
    const list = listOf(row('c2', 20), row('c0', 0, { last_message_at: null }))
    expect(patchMessages(list, [inserted('c2', 25)], null).order).toEqual(['c2', 'c0'])
    expect(patchMessages(list, [inserted('c0', 5)], null).order).toEqual(['c2', 'c0'])
    expect(patchMessages(list, [inserted('c0', 5)], null).byId.get('c0')?.last_message_at).toBe(at(5))
  })

  it('drops what the fetch was to replace and did not bring, and keeps what lies further down', () => {
    const { list } = mergeTop(four, { ...top, covered: 2, rows: [row('c5', 50), row('c4', 40)] })
    expect(list.order).toEqual(['c5', 'c4', 'c2', 'c1'])
  })

  it('takes back a row whose last message was deleted', () => {
    const { list } = mergeTop(four, { ...top, rows: [row('c3', 30), row('c4', 5), row('c2', 20)] })
    expect(list.order).toEqual(['c3', 'c4', 'c2', 'c1'])
    expect(list.byId.get('c4')).toEqual(row('c4', 5))
  })

  it('keeps the very list when nothing changed', () => {
    expect(mergeTop(four, { ...top, rows: [row('c4', 40), row('c3', 30)] }).list).toBe(four)
  })

  it('keeps the object of every row that did not change', () => {
    const { list } = mergeTop(four, { ...top, rows: [row('c4', 40, { unread_messages: 2 }), row('c3', 30)] })
    expect(list.order).toBe(four.order)
    expect(['c4', 'c3', 'c2', 'c1'].map((id) => list.byId.get(id) === four.byId.get(id))).toEqual([
      false,
      true,
      true,
      true,
    ])
  })
})

describe('a later page', () => {
  it('is appended, and rows it repeats stay where they are with what is new in them', () => {
    const list = appendRows(four, [row('c1', 10, { unread_messages: 3 }), row('c0', 5)])
    expect(rowsIn(list)).toEqual([
      row('c4', 40),
      row('c3', 30),
      row('c2', 20),
      row('c1', 10, { unread_messages: 3 }),
      row('c0', 5),
    ])
  })

  it('counts a row once that comes twice in one answer', () => {
    expect(appendRows(emptyList, [row('c1', 10), row('c1', 10)]).order).toEqual(['c1'])
  })
})

describe('messages just heard', () => {
  it('show in their row, which moves to its place', () => {
    const list = patchMessages(four, [inserted('c2', 35, { message_text: 'hello' })], null)
    expect(list.order).toEqual(['c4', 'c2', 'c3', 'c1'])
    expect(list.byId.get('c2')).toEqual(
      row('c2', 35, { last_message_text: 'hello', unread_messages: 1, total_messages: 2, last_incoming_at: at(35) }),
    )
  })

  it('count once when heard twice', () => {
    const once = patchMessages(four, [inserted('c2', 35)], null)
    expect(patchMessages(once, [inserted('c2', 35)], null)).toBe(once)
  })

  it('leave nothing unread when they are outgoing', () => {
    const list = patchMessages(four, [inserted('c2', 50, { direction: 'outgoing' })], null)
    expect(list.byId.get('c2')).toMatchObject({ last_message_direction: 'outgoing', unread_messages: 0 })
  })

  it.each([
    ['older than the last one', [inserted('c4', 15)], null],
    ['of a conversation that is not loaded', [inserted('c9', 90)], null],
    ['of another page than the filter', [inserted('c2', 90)], 'p2'],
    ['that were deleted', [{ type: 'DELETE', messageId: 'm1' } as const], null],
    ['that were updated', [updated('c2', 90)], null],
  ])('change nothing when they are %s', (_, changes, pageId) => {
    expect(patchMessages(four, changes, pageId)).toBe(four)
  })

  it('move several rows, the newest first, whatever order they are heard in', () => {
    const changes = [inserted('c1', 60), inserted('c3', 70), inserted('c2', 65)]
    expect(patchMessages(four, changes, null).order).toEqual(['c3', 'c2', 'c1', 'c4'])
  })

  it('go before a row of the same time', () => {
    expect(patchMessages(four, [inserted('c2', 40)], null).order).toEqual(['c2', 'c4', 'c3', 'c1'])
  })

  it('count by the network’s time, and by the server’s where it gives none', () => {
    const late = inserted('c2', 90, { timestamp_fb: at(35) })
    expect(patchMessages(four, [late], null).order).toEqual(['c4', 'c2', 'c3', 'c1'])
    const plain = inserted('c2', 35, { timestamp_fb: null })
    expect(patchMessages(four, [plain], null).byId.get('c2')?.last_message_at).toBe(at(35))
  })

  it('show the page they came from, by the name that is known for it', () => {
    const list = listOf(row('c1', 10, { page_id: 'p1', last_message_page_id: 'p1', last_message_page_name: 'Bakery' }))
    const shown = (change: ReturnType<typeof inserted>) => {
      const found = patchMessages(list, [change], null).byId.get('c1')
      return [found?.last_message_page_name, found?.last_incoming_at]
    }
    const before = list.byId.get('c1')?.last_incoming_at
    expect(shown(inserted('c1', 20, { page_id: 'p1', page_name: null }))).toEqual(['Bakery', at(20)])
    expect(shown(inserted('c1', 20, { page_id: 'p2', page_name: 'Flowers' }))).toEqual(['Flowers', before])
    expect(shown(inserted('c1', 20, { page_id: 'p1', direction: 'outgoing' }))).toEqual(['Bakery', before])
  })

  it('show under the filter of their own page', () => {
    expect(patchMessages(four, [inserted('c2', 90, { page_id: 'p2' })], 'p2').order[0]).toBe('c2')
  })

  it('find their row by the chat user where the conversation is not named', () => {
    const list = patchMessages(four, [inserted('c1', 90, { primary_user_id: null })], null)
    expect(list.order[0]).toBe('c1')
  })
})

describe('a chat user just heard of', () => {
  it('gives its row name, picture and client', () => {
    const list = patchUsers(four, [renamed('u3', 'Maria')])
    expect(list.byId.get('c3')).toEqual({
      ...row('c3', 30),
      user_name: 'Maria',
      unified_name: 'Maria',
      profile_pic: '/u3.png',
      client_id: 'k1',
    })
    expect(list.byId.get('c4')).toBe(four.byId.get('c4'))
  })

  it('is known by the conversation’s own id too, and says nothing of another’s row', () => {
    const known = row('c3', 30)
    expect(patchUser(known, { ...renamed('u3', 'Maria').row, id: 'c3' }).unified_name).toBe('Maria')
    expect(patchUser(known, renamed('u4', 'Maria').row)).toBe(known)
  })

  it('leaves what it does not tell as it was', () => {
    const known = row('c3', 30, { first_name: 'Ana', last_name: 'Cruz' })
    const told = { ...renamed('u3', 'Maria').row, first_name: null, last_name: null }
    expect(patchUser(known, told)).toMatchObject({ first_name: 'Ana', last_name: 'Cruz' })
    expect(patchUser(known, { ...told, first_name: 'Maria', last_name: 'Dela Cruz' })).toMatchObject({
      first_name: 'Maria',
      last_name: 'Dela Cruz',
    })
  })

  it('is passed over where its row is not loaded', () => {
    expect(patchUsers(four, [renamed('u9', 'Maria')])).toBe(four)
  })
})

describe('reading a conversation', () => {
  it('leaves nothing unread in its row, by either id', () => {
    const list = listOf(row('c1', 10, { unread_messages: 4 }))
    expect(markRead(list, 'c1').byId.get('c1')).toEqual(row('c1', 10))
    expect(markRead(list, 'u1').byId.get('c1')).toEqual(row('c1', 10))
  })

  it('changes nothing where nothing is unread or the row is not loaded', () => {
    expect(markRead(four, 'c1')).toBe(four)
    expect(markRead(four, 'c9')).toBe(four)
  })
})

describe('what has to be fetched again', () => {
  it.each([
    ['nothing heard', [], fresh],
    ['a message newer than the first page', [inserted('c1', 90)], { depth: 'top', rows: ['c1'] }],
    ['a message of a conversation that is not loaded', [inserted('c9', 90)], { depth: 'top', rows: ['c9'] }],
    ['a message of a row of the first page', [updated('c4', 15)], { depth: 'top', rows: ['c4'] }],
    ['an old message of a later row', [inserted('c1', 3)], { depth: 'all', rows: ['c1'] }],
    ['a changed message of a later row', [updated('c1', 10, { is_read: true })], { depth: 'all', rows: ['c1'] }],
    ['a changed message of nobody knows whom', [updated('c9', 10, { primary_user_id: null })], staleAll],
    ['a deleted message', [{ type: 'DELETE', messageId: 'm1' } as const], staleAll],
    ['two of one row', [updated('c4', 15), updated('c4', 16)], { depth: 'top', rows: ['c4'] }],
    ['one of each', [updated('c1', 10), updated('c4', 16)], { depth: 'all', rows: ['c1', 'c4'] }],
  ] as const)('after %s', (_, changes, expected) => {
    expect(stalenessAfterMessages(four, changes, 2)).toEqual(expected)
  })

  it.each([
    ['a user of a row of the first page', [renamed('u4', 'Maria')], { depth: 'top', rows: ['c4'] }],
    ['a user of a later row', [renamed('u1', 'Maria')], staleAll],
    ['a user who is not known here', [renamed('u9', 'Maria')], staleAll],
    ['nobody', [], fresh],
  ] as const)('after %s', (_, changes, expected) => {
    expect(stalenessAfterUsers(four, changes, 2)).toEqual(expected)
  })

  it('after an old message of the last row of the first page, and one of just its time', () => {
    const rows = listOf(row('c3', 30), row('c2', 20), row('c1', 10))
    expect(stalenessAfterMessages(rows, [inserted('c1', 20)], 2)).toEqual({ depth: 'all', rows: ['c1'] })
    expect(stalenessAfterMessages(rows, [inserted('c1', 21)], 2)).toEqual({ depth: 'top', rows: ['c1'] })
    expect(stalenessAfterMessages(rows, [updated('c1', 90)], 2)).toEqual({ depth: 'all', rows: ['c1'] })
  })

  it('is the deeper of two, with the rows of both once', () => {
    const [top, all] = [
      { depth: 'top', rows: ['c1', 'c2'] },
      { depth: 'all', rows: ['c2', 'c3'] },
    ] as const
    expect(worse(top, all)).toEqual({ depth: 'all', rows: ['c1', 'c2', 'c3'] })
    expect(worse(all, top)).toEqual({ depth: 'all', rows: ['c2', 'c3', 'c1'] })
    expect(worse(top, fresh)).toEqual(top)
    expect([fresh, staleTop, staleAll]).toEqual([
      { depth: 'none', rows: [] },
      { depth: 'top', rows: [] },
      { depth: 'all', rows: [] },
    ])
  })

  it('is told once the answer is there: a row that should have been in it is not', () => {
    expect(isMissing(four, ['c2'], [row('c4', 40), row('c3', 30)])).toBe(true)
    expect(isMissing(four, ['c2', 'c3'], [row('c4', 40), row('c3', 30)])).toBe(true)
    expect(isMissing(four, ['c3', 'c9'], [row('c4', 40), row('c3', 30)])).toBe(false)
  })
})
