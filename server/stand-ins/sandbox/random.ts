/** A seeded pseudo-random generator (mulberry32). */
export type Random = {
  /** From 0, below 1. */
  next(): number
  /** An integer from `min` to `max`, inclusive. */
  between(min: number, max: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  chance(share: number): boolean
  digits(length: number): string
  token(length: number): string
  uuid(): string
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const hex = (length: number) => Array.from({ length }, () => between(0, 15).toString(16)).join('')
  return {
    next,
    between,
    pick: ([first, ...rest]) => {
      const index = between(0, rest.length)
      return index === 0 ? first : (rest[index - 1] ?? first)
    },
    chance: (share) => next() < share,
    digits: (length) => Array.from({ length }, (_, index) => between(index === 0 ? 1 : 0, 9)).join(''),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    token: (length) => Array.from({ length }, () => letters.charAt(between(0, letters.length - 1))).join(''),
  }
}
