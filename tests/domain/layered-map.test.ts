import { expect, it } from 'vitest'
import { emptyLayers, lookUp, withChanges } from '../../src/domain/layered-map.ts'

const many = (count: number) => new Map(Array.from({ length: count }, (_, index) => [`k${index}`, index]))

it('a layered map keeps up to 500 changes over its base and merges them with the next one', () => {
  const layered = withChanges(emptyLayers, many(500))
  expect(layered).toEqual({ base: new Map(), layer: many(500) })
  expect(withChanges<number>(layered, new Map([['k500', 500]]))).toEqual({ base: many(501), layer: new Map() })
})

it('a layered map keeps a deleted key deleted after a merge', () => {
  const full = withChanges<number>(emptyLayers, many(501))
  const without = withChanges(full, new Map([['k0', undefined]]))
  const folded = withChanges(without, new Map([...many(501), ['k0', undefined], ['k1', undefined]]))
  expect([without, folded].map((map) => ['k0', 'k1', 'k2'].map((key) => lookUp(map, key)))).toEqual([
    [undefined, 1, 2],
    [undefined, undefined, 2],
  ])
  expect([...folded.base.keys()]).toEqual([...many(501).keys()].slice(2))
})
