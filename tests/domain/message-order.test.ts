import { describe, expect, it } from 'vitest'
import { comparePlaces, type Place, placeOf, sentAt } from '../../src/domain/message-order.ts'
import { at, messageOf } from './message-fixture.ts'

describe('the place of a message', () => {
  it.each([
    ['says when it was written', { timestamp_fb: at(1), created_at: at(9) }, at(1)],
    ['does not, when the server stored it', { timestamp_fb: null, created_at: at(9) }, at(9)],
  ])('is at the moment that the network says; where it %s', (_, moments, moment) => {
    const message = messageOf('m1', 5, moments)
    expect(placeOf(message)).toEqual({ at: Date.parse(moment), id: 'm1' })
    expect(sentAt(message)).toBe(Date.parse(moment))
  })

  it('is worked out once for each message', () => {
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

describe('two places are compared', () => {
  const early: Place = { at: 1, id: 'b' }
  it.each<[string, Place, number]>([
    ['by moment', { at: 2, id: 'a' }, -1],
    ['by moment, the other way', { at: 0, id: 'c' }, 1],
    ['by id within a moment', { at: 1, id: 'c' }, -1],
    ['by id within a moment, the other way', { at: 1, id: 'a' }, 1],
    ['as one', { at: 1, id: 'b' }, 0],
  ])('%s', (_, other, sign) => expect(Math.sign(comparePlaces(early, other))).toBe(sign))
})
