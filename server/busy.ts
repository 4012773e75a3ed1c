/** Too many calls of one kind wait already, so this one did nothing. Answered with 503 and Retry-After. */
export class Busy extends Error {
  /** Seconds. */
  readonly retryAfter: number
  /** `message` is shown to staff. */
  constructor(message: string, retryAfter = 5) {
    super(message)
    this.retryAfter = retryAfter
  }
}

/** The caller closed the connection before its turn came. Nobody reads the answer. */
export class CallerGone extends Error {}
