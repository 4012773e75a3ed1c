/** Whether the same call may be made again: not at all, once the cause is gone, or by itself with growing pauses. */
export type Retry = 'never' | 'later' | 'backoff'

/** What staff are told; the network's own text is for developers and is never shown. */
export type Refusal =
  | 'reconnectPage'
  | 'windowClosed'
  | 'personUnavailable'
  | 'permissionMissing'
  | 'recipientUnknown'
  | 'pageRestricted'
  | 'rateLimited'
  | 'passingFault'
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
  1: { refusal: 'passingFault', retry: 'backoff' },
  2: { refusal: 'passingFault', retry: 'backoff' },
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

/** What the network means by an error's numbers; never judged by its text. */
function meaningOf(code: number, subcode: number | null): Meaning {
  return bySubcode[`${code}/${subcode}`] ?? byCode[code] ?? { refusal: 'refused', retry: 'never' }
}

/**
 * A call to the network that brought no usable answer. `status` and `code` are null where the network did not answer
 * or answered in no known form; whether it acted on the call is then unknown.
 */
export class GraphError extends Error {
  override readonly name = 'GraphError'
  readonly status: number | null
  readonly code: number | null
  readonly subcode: number | null
  readonly retry: Retry
  readonly refusal: Refusal
  /** The call may have been carried out all the same. */
  readonly uncertain: boolean
  /** Milliseconds after which the network says it may be asked again; null where it does not say. */
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

  /** The network answered with an error object. */
  static refused(
    call: string,
    status: number,
    code: number,
    subcode: number | null,
    retryAfter: number | null = null,
  ): GraphError {
    // Whatever it says, a server that failed in the middle may have done what it was asked to.
    const meaning: Meaning = status >= 500 ? { refusal: 'passingFault', retry: 'backoff' } : meaningOf(code, subcode)
    return new GraphError(`${call} was refused: ${code}${subcode === null ? '' : `/${subcode}`} (HTTP ${status})`, {
      status,
      code,
      subcode,
      meaning,
      uncertain: meaning.refusal === 'passingFault',
      retryAfter,
    })
  }

  /** No answer in time, a broken connection, or an answer in no known form. */
  static unanswered(call: string, why: string, status: number | null = null): GraphError {
    const meaning: Meaning = { refusal: 'noAnswer', retry: 'backoff' }
    return new GraphError(`${call} brought no usable answer: ${why}`, {
      status,
      code: null,
      subcode: null,
      meaning,
      uncertain: true,
      retryAfter: null,
    })
  }
}
