/** An edge of a graph. A walk takes an edge of each kind; an edge may be of several kinds. */
export type Edge = { from: string; to: string; kinds: readonly string[] }

/** The paths that are no prefix of another path: checks after each step of these paths cover all paths. */
export function withoutBeginnings<Path>(paths: readonly Path[], stepsOf: (path: Path) => readonly unknown[]): Path[] {
  const goneOnFrom = new Set(paths.flatMap((path) => stepsOf(path).slice(0, -1)))
  return paths.filter((path) =>
    stepsOf(path)
      .slice(-1)
      .some((last) => !goneOnFrom.has(last)),
  )
}

/**
 * A small set of paths that together take an edge of every kind. Each path continues to the nearest kind that was not
 * taken yet, and ends if none is reachable or if the path would exceed `longest` edges. The first approach to a kind
 * is taken at any length.
 */
export function fewPaths<One extends Edge>(start: string, edges: readonly One[], longest: number): One[][] {
  const from = Map.groupBy(edges, (edge) => edge.from)
  const left = new Set(edges.flatMap(({ kinds }) => kinds))
  const wayToNextFrom = (place: string): One[] => {
    const ways = new Map<string, One[]>([[place, []]])
    for (const [at, way] of ways) {
      for (const edge of from.get(at) ?? []) {
        if (edge.kinds.some((kind) => left.has(kind))) return [...way, edge]
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
      for (const kind of way.flatMap(({ kinds }) => kinds)) left.delete(kind)
    }
    if (path.length === 0) throw new Error(`nothing leads to ${[...left].join(', ')}`)
    paths.push(path)
  }
  return paths
}
