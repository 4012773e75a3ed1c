import { describe, expect, it } from 'vitest'
import {
  defaultSettings,
  isWanted,
  mentionNotice,
  newMessageNotices,
  returnedNotice,
} from '../../../src/domain/list/notices.ts'

const settings = { ...defaultSettings('UTC'), mine: false, unassigned: false, others: false }
const state = (assigned_to: string | null, muted_at: string | null = null) => ({ assigned_to, muted_at })

describe('A conversation is notified about', () => {
  it.each([
    ['that is mine', state('me'), ['mine']],
    ['of a colleague', state('ben'), ['others']],
    ['that nobody is assigned to', state(null), ['unassigned']],
    ['whose state is not known', undefined, ['unassigned']],
    ['of a muted person', state('me', '2026-01-05T00:00:00Z'), []],
  ] as const)('%s only as chosen', (_, known, choices) => {
    const wanting = (['mine', 'unassigned', 'others'] as const).filter((choice) =>
      isWanted({ ...settings, [choice]: true }, known, 'me'),
    )
    expect(wanting).toEqual(choices)
  })
})

describe('The notifications for messages', () => {
  const senders = [
    { id: 'ana', name: 'Ana', line: 'Hello' },
    { id: 'ben', name: 'Ben', line: 'Magkano\u202Epo?' },
    { id: 'ana', name: 'Ana', line: 'Are you there?' },
  ]
  const title = (name: string) => `New message from ${name}`

  it('are one for each conversation, with the last line if the person shows texts', () => {
    expect(newMessageNotices(senders, true)).toEqual([
      { tag: 'ana', title: title('Ana'), body: 'Are you there?', conversationId: 'ana' },
      { tag: 'ben', title: title('Ben'), body: 'Magkanopo?', conversationId: 'ben' },
    ])
  })

  it('hold no text otherwise', () =>
    expect(newMessageNotices(senders, false).map(({ body }) => body)).toEqual([null, null]))

  it('are one for all from the fourth conversation on', () => {
    const of = (count: number) =>
      newMessageNotices(
        Array.from({ length: count }, (_, index) => ({ id: `u${index}`, name: 'Ana', line: 'Opo' })),
        true,
      )
    expect([of(0).length, of(3).length]).toEqual([0, 3])
    expect(of(4)).toEqual([{ tag: 'inbox', title: '4 new messages from 4 people', body: null, conversationId: null }])
  })
})

describe('A notification about', () => {
  it.each([
    ['an ended snooze', returnedNotice('c', 'Ana'), 'Ana is back from snooze', null],
    ['an ended snooze of an unknown person', returnedNotice('c', null), 'A snoozed conversation is back', null],
    ['a mention', mentionNotice('c', 'Ben', 'a\n b', true), 'Ben mentioned you in a note', 'a b'],
    ['a mention without its text', mentionNotice('c', 'Ben', 'a', false), 'Ben mentioned you in a note', null],
    ['a mention by somebody unknown', mentionNotice('c', null, 'a', true), 'A colleague mentioned you in a note', 'a'],
  ])('%s opens its conversation', (_, notice, title, body) =>
    expect(notice).toEqual({ tag: 'c', title, body, conversationId: 'c' }),
  )
})
