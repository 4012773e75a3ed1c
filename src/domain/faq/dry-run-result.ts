import type { FaqDryRunOutcome, FaqDryRunPart, FaqDryRunSample } from '../../schemas/faq.ts'

/** The parts of a dry run together. `total` and `done` count messages. */
export type DryRunResult = {
  total: number
  done: number
  outcomes: Readonly<Record<FaqDryRunOutcome, number>>
  contested: number
  /** Most answers first. */
  entries: readonly { id: string; title: string; count: number }[]
  samples: Readonly<Record<DryRunList, readonly FaqDryRunSample[]>>
}

export const dryRunLists = ['answered', 'several', 'unanswered'] as const
export type DryRunList = (typeof dryRunLists)[number]

/** The maximum number of messages that each list shows. */
export const mostSamples = 50

export const emptyDryRun: DryRunResult = {
  total: 0,
  done: 0,
  outcomes: { answered: 0, staff: 0, recent: 0, doubtful: 0, none: 0 },
  contested: 0,
  entries: [],
  samples: { answered: [], several: [], unanswered: [] },
}

/** The result with one more part. */
export function withPart(result: DryRunResult, part: FaqDryRunPart): DryRunResult {
  const counts = new Map(result.entries.map((entry) => [entry.id, entry]))
  for (const { id, title, count } of part.entries) {
    counts.set(id, { id, title, count: (counts.get(id)?.count ?? 0) + count })
  }
  const sum = (outcome: FaqDryRunOutcome) => result.outcomes[outcome] + part.outcomes[outcome]
  const joined = (list: DryRunList) => [...result.samples[list], ...part[list]].slice(0, mostSamples)
  return {
    total: part.total,
    done: part.done,
    outcomes: {
      answered: sum('answered'),
      staff: sum('staff'),
      recent: sum('recent'),
      doubtful: sum('doubtful'),
      none: sum('none'),
    },
    contested: result.contested + part.contested,
    entries: [...counts.values()].sort(
      (one, other) => other.count - one.count || (one.title < other.title ? -1 : 1) || (one.id < other.id ? -1 : 1),
    ),
    samples: { answered: joined('answered'), several: joined('several'), unanswered: joined('unanswered') },
  }
}
