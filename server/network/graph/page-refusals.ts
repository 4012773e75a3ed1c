import { GraphError, type Refusal } from './graph-error.ts'
import { PageBusy, PagePaused } from './pace.ts'
import { PageUnusable } from './page-calls.ts'

/** A failed operation on a page; `text` tells staff what to do. */
export type PageRefusal = { status: 409 | 410 | 422 | 429 | 503 | 504; code: string; text: string }

export class PageRefused extends Error {
  override readonly name = 'PageRefused'
  readonly refusal: PageRefusal

  constructor(refusal: PageRefusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

const sentences: Record<Refusal, Pick<PageRefusal, 'status' | 'text'>> = {
  reconnectPage: {
    status: 422,
    text: 'The network no longer accepts the access token of this page. Give the page a new token.',
  },
  windowClosed: { status: 422, text: 'The reply window is closed. You can reply once the person writes again.' },
  personUnavailable: { status: 422, text: 'This person cannot be reached at the moment. Try again later.' },
  permissionMissing: {
    status: 422,
    text: 'The access token of this page lacks a permission. Make a new token with all permissions of the inbox.',
  },
  recipientUnknown: {
    status: 422,
    text: 'The network does not know this conversation on this page. It may have been deleted there. The stored messages stay.',
  },
  pageRestricted: { status: 422, text: 'The network has restricted this page for now. Try again later.' },
  rateLimited: { status: 429, text: 'The network asks for a pause. Try again in a few minutes.' },
  temporaryFailure: { status: 503, text: 'The network has a temporary problem. Try again in a moment.' },
  noAnswer: { status: 504, text: 'The network did not answer. Try again in a moment.' },
  refused: {
    status: 422,
    text: 'The network refused the call. Try again later; if it is refused again, tell an administrator.',
  },
}

/** The refusal to show to staff; null for errors that do not come from a page or the network. */
export function pageRefusalOf(error: unknown): PageRefusal | null {
  if (error instanceof PageRefused) return error.refusal
  if (error instanceof PageBusy) return { status: 429, code: 'PAGE_BUSY', text: error.message }
  if (error instanceof PagePaused) {
    return { ...sentences.rateLimited, code: error.code === null ? 'PAGE_PAUSED' : `NETWORK_${error.code}` }
  }
  if (error instanceof PageUnusable) {
    return error.reason === 'unknown'
      ? { status: 410, code: 'PAGE_UNKNOWN', text: 'This page is no longer connected.' }
      : { ...sentences.reconnectPage, code: 'PAGE_TOKEN_UNREADABLE' }
  }
  if (!(error instanceof GraphError)) return null
  return { ...sentences[error.refusal], code: error.code === null ? 'NO_ANSWER' : `NETWORK_${error.code}` }
}

/** Whether a retry may succeed without an action of staff. */
export const isTransient = (error: unknown): boolean =>
  error instanceof PagePaused || (error instanceof GraphError && error.retry === 'backoff')
