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

describe('a row', () => {
  const group = row('c1', 10, { fb_user_id: 'u1', fb_user_ids: 'u1, u7' })

  it.each(['c1', 'u1', 'u7'])('is found by the id %s', (id) => expect(rowIn(recordsOf(group), [id])).toEqual(group))

  it('is found by the first id that names one', () => {
    expect(rowIn(two, [null, undefined, 'c9', 'u2', 'c1'])).toEqual(row('c2', 20))
    expect(rowIn(two, [null, 'c9'])).toBe(null)
  })

  it('of a group takes over the ids of those who joined it', () => {
    const joined = withFetched(recordsOf(row('c7', 5, { fb_user_id: 'u7' })), [group], 0)
    expect([rowIn(joined, ['u7']), rowIn(joined, ['c7'])?.primary_user_id]).toEqual([group, 'c7'])
  })

  it('keeps its object, and the records theirs, while it says the same', () => {
    expect(withFetched(two, [row('c2', 20), row('c1', 10)], 0)).toBe(two)
    const changed = withFetched(two, [row('c2', 20), row('c1', 11)], 0)
    expect([rowAfter(changed, 'c2') === rowAfter(two, 'c2'), rowAfter(changed, 'c1')]).toEqual([true, row('c1', 11)])
  })

  it('is dropped where it is not among those to keep, and its ids with it', () => {
    const one = withOnly(two, ['c1'])
    expect([one.size, rowIn(one, ['u1']), rowIn(one, ['u2', 'c2'])]).toEqual([1, row('c1', 10), null])
    expect(withOnly(two, ['c2', 'c1'])).toBe(two)
  })
})

describe('a message', () => {
  it('shows in its row', () => {
    expect(rowAfter(withMessageChanges(two, [inserted('c2', 35, { message_text: 'hello' })]), 'c2')).toEqual(
      row('c2', 35, { last_message_text: 'hello', unread_messages: 1, total_messages: 2, last_incoming_at: at(35) }),
    )
  })

  it.each([
    ['older than the last one', inserted('c2', 15)],
    ['of the very time of the last one', inserted('c2', 20)],
    ['of a conversation that is not known', inserted('c9', 90)],
    ['that was deleted', { type: 'DELETE', messageId: 'm1' } as const],
    ['that was updated', updated('c2', 90)],
  ])('changes no row when it is one %s', (_, change) => {
    expect(withMessageChanges(two, [change]).conversations).toBe(two.conversations)
  })

  it('counts once when it is heard twice', () => {
    const twice = withMessageChanges(two, [inserted('c2', 35), inserted('c2', 35)])
    expect(rowAfter(twice, 'c2')).toMatchObject({ total_messages: 2, unread_messages: 1 })
  })

  it('leaves nothing unread when it is outgoing', () => {
    const change = inserted('c2', 50, { direction: 'outgoing' })
    expect(rowAfter(withMessageChanges(two, [change]), 'c2')).toMatchObject({
      last_message_direction: 'outgoing',
      unread_messages: 0,
    })
  })

  it('counts by the network’s time, and by the server’s where the network gives none', () => {
    const change = inserted('c2', 35, { timestamp_fb: null })
    expect(rowAfter(withMessageChanges(two, [change]), 'c2')?.last_message_at).toBe(at(35))
  })

  it('shows under the filter of its own page alone', () => {
    const filtered = { ...two, pageId: 'p2' }
    const other = withMessageChanges(filtered, [inserted('c2', 90)])
    const own = withMessageChanges(filtered, [inserted('c2', 90, { page_id: 'p2' })])
    expect([rowAfter(other, 'c2'), rowAfter(own, 'c2')?.last_message_at]).toEqual([row('c2', 20), at(90)])
  })

  it('shows the page it came from, by the name that is known for it', () => {
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

describe('facts of a person', () => {
  const facts = (name: string, committedAt?: string, more: Partial<FbUserRow> = {}) => ({
    ...renamed('u2', name),
    row: { ...renamed('u2', name).row, ...more },
    committedAt,
  })
  const nameAfter = (...changes: ReturnType<typeof facts>[]) =>
    rowAfter(withUserChanges(two, changes), 'c2')?.unified_name

  it('give the row name, picture and client', () => {
    expect(rowAfter(withUserChanges(two, [renamed('u2', 'Maria')]), 'c2')).toEqual({
      ...row('c2', 20),
      user_name: 'Maria',
      unified_name: 'Maria',
      profile_pic: '/u2.png',
      client_id: 'k1',
    })
  })

  it('leave what they do not tell as it was', () => {
    const records = recordsOf(row('c2', 20, { first_name: 'Ana', last_name: 'Cruz' }))
    const told = facts('Maria', undefined, { first_name: null, last_name: 'Santos' })
    expect(rowAfter(withUserChanges(records, [told]), 'c2')).toMatchObject({ first_name: 'Ana', last_name: 'Santos' })
  })

  it('are known by the conversation’s own id, and change no row of another identity or of nobody', () => {
    const group = recordsOf(row('c2', 20, { fb_user_ids: 'u2, u7' }))
    const named = (id: string) =>
      rowAfter(withUserChanges(group, [facts('Maria', undefined, { id })]), 'c2')?.unified_name
    expect(['c2', 'u7', 'u9'].map(named)).toEqual(['Maria', 'Person c2', 'Person c2'])
  })

  it('that were committed later win, whatever came first', () => {
    expect([
      nameAfter(facts('new', at(2)), facts('old', at(1))),
      nameAfter(facts('old', at(1)), facts('new', at(2))),
    ]).toEqual(['new', 'new'])
  })

  it('made here show at once, and what the server wrote since replaces them', () => {
    expect([
      nameAfter(facts('old', at(1)), facts('here')),
      nameAfter(facts('old', at(1)), facts('here'), facts('late', at(0))),
      nameAfter(facts('old', at(1)), facts('here'), facts('new', at(2))),
    ]).toEqual(['here', 'here', 'new'])
  })
})

describe('an answer that was asked for before', () => {
  it('a message was heard does not undo it, nor one that came after it was read', () => {
    const late = withMessageChanges(two, [inserted('c2', 35), inserted('c9', 40)])
    const answered = withFetched(late, [row('c2', 20), row('c9', 30)], two.sequence)
    expect([rowAfter(answered, 'c2'), rowAfter(answered, 'c9')?.last_message_at]).toEqual([
      rowAfter(late, 'c2'),
      at(40),
    ])
  })

  it('facts of a person were heard does not undo them', () => {
    const late = withUserChanges(two, [renamed('u2', 'Maria')])
    expect(rowAfter(withFetched(late, [row('c2', 20)], two.sequence), 'c2')?.unified_name).toBe('Maria')
    expect(rowAfter(withFetched(late, [row('c2', 20)], late.sequence), 'c2')?.unified_name).toBe('Person c2')
  })

  it('the conversation was read leaves nothing unread in it but what came in later', () => {
    const unread = recordsOf(row('c2', 20, { unread_messages: 4 }))
    const read = withReadMark(unread, 'u2')
    const rows = (minute: number, unread_messages: number) =>
      rowAfter(withFetched(read, [row('c2', minute, { unread_messages })], unread.sequence), 'c2')?.unread_messages
    expect([rowAfter(read, 'c2')?.unread_messages, rows(20, 4), rows(25, 5)]).toEqual([0, 0, 5])
  })
})

describe('reading', () => {
  it('changes nothing where the row is not known, and no row where nothing is unread', () => {
    expect(withReadMark(two, 'c9')).toBe(two)
    expect(withReadMark(two, 'c1').conversations).toBe(two.conversations)
  })
})
