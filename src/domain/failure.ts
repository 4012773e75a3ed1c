export type FailureKind =
  /** The request may have been sent, but no answer came. */
  | 'noAnswer'
  /** No answer within the time limit. */
  | 'timeout'
  /** An answer with a status other than 2xx. */
  | 'status'
  /** A 2xx answer that does not match the schema. */
  | 'badAnswer'
  /** The caller cancelled the request; no error is shown. */
  | 'aborted'

export type FailureFacts = {
  kind: FailureKind
  method: string
  /** Without the query string, because a query can contain a client's name. */
  path: string
  status?: number | undefined
  /** The `error` field of the body. */
  error?: string | undefined
  /** The `code` field of the body. */
  code?: string | undefined
  details?: Readonly<Record<string, unknown>> | undefined
  /** Milliseconds. */
  retryAfter?: number | undefined
}

/** The error that a service throws when a call fails (spec section 8). Contains no token and no payload. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly kind: FailureKind
  readonly method: string
  readonly path: string
  readonly status: number | undefined
  readonly error: string | undefined
  readonly code: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly retryAfter: number | undefined

  constructor(facts: FailureFacts) {
    super(`${facts.method} ${facts.path}: ${facts.status ?? facts.kind}`)
    this.kind = facts.kind
    this.method = facts.method
    this.path = facts.path
    this.status = facts.status
    this.error = facts.error
    this.code = facts.code
    this.details = facts.details
    this.retryAfter = facts.retryAfter
  }
}

/** The session cannot continue, and the browser can tell without asking the server. The message is shown to staff. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost'
}

/**
 * True if the server refused the request, or if there is no session left to send it with. Only such a failure ends a
 * session. All other failures (no answer, an invalid answer, 408, 429, 5xx) may be temporary.
 */
export function isRefusal(failure: unknown): boolean {
  if (failure instanceof SessionLost) return true
  return failure instanceof Failure && [400, 401, 403, 422].includes(failure.status ?? 0)
}
