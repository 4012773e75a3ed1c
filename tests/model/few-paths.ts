/** One edge of a graph; edges of one kind need to be taken once. */
export type Edge = { from: string; to: string; kind: string }

/** The paths that no other goes on from: whoever looks after each step sees on them all that the others show. */
export function withoutBeginnings<Path>(paths: readonly Path[], stepsOf: (path: Path) => readonly unknown[]): Path[] {
  const goneOnFrom = new Set(paths.flatMap((path) => stepsOf(path).slice(0, -1)))
  return paths.filter((path) =>
    stepsOf(path)
      .slice(-1)
      .some((last) => !goneOnFrom.has(last)),
  )
}

/**
 * Few paths that together take an edge of every kind: each goes on from where it is to the nearest kind that was not
 * taken yet, and ends where none can be reached or where it would get longer than `longest` edges. The first way is
 * taken however long it is.
 */
export function fewPaths<One extends Edge>(start: string, edges: readonly One[], longest: number): One[][] {
  const from = Map.groupBy(edges, (edge) => edge.from)
  const left = new Set(edges.map(({ kind }) => kind))
  const wayToNextFrom = (place: string): One[] => {
    const ways = new Map<string, One[]>([[place, []]])
    for (const [at, way] of ways) {
      for (const edge of from.get(at) ?? []) {
        if (left.has(edge.kind)) return [...way, edge]
        if (!ways.has(edge.to)) ways.set(edge.to, [...way, edge])
      }
    }
    return []
  }

  const paths: One[][] = []
  while (left.size > 0) {
    const path: One[] = []
    for (;;) {
      const way = wayToNextFrom(path.at(-1)?.to ?? start)
      if (way.length === 0 || (path.length > 0 && path.length + way.length > longest)) break
      path.push(...way)
      for (const { kind } of way) left.delete(kind)
    }
    if (path.length === 0) throw new Error(`nothing leads to ${[...left].join(', ')}`)
    paths.push(path)
  }
  return paths
}
