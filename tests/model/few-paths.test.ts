import { expect, test } from 'vitest'
import { fewPaths } from './few-paths.ts'

const edge = (from: string, to: string, ...kinds: string[]) => ({
  from,
  to,
  kinds: kinds.length > 0 ? kinds : [`${from}${to}`],
})
const kindsOf = (paths: readonly { kinds: readonly string[] }[][]) =>
  paths.map((path) => path.map(({ kinds }) => kinds.join('+')).join(' '))

test('few paths take an edge of every kind, and start a new path only after a dead end', () => {
  const edges = [edge('a', 'b'), edge('b', 'a'), edge('b', 'c'), edge('a', 'd'), edge('a', 'a')]
  expect(kindsOf(fewPaths('a', edges, 30))).toEqual(['ab ba ad', 'aa ab bc'])
})

test('few paths take only one edge of each kind, in the order of the graph', () => {
  const edges = [edge('a', 'b', 'x'), edge('b', 'c', 'x'), edge('b', 'a', 'y')]
  expect(kindsOf(fewPaths('a', edges, 30))).toEqual(['x y'])
})

test('few paths take an edge of several kinds for all of them', () => {
  const edges = [edge('a', 'b', 'x', 'y'), edge('b', 'c', 'y'), edge('b', 'd', 'y', 'z')]
  expect(kindsOf(fewPaths('a', edges, 30))).toEqual(['x+y y+z'])
})

test('few paths are no longer than the limit, except for a kind that is further away', () => {
  const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'a')]
  expect(kindsOf(fewPaths('a', edges, 2))).toEqual(['ab bc', 'ab bc ca'])
})

test('few paths refuse a graph with an unreachable part', () => {
  expect(() => fewPaths('a', [edge('b', 'c')], 30)).toThrow('nothing leads to bc')
})
