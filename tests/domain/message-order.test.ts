import { describe, expect, it } from 'vitest'
import { comparePlaces, type Place, placeOf, sentAt } from '../../src/domain/message-order.ts'
import { at, messageOf } from './message-fixture.ts'

describe('The place of a message', () => {
  it.each([
    ['the time of the network', { timestamp_fb: at(1), created_at: at(9) }, at(1)],
    ['the stored time without a time of the network', { timestamp_fb: null, created_at: at(9) }, at(9)],
  ])('uses %s', (_, moments, moment) => {
    const message = messageOf('m1', 5, moments)
    expect(placeOf(message)).toEqual({ at: Date.parse(moment), id: 'm1' })
    expect(sentAt(message)).toBe(Date.parse(moment))
  })

  it('is computed once for each message', () => {
    let reads = 0
    const message = messageOf('m1', 5)
    Object.defineProperty(message, 'timestamp_fb', {
      get: () => {
        reads += 1
        return at(5)
      },
    })
    expect([sentAt(message), sentAt(message), reads]).toEqual([Date.parse(at(5)), Date.parse(at(5)), 1])
  })
})

describe('The comparison of two places', () => {
  const early: Place = { at: 1, id: 'b' }
  it.each<[string, Place, number]>([
    ['sorts by time', { at: 2, id: 'a' }, -1],
    ['sorts by time in the other direction', { at: 0, id: 'c' }, 1],
    ['sorts by id at the same time', { at: 1, id: 'c' }, -1],
    ['sorts by id at the same time in the other direction', { at: 1, id: 'a' }, 1],
    ['treats the same time and id as equal', { at: 1, id: 'b' }, 0],
  ])('%s', (_, other, sign) => expect(Math.sign(comparePlaces(early, other))).toBe(sign))
})
