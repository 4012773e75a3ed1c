import { describe, expect, it } from 'vitest'
import {
  factsOf,
  isReply,
  offersLikes,
  privateReplyEnd,
  privateReplyOf,
  publicReplyOf,
  visibilityOf,
} from '../../../src/domain/comments/comment-rules.ts'
import { commentOf, openSend, postOf, usedPrivately } from '../../model/comments/comments-fixture.ts'

const written = Date.parse('2026-11-20T08:00:00Z')
const day = 24 * 3_600_000
const facebook = postOf()
const instagram = postOf({ platform: 'instagram' })
const live = postOf({ platform: 'instagram', kind: 'live', is_live: true })
const ended = postOf({ platform: 'instagram', kind: 'live', is_live: false })
const facebookEnded = postOf({ kind: 'live', is_live: false })

describe('A private reply', () => {
  it.each([
    ['right after the comment', {}, facebook, 0, 'possible'],
    ['a millisecond before seven days have passed', {}, facebook, 7 * day - 1, 'possible'],
    ['when seven days have passed', {}, facebook, 7 * day, 'expired'],
    ['to a hidden comment', { is_hidden: true }, instagram, 0, 'possible'],
    ['during a live video of Instagram', {}, live, 0, 'possible'],
    ['after a live video of Instagram', {}, ended, 0, 'liveEnded'],
    ['after a live video of Facebook', {}, facebookEnded, day, 'possible'],
    ['once it was used', { private_reply: usedPrivately }, facebook, 8 * day, 'used'],
    ['while an earlier one is unconfirmed', { sends: [openSend('private')] }, facebook, 0, 'unconfirmed'],
    ['while a public answer is unconfirmed', { sends: [openSend('public')] }, facebook, 0, 'possible'],
    ['to a deleted comment', { removed_by: 'person' as const }, facebook, 0, 'removed'],
    ["to the page's own comment", { by_page: true }, facebook, 0, 'notOffered'],
  ])('%s is %s', (_, change, post, age, state) => {
    const comment = commentOf(change)
    expect(privateReplyOf(factsOf(comment), post, written + age)).toBe(state)
  })

  it('ends seven days after the comment', () => {
    expect(new Date(privateReplyEnd(commentOf())).toISOString()).toBe('2026-11-27T08:00:00.000Z')
  })
})

it.each([
  [{}, facebook, 'possible'],
  [{ is_hidden: true }, facebook, 'possible'],
  [{ is_hidden: true }, instagram, 'hidden'],
  [{}, instagram, 'possible'],
  [{}, live, 'liveVideo'],
  [{}, facebookEnded, 'possible'],
  [{ removed_by: 'staff' as const }, facebook, 'removed'],
  [{ by_page: true }, facebook, 'notOffered'],
])('a public answer to %j is possible as the platform allows', (change, post, state) => {
  expect(publicReplyOf(commentOf(change), post)).toBe(state)
})

it.each([
  [{}, 'shown'],
  [{ is_hidden: true }, 'hidden'],
  [{ removed_by: 'person' as const, is_hidden: true }, 'removedByPerson'],
  [{ removed_by: 'staff' as const }, 'removedByStaff'],
])('shows that a comment with %j is %s', (change, state) => {
  expect(visibilityOf(commentOf(change))).toBe(state)
})

it('limits an answer by its kind and its platform', () => {
  expect([
    isReply(' ', 'public', 'messenger'),
    isReply('x'.repeat(8_000), 'public', 'messenger'),
    isReply('x'.repeat(8_001), 'public', 'messenger'),
    isReply('x'.repeat(300), 'public', 'instagram'),
    isReply('x'.repeat(301), 'public', 'instagram'),
    isReply('x'.repeat(1_999), 'private', 'messenger'),
    isReply('x'.repeat(2_000), 'private', 'messenger'),
    isReply('ñ'.repeat(500), 'private', 'instagram'),
    isReply('ñ'.repeat(501), 'private', 'instagram'),
  ]).toEqual([false, true, false, true, false, true, false, true, false])
  expect([offersLikes('messenger'), offersLikes('instagram')]).toEqual([true, false])
})
