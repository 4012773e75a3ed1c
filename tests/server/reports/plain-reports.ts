/**
 * Waits and resolutions computed from a history in memory, as docs/glossary.md defines them. Nothing here is shared with
 * the SQL of the reports.
 */

/** `number`: the place in the order of storing. `at`: minutes. */
export type PlainMessage = {
  number: number
  at: number
  kind: 'question' | 'answer' | 'automatic'
  isHistorical: boolean
}
/** Done was pressed at `at`, when all messages up to `upTo` were stored. */
export type PlainDone = { at: number; upTo: number; newestQuestion: number | null; by: string }

export type PlainWait = {
  began: number
  ended: 'answered' | 'done' | null
  endedAt: number | null
  endedBy: string | null
  automaticAt: number | null
}

const settles = (done: PlainDone, { number, at, isHistorical }: PlainMessage): boolean =>
  number <= done.upTo || (isHistorical && done.newestQuestion !== null && at <= done.newestQuestion)

/** The end of the wait that a question belongs to: its answer, or the first Done that settled it before. */
function endOf(question: PlainMessage, messages: readonly PlainMessage[], dones: readonly PlainDone[]) {
  const answeredAt = messages
    .filter(({ kind, at }) => kind === 'answer' && at > question.at)
    .reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY)
  const done = dones.filter((one) => settles(one, question)).toSorted((one, other) => one.at - other.at)[0]
  if (answeredAt <= (done?.at ?? Number.POSITIVE_INFINITY) && answeredAt !== Number.POSITIVE_INFINITY)
    return { ended: 'answered' as const, endedAt: answeredAt, endedBy: 'outside', answeredAt }
  if (done !== undefined) return { ended: 'done' as const, endedAt: done.at, endedBy: `staff:${done.by}`, answeredAt }
  return { ended: null, endedAt: null, endedBy: null, answeredAt }
}

export function plainWaits(messages: readonly PlainMessage[], dones: readonly PlainDone[]): PlainWait[] {
  const waits = new Map<string, PlainWait>()
  for (const question of messages
    .filter(({ kind }) => kind === 'question')
    .toSorted((one, other) => one.at - other.at)) {
    const { answeredAt, ...end } = endOf(question, messages, dones)
    const key = JSON.stringify([end, answeredAt])
    if (waits.has(key)) continue
    const replies = messages.filter(
      ({ kind, at }) =>
        kind === 'automatic' && at >= question.at && at < answeredAt && at <= (end.endedAt ?? Number.POSITIVE_INFINITY),
    )
    waits.set(key, {
      began: question.at,
      ...end,
      automaticAt: replies.length === 0 ? null : Math.min(...replies.map(({ at }) => at)),
    })
  }
  // A message may be written "after" the Done that settled it, because two clocks are compared.
  return [...waits.values()].map((wait) => ({
    ...wait,
    endedAt: wait.endedAt === null ? null : Math.max(wait.endedAt, wait.began),
  }))
}

const silence = 7 * 24 * 60

/** The first question that Done resolves: since the Done before, and since the last silence of more than a week. */
export function plainOpening(
  messages: readonly PlainMessage[],
  before: PlainDone | undefined,
  closedAt: number,
): number | null {
  const open = messages
    .filter((one) => one.at <= closedAt && (before === undefined || !settles(before, one)))
    .toSorted((one, other) => one.at - other.at)
  let start = Number.NEGATIVE_INFINITY
  open.forEach(({ at }, index) => {
    const previous = open[index - 1]
    if (previous !== undefined && at - previous.at > silence) start = at
  })
  const questions = open.filter(({ kind, at }) => kind === 'question' && at >= start)
  return questions.length === 0 ? null : Math.min(...questions.map(({ at }) => at))
}

/** As `percentile_cont`: linear between the two nearest values. */
export function percentile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  const place = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
  return low + (high - low) * (place - Math.floor(place))
}
