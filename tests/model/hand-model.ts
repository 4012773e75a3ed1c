import { type Edge, fewPaths, withoutBeginnings } from './few-paths.ts'

/** A model written by hand: the actions at each place, and the place that each action leads to. */
export type Moves<Place> = (place: Place) => Readonly<Record<string, Place>>
export type HandPath<Place> = readonly { name: string; from: Place; place: Place }[]

const keyOf = (place: unknown) => JSON.stringify(place)

export const titleOf = (path: readonly { name: string }[]): string => path.map(({ name }) => name).join(', then ')

/** Short paths that take every action at each place. */
export function everyMove<Place>(start: Place, moves: Moves<Place>): HandPath<Place>[] {
  const paths: HandPath<Place>[] = []
  const visited = new Set([keyOf(start)])
  const open: { at: Place; path: HandPath<Place> }[] = [{ at: start, path: [] }]
  for (const { at, path } of open) {
    for (const [name, place] of Object.entries(moves(at))) {
      const further = [...path, { name, from: at, place }]
      paths.push(further)
      if (visited.has(keyOf(place))) continue
      visited.add(keyOf(place))
      open.push({ at: place, path: further })
    }
  }
  return withoutBeginnings(paths, (path) => path)
}

/**
 * The same with few paths of at most `most` steps; only the path to a more distant place may be longer. A place must
 * contain everything that decides what the screen shows after it.
 */
export function everyMoveInFewPaths<Place>(start: Place, moves: Moves<Place>, most = 30): HandPath<Place>[] {
  const open = new Map([[keyOf(start), start]])
  const edges: (Edge & { step: HandPath<Place>[number] })[] = []
  for (const [from, at] of open) {
    for (const [name, place] of Object.entries(moves(at))) {
      const to = keyOf(place)
      edges.push({ from, to, kinds: [`${from} ${name}`], step: { name, from: at, place } })
      if (!open.has(to)) open.set(to, place)
    }
  }
  return fewPaths(keyOf(start), edges, most).map((path) => path.map(({ step }) => step))
}

/** Every path that visits no place twice. */
export function everyPath<Place>(start: Place, moves: Moves<Place>): HandPath<Place>[] {
  const paths: HandPath<Place>[] = []
  const open: { at: Place; path: HandPath<Place> }[] = [{ at: start, path: [] }]
  for (const { at, path } of open) {
    const visited = new Set([start, ...path.map(({ place }) => place)].map(keyOf))
    for (const [name, place] of Object.entries(moves(at))) {
      if (visited.has(keyOf(place))) continue
      const further = [...path, { name, from: at, place }]
      paths.push(further)
      open.push({ at: place, path: further })
    }
  }
  return withoutBeginnings(paths, (path) => path)
}
