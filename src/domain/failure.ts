export type FailureKind =
  /** The request may have left, no answer came. */
  | 'noAnswer'
  /** No answer within the time limit. */
  | 'timeout'
  /** An answer with a status that is not 2xx. */
  | 'status'
  /** A 2xx answer that is not what the schema asks for. */
  | 'badAnswer'
  /** Whoever asked is gone; nobody is to be told. */
  | 'aborted'

export type FailureFacts = {
  kind: FailureKind
  method: string
  /** Without its query: a query can hold a client's name. */
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

/** What a service throws when a call did not bring what was asked for (spec section 8). Holds no token and no payload. */
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

/** There is nothing to go on with the session, found out without asking the server. Its message is a text for staff. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost'
}

/**
 * True where the server understood and said no, or nothing is left to ask with: only this ends a session. All else
 * (no answer, an answer that is none, 408, 429, 5xx) may be otherwise a moment later.
 */
export function isRefusal(failure: unknown): boolean {
  if (failure instanceof SessionLost) return true
  return failure instanceof Failure && [400, 401, 403, 422].includes(failure.status ?? 0)
}
