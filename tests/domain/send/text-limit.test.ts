import { expect, it } from 'vitest'
import { isNearLimit } from '../../../src/domain/send/text-limit.ts'

it.each([
  [799, false],
  [800, true],
  [1_000, true],
  [1_001, true],
])('a size of %i of 1,000 is near the limit: %s', (size, is) => expect(isNearLimit({ size, limit: 1_000 })).toBe(is))
