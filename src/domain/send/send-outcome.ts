import { Failure } from '../failure.ts'

/**
 * True if the server certainly did not send the message: a 4xx answer. After any other failure (no answer, a timeout,
 * 5xx, an invalid answer) the message may have been delivered.
 */
export function wasRefused(failure: unknown): boolean {
  if (!(failure instanceof Failure) || failure.kind !== 'status') return false
  const status = failure.status ?? 0
  return status >= 400 && status < 500 && status !== 408
}
