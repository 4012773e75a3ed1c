import { createHash } from 'node:crypto'

/** A seeded generator (sfc32). Each part of a simulation has its own, so that one part does not shift the others' numbers. */
export type Random = {
  /** From 0, below 1. */
  next(): number
  /** An integer from `min` to `max`, inclusive. */
  between(min: number, max: number): number
  chance(share: number): boolean
  /** Throws for an empty list. */
  pick<Item>(items: readonly Item[]): Item
  fill(bytes: Uint8Array): void
}

/** `name` separates generators of the same seed. */
export function createRandom(seed: number, name: string): Random {
  let [a, b, c, d] = [hashOf(`${seed}/${name}/a`), hashOf(`${seed}/${name}/b`), hashOf(`${seed}/${name}/c`), 1]
  const word = () => {
    const sum = (a + b + d) >>> 0
    d = (d + 1) >>> 0
    a = (b ^ (b >>> 9)) >>> 0
    b = (c + (c << 3)) >>> 0
    c = ((c << 21) | (c >>> 11)) >>> 0
    c = (c + sum) >>> 0
    return sum
  }
  for (let round = 0; round < 12; round++) word()
  const next = () => word() / 4_294_967_296
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    fill: (bytes) => {
      for (let index = 0; index < bytes.length; index++) bytes[index] = word() & 255
    },
  }
}

/** 32 bits of FNV-1a, mixed. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** A short hash of what is carried, for the log of events. */
export function digestOf(content: Uint8Array | string): string {
  return createHash('md5').update(content).digest('hex').slice(0, 8)
}
