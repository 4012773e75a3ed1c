import { Failure } from '../failure.ts'

/**
 * True where the server is known to have kept the message from leaving: a 4xx. Anything else (no answer, a time-out,
 * 5xx, an answer nobody can read) leaves open whether it was delivered.
 */
export function wasRefused(failure: unknown): boolean {
  if (!(failure instanceof Failure) || failure.kind !== 'status') return false
  const status = failure.status ?? 0
  return status >= 400 && status < 500 && status !== 408
}
