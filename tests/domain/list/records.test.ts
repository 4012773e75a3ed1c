import { describe, expect, it } from 'vitest'
import {
  emptyRecords,
  type Records,
  rowById,
  rowIn,
  withFetched,
  withMessageChanges,
  withOnly,
  withReadMark,
  withUserChanges,
} from '../../../src/domain/list/records.ts'
import type { Conversation, FbUserRow } from '../../../src/schemas/conversation.ts'
import { at, inserted, renamed, row, updated } from '../../model/inbox-fixture.ts'

const recordsOf = (...rows: Conversation[]) => withFetched(emptyRecords, rows, 0)
const two = recordsOf(row('c2', 20), row('c1', 10))
const rowAfter = (records: Records, id: string) => rowById(records, id)

describe('A row', () => {
  const group = row('c1', 10, { fb_user_id: 'u1', fb_user_ids: 'u1, u7' })

  it.each(['c1', 'u1', 'u7'])('is found by the id %s', (id) => expect(rowIn(recordsOf(group), [id])).toEqual(group))

  it('is found by the first known id', () => {
    expect(rowIn(two, [null, undefined, 'c9', 'u2', 'c1'])).toEqual(row('c2', 20))
    expect(rowIn(two, [null, 'c9'])).toBe(null)
  })

  it('of a group takes over the ids of the identities that joined the group', () => {
    const joined = withFetched(recordsOf(row('c7', 5, { fb_user_id: 'u7' })), [group], 0)
    expect([rowIn(joined, ['u7']), rowIn(joined, ['c7'])?.primary_user_id]).toEqual([group, 'c7'])
  })

  it('stays the same object, and so do the records, while nothing changes', () => {
    expect(withFetched(two, [row('c2', 20), row('c1', 10)], 0)).toBe(two)
    const changed = withFetched(two, [row('c2', 20), row('c1', 11)], 0)
    expect([rowAfter(changed, 'c2') === rowAfter(two, 'c2'), rowAfter(changed, 'c1')]).toEqual([true, row('c1', 11)])
  })

  it('is dropped together with its ids if it is not among the rows to keep', () => {
    const one = withOnly(two, ['c1'])
    expect([one.size, rowIn(one, ['u1']), rowIn(one, ['u2', 'c2'])]).toEqual([1, row('c1', 10), null])
    expect(withOnly(two, ['c2', 'c1'])).toBe(two)
  })
})

describe('A message', () => {
  it('appears in its row', () => {
    expect(rowAfter(withMessageChanges(two, [inserted('c2', 35, { message_text: 'hello' })]), 'c2')).toEqual(
      row('c2', 35, { last_message_text: 'hello', unread_messages: 1, total_messages: 2, last_incoming_at: at(35) }),
    )
  })

  it.each([
    ['older than the last message', inserted('c2', 15)],
    ['with the same time as the last message', inserted('c2', 20)],
    ['of an unknown conversation', inserted('c9', 90)],
    ['that was deleted', { type: 'DELETE', messageId: 'm1' } as const],
    ['that was updated', updated('c2', 90)],
  ])('changes no row when it is one %s', (_, change) => {
    expect(withMessageChanges(two, [change]).conversations).toBe(two.conversations)
  })

  it('counts once if it arrives twice', () => {
    const twice = withMessageChanges(two, [inserted('c2', 35), inserted('c2', 35)])
    expect(rowAfter(twice, 'c2')).toMatchObject({ total_messages: 2, unread_messages: 1 })
  })

  it('marks the row as read if it is outgoing', () => {
    const change = inserted('c2', 50, { direction: 'outgoing' })
    expect(rowAfter(withMessageChanges(two, [change]), 'c2')).toMatchObject({
      last_message_direction: 'outgoing',
      unread_messages: 0,
    })
  })

  it('is dated by the network, or by the server if the network gives no time', () => {
    const change = inserted('c2', 35, { timestamp_fb: null })
    expect(rowAfter(withMessageChanges(two, [change]), 'c2')?.last_message_at).toBe(at(35))
  })

  it('appears only under the page filter of its own page', () => {
    const filtered = { ...two, pageId: 'p2' }
    const other = withMessageChanges(filtered, [inserted('c2', 90)])
    const own = withMessageChanges(filtered, [inserted('c2', 90, { page_id: 'p2' })])
    expect([rowAfter(other, 'c2'), rowAfter(own, 'c2')?.last_message_at]).toEqual([row('c2', 20), at(90)])
  })

  it('shows the known name of the page that it came from', () => {
    const known = row('c1', 10, { page_id: 'p1', last_message_page_id: 'p1', last_message_page_name: 'Bakery' })
    const shown = (more: Parameters<typeof inserted>[2]) => {
      const found = rowAfter(withMessageChanges(recordsOf(known), [inserted('c1', 20, more)]), 'c1')
      return [found?.last_message_page_name, found?.last_incoming_at]
    }
    expect(shown({ page_id: 'p1', page_name: null })).toEqual(['Bakery', at(20)])
    expect(shown({ page_id: 'p2', page_name: 'Flowers' })).toEqual(['Flowers', undefined])
    expect(shown({ page_id: 'p1', direction: 'outgoing' })).toEqual(['Bakery', undefined])
  })
})

