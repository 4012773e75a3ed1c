import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergedReactions } from '../../../src/domain/thread/merged-reactions.ts'
import { networkReaction, reactionsFor, reactionsOn, shownReactions } from '../../../src/domain/thread/reactions.ts'
import type { Reaction } from '../../../src/schemas/reactions-receipts-replies.ts'

const reaction: fc.Arbitrary<Reaction> = fc.record({
  by: fc.constantFrom('person' as const, 'page' as const),
  emoji: fc.constantFrom('❤', '👍', null),
  at: fc.integer({ min: 0, max: 3 }).map((second) => new Date(second * 1_000).toISOString()),
})
const together = (reactions: readonly Reaction[]) =>
  reactions.reduce<Reaction[] | null | undefined>((known, one) => mergedReactions(known, [one]), null)

it('keeps the last reaction of each side, in whatever order and however often they arrive', () => {
  fc.assert(
    fc.property(
      fc
        .array(reaction)
        .chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
        ),
      ([all, shuffled]) => {
        expect(together(shuffled)).toEqual(together(all))
      },
    ),
  )
})

it.each<[string, Reaction[], Reaction[], Reaction[]]>([
  [
    'a later reaction replaces an earlier one',
    [{ by: 'person', emoji: '❤', at: '2026-07-01T10:00:00.000Z' }],
    [{ by: 'person', emoji: '👍', at: '2026-07-01T10:00:01.000Z' }],
    [{ by: 'person', emoji: '👍', at: '2026-07-01T10:00:01.000Z' }],
  ],
  [
    'an earlier reaction that arrives late changes nothing',
    [{ by: 'person', emoji: null, at: '2026-07-01T10:00:01.000Z' }],
    [{ by: 'person', emoji: '❤', at: '2026-07-01T10:00:00.000Z' }],
    [{ by: 'person', emoji: null, at: '2026-07-01T10:00:01.000Z' }],
  ],
  [
    'the page and the person react apart',
    [{ by: 'person', emoji: '❤', at: '2026-07-01T10:00:00.000Z' }],
    [{ by: 'page', emoji: '👍', at: '2026-07-01T09:00:00.000Z' }],
    [
      { by: 'page', emoji: '👍', at: '2026-07-01T09:00:00.000Z' },
      { by: 'person', emoji: '❤', at: '2026-07-01T10:00:00.000Z' },
    ],
  ],
])('%s', (_, known, given, merged) => expect(mergedReactions(known, given)).toEqual(merged))

it('shows no reaction that was taken back', () => {
  expect(
    shownReactions([
      { by: 'person', emoji: null, at: '2026-07-01T10:00:00.000Z' },
      { by: 'page', emoji: '❤', at: '2026-07-01T10:00:00.000Z' },
    ]),
  ).toEqual([{ by: 'page', emoji: '❤', at: '2026-07-01T10:00:00.000Z' }])
})

it('offers what each network takes from pages, by the name that it knows', () => {
  expect(reactionsOn('messenger')).toEqual(['❤', '👍', '😆', '😮', '😢', '😠'])
  expect(reactionsOn('instagram')).toEqual(['❤'])
  expect([networkReaction('messenger', '👍'), networkReaction('instagram', '❤')]).toEqual(['👍', 'love'])
})

describe('The reactions that are offered', () => {
  const now = Date.UTC(2026, 0, 15, 12)
  const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
  const row = { fb_user_id: 'ana', platform: 'messenger' as const, last_incoming_at: hoursAgo(1) }

  it.each([
    ['are those of the platform of the main identity', row, 'ana', null, ['❤', '👍', '😆', '😮', '😢', '😠']],
    [
      'begin with another reaction of the page, which can be taken back',
      row,
      'ana',
      '🎉',
      ['🎉', '❤', '👍', '😆', '😮', '😢', '😠'],
    ],
    ['are none after 24 hours', { ...row, last_incoming_at: hoursAgo(24) }, 'ana', '❤', []],
    [
      'are those of Instagram for another identity, whatever the row says',
      { ...row, last_incoming_at: hoursAgo(99) },
      'ben',
      null,
      ['❤'],
    ],
    ['are those of Instagram before the row is known', null, 'ana', null, ['❤']],
  ])('%s', (_, known, fbUserId, own, expected) => {
    expect(reactionsFor(known, { fbUserId, own, now })).toEqual(expected)
  })
})
