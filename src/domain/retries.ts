import { Failure } from './failure.ts'

/** True where the same question may be answered a moment later: no answer, an answer that is none, 408, 429, 5xx. */
export function mayPass(failure: unknown): boolean {
  if (!(failure instanceof Failure)) return true
  if (failure.kind !== 'status') return failure.kind !== 'aborted'
  const status = failure.status ?? 0
  return status === 408 || status === 429 || status >= 500
}

const delays = [2_000, 4_000, 8_000, 16_000, 30_000] as const

/**
 * How long to wait, in milliseconds, after so many failures in a row before a read is tried again; as long at least as
 * the server asked for with the last of them.
 */
export const retryDelayAfter = (failures: number, last?: unknown): number => {
  const asked = last instanceof Failure ? (last.retryAfter ?? 0) : 0
  return Math.max(delays[Math.min(Math.max(failures, 1), delays.length) - 1] ?? delays[0], asked)
}

/** Failures in a row of one read, and how long to wait after the last of them, in milliseconds. */
export type Retries = { failures: number; retryDelay: number }

export const noRetries: Retries = { failures: 0, retryDelay: 0 }

/** After one more failure in a row. */
export const retriesAfter = ({ failures }: Retries, error: unknown): Retries => ({
  failures: failures + 1,
  retryDelay: retryDelayAfter(failures + 1, error),
})