describe('Facts of a person', () => {
  const facts = (name: string, committedAt?: string, more: Partial<FbUserRow> = {}) => ({
    ...renamed('u2', name),
    row: { ...renamed('u2', name).row, ...more },
    committedAt,
  })
  const nameAfter = (...changes: ReturnType<typeof facts>[]) =>
    rowAfter(withUserChanges(two, changes), 'c2')?.unified_name

  it('set the name, the picture and the client of the row', () => {
    expect(rowAfter(withUserChanges(two, [renamed('u2', 'Maria')]), 'c2')).toEqual({
      ...row('c2', 20),
      user_name: 'Maria',
      unified_name: 'Maria',
      profile_pic: '/u2.png',
      client_id: 'k1',
    })
  })

  it('leave missing fields unchanged', () => {
    const records = recordsOf(row('c2', 20, { first_name: 'Ana', last_name: 'Cruz' }))
    const told = facts('Maria', undefined, { first_name: null, last_name: 'Santos' })
    expect(rowAfter(withUserChanges(records, [told]), 'c2')).toMatchObject({ first_name: 'Ana', last_name: 'Santos' })
  })

  it('change only the row with the same primary user id', () => {
    const group = recordsOf(row('c2', 20, { fb_user_ids: 'u2, u7' }))
    const named = (id: string) =>
      rowAfter(withUserChanges(group, [facts('Maria', undefined, { id })]), 'c2')?.unified_name
    expect(['c2', 'u7', 'u9'].map(named)).toEqual(['Maria', 'Person c2', 'Person c2'])
  })

  it('that move a chat leave its former conversation alone, and the chat is found in its new one', () => {
    const group = row('c1', 10, { fb_user_id: 'u1', fb_user_ids: 'u1, u7' })
    const moveTo = (conversation: string) =>
      withUserChanges(recordsOf(group, row('c2', 20)), [
        facts('Maria', at(1), { id: 'u7', primary_user_id: conversation, client_id: null }),
      ])
    const split = moveTo('u7')
    expect([rowIn(split, ['u7']), rowAfter(split, 'c1')]).toEqual([null, group])
    expect(rowIn(moveTo('c2'), ['u7'])?.primary_user_id).toBe('c2')
  })

  it('with the later commit time win in any order of arrival', () => {
    expect([
      nameAfter(facts('new', at(2)), facts('old', at(1))),
      nameAfter(facts('old', at(1)), facts('new', at(2))),
    ]).toEqual(['new', 'new'])
  })

  it('changed in this browser appear at once until a later server write replaces them', () => {
    expect([
      nameAfter(facts('old', at(1)), facts('here')),
      nameAfter(facts('old', at(1)), facts('here'), facts('late', at(0))),
      nameAfter(facts('old', at(1)), facts('here'), facts('new', at(2))),
    ]).toEqual(['here', 'here', 'new'])
  })
})

describe('The answer to a request that was sent earlier', () => {
  it('does not undo a later message, even one that arrived after a read', () => {
    const late = withMessageChanges(two, [inserted('c2', 35), inserted('c9', 40)])
    const answered = withFetched(late, [row('c2', 20), row('c9', 30)], two.sequence)
    expect([rowAfter(answered, 'c2'), rowAfter(answered, 'c9')?.last_message_at]).toEqual([
      rowAfter(late, 'c2'),
      at(40),
    ])
  })

  it('does not undo later facts of a person', () => {
    const late = withUserChanges(two, [renamed('u2', 'Maria')])
    expect(rowAfter(withFetched(late, [row('c2', 20)], two.sequence), 'c2')?.unified_name).toBe('Maria')
    expect(rowAfter(withFetched(late, [row('c2', 20)], late.sequence), 'c2')?.unified_name).toBe('Person c2')
  })

  it('keeps a read conversation read, except for messages that arrived after the read', () => {
    const unread = recordsOf(row('c2', 20, { unread_messages: 4 }))
    const read = withReadMark(unread, 'u2')
    const rows = (minute: number, unread_messages: number) =>
      rowAfter(withFetched(read, [row('c2', minute, { unread_messages })], unread.sequence), 'c2')?.unread_messages
    expect([rowAfter(read, 'c2')?.unread_messages, rows(20, 4), rows(25, 5)]).toEqual([0, 0, 5])
  })
})

describe('Reading a conversation', () => {
  it('changes nothing if the row is unknown or has no unread messages', () => {
    expect(withReadMark(two, 'c9')).toBe(two)
    expect(withReadMark(two, 'c1').conversations).toBe(two.conversations)
  })
})
