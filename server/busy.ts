/** The queue for calls of this kind is full, so the call had no effect. Answered with 503 and Retry-After. */
export class Busy extends Error {
  /** Seconds. */
  readonly retryAfter: number
  /** `message` is shown to staff. */
  constructor(message: string, retryAfter = 5) {
    super(message)
    this.retryAfter = retryAfter
  }
}

/** The caller closed the connection while its call was queued. No answer is needed. */
export class CallerGone extends Error {}
