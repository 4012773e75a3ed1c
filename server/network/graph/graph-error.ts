/** Whether to retry a call: never, once the cause is gone, or automatically with backoff. */
export type Retry = 'never' | 'later' | 'backoff'

/** The reason that staff see. The network's own text is for developers and is never shown. */
export type Refusal =
  | 'reconnectPage'
  | 'windowClosed'
  | 'personUnavailable'
  | 'permissionMissing'
  | 'recipientUnknown'
  | 'pageRestricted'
  | 'rateLimited'
  | 'temporaryFailure'
  | 'refused'
  | 'noAnswer'

type Meaning = { refusal: Refusal; retry: Retry }

const bySubcode: Record<string, Meaning> = {
  '10/2018278': { refusal: 'windowClosed', retry: 'never' },
  '10/2534022': { refusal: 'windowClosed', retry: 'never' },
  '10/2018108': { refusal: 'personUnavailable', retry: 'never' },
  '200/1545041': { refusal: 'personUnavailable', retry: 'never' },
  '100/33': { refusal: 'recipientUnknown', retry: 'never' },
  '100/2018001': { refusal: 'recipientUnknown', retry: 'never' },
  '100/2534014': { refusal: 'recipientUnknown', retry: 'never' },
}

const byCode: Record<number, Meaning> = {
  1: { refusal: 'temporaryFailure', retry: 'backoff' },
  2: { refusal: 'temporaryFailure', retry: 'backoff' },
  4: { refusal: 'rateLimited', retry: 'backoff' },
  10: { refusal: 'permissionMissing', retry: 'never' },
  17: { refusal: 'rateLimited', retry: 'backoff' },
  32: { refusal: 'rateLimited', retry: 'backoff' },
  190: { refusal: 'reconnectPage', retry: 'never' },
  200: { refusal: 'permissionMissing', retry: 'never' },
  368: { refusal: 'pageRestricted', retry: 'later' },
  551: { refusal: 'personUnavailable', retry: 'never' },
  613: { refusal: 'rateLimited', retry: 'backoff' },
  80001: { refusal: 'rateLimited', retry: 'backoff' },
  80002: { refusal: 'rateLimited', retry: 'backoff' },
  80006: { refusal: 'rateLimited', retry: 'backoff' },
}

/** Depends on the error's numbers only, never on its text. */
function meaningOf(code: number, subcode: number | null): Meaning {
  return bySubcode[`${code}/${subcode}`] ?? byCode[code] ?? { refusal: 'refused', retry: 'never' }
}

/**
 * A failed call to the network. `status` and `code` are null if there was no response or it could not be parsed; the
 * network may then have executed the call.
 */
export class GraphError extends Error {
  override readonly name = 'GraphError'
  readonly status: number | null
  readonly code: number | null
  readonly subcode: number | null
  readonly retry: Retry
  readonly refusal: Refusal
  /** The network may have executed the call. */
  readonly uncertain: boolean
  /** Milliseconds that the network asks to wait; null if it names none. */
  readonly retryAfter: number | null

  private constructor(
    text: string,
    about: {
      status: number | null
      code: number | null
      subcode: number | null
      meaning: Meaning
      uncertain: boolean
      retryAfter: number | null
    },
  ) {
    super(text)
    this.status = about.status
    this.code = about.code
    this.subcode = about.subcode
    this.retry = about.meaning.retry
    this.refusal = about.meaning.refusal
    this.uncertain = about.uncertain
    this.retryAfter = about.retryAfter
  }

  /** The network returned an error object. */
  static refused(
    call: string,
    status: number,
    code: number,
    subcode: number | null,
    retryAfter: number | null = null,
  ): GraphError {
    // A 5xx does not prove that the call had no effect.
    const meaning: Meaning =
      status >= 500 ? { refusal: 'temporaryFailure', retry: 'backoff' } : meaningOf(code, subcode)
    return new GraphError(`${call} was refused: ${code}${subcode === null ? '' : `/${subcode}`} (HTTP ${status})`, {
      status,
      code,
      subcode,
      meaning,
      uncertain: meaning.refusal === 'temporaryFailure',
      retryAfter,
    })
  }

  /** A timeout, a broken connection, or a response that could not be parsed. */
  static unanswered(call: string, why: string, status: number | null = null): GraphError {
    const meaning: Meaning = { refusal: 'noAnswer', retry: 'backoff' }
    return new GraphError(`${call} got no usable response: ${why}`, {
      status,
      code: null,
      subcode: null,
      meaning,
      uncertain: true,
      retryAfter: null,
    })
  }
}

/** The network does not know the object of the call, for example a deleted comment, or does not show it to the page. */
export const isUnknownObject = (error: unknown): boolean =>
  error instanceof GraphError && error.code === 100 && error.subcode === 33
