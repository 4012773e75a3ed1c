import { expect, it } from 'vitest'
import { isSearchable } from '../../../src/domain/client/client-linking.ts'

it.each([
  [1, false],
  [2, true],
  [200, true],
  [201, false],
])('whether clients are searched by a term of %d characters, without the spaces around it: %s', (length, searched) => {
  const term = 'm'.repeat(length)
  expect([term, ` ${term} `].map(isSearchable)).toEqual([searched, searched])
})
