import { Failure } from './failure.ts'

/** Whether the failure may be temporary, so that a retry can succeed: no answer, an invalid answer, 408, 429, 5xx. */
export function mayBeTemporary(failure: unknown): boolean {
  if (!(failure instanceof Failure)) return true
  if (failure.kind !== 'status') return failure.kind !== 'aborted'
  const status = failure.status ?? 0
  return status === 408 || status === 429 || status >= 500
}

const delays = [2_000, 4_000, 8_000, 16_000, 30_000] as const

/**
 * The delay in milliseconds before the next retry of a read, after this number of consecutive failures. At least the
 * delay that the server requested with the last failure (`Retry-After`).
 */
export const retryDelayAfter = (failures: number, last?: unknown): number => {
  const asked = last instanceof Failure ? (last.retryAfter ?? 0) : 0
  return Math.max(delays[Math.min(Math.max(failures, 1), delays.length) - 1] ?? delays[0], asked)
}

/** The number of consecutive failures of one read, and the delay in milliseconds before the next retry. */
export type Retries = { failures: number; retryDelay: number }

export const noRetries: Retries = { failures: 0, retryDelay: 0 }

/** The value after one more consecutive failure. */
export const retriesAfter = ({ failures }: Retries, error: unknown): Retries => ({
  failures: failures + 1,
  retryDelay: retryDelayAfter(failures + 1, error),
})
