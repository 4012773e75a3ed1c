import { describe, expect, it } from 'vitest'
import { isClosedFor, type ReplyWindow, replyWindow, replyWindowText } from '../../../src/domain/send/reply-window.ts'

const now = Date.parse('2026-01-10T12:00:00Z')
const hour = 3_600_000
const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString()

describe('The reply window', () => {
  it.each<[string, number, ReplyWindow['state'], string]>([
    ['just now', 0, 'standard', 'Reply within 1d 0h'],
    ['a moment ahead of this clock', -5_000, 'standard', 'Reply within 1d 0h'],
    ['20 h 48 min ago', 20.8 * hour, 'standard', 'Reply within 3h 12m'],
    ['23 h 30 min ago', 23.5 * hour, 'standard', 'Reply within 30m'],
    ['10 s less than a day ago', 24 * hour - 10_000, 'standard', 'Reply within 1m'],
    ['a day ago', 24 * hour, 'human', 'Reply within 6d 0h'],
    ['6 days 20 h ago', 164 * hour, 'human', 'Reply within 4h 0m'],
    ['a week ago', 168 * hour, 'closed', 'Reply window closed'],
    ['a year ago', 9_000 * hour, 'closed', 'Reply window closed'],
  ])('of a person who wrote %s', (_, age, state, text) => {
    const window = replyWindow(ago(age), now)
    expect([window?.state, window && replyWindowText(window)]).toEqual([state, text])
  })

  it.each([null, undefined])('is unknown if the time of the last message is missing', (moment) =>
    expect(replyWindow(moment, now)).toBeNull(),
  )
})

describe('The network accepts no reply', () => {
  it.each<[ReplyWindow['state'] | null, string | null | undefined, string | null, boolean]>([
    ['closed', 'p1', 'p1', true],
    ['closed', 'p1', 'p2', false],
    ['closed', 'p1', null, false],
    ['closed', null, 'p1', true],
    ['closed', null, null, true],
    ['closed', undefined, 'p2', true],
    ['human', 'p1', 'p1', false],
    ['standard', null, 'p1', false],
    [null, 'p1', 'p1', false],
    [null, null, null, false],
  ])('with the reply window %s of the page %s, sent from %s: %s', (state, page_id, from, isClosed) =>
    expect(isClosedFor(state, { page_id }, from)).toBe(isClosed),
  )
})
