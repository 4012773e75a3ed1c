import { fileProblem, fileLimitsShown as shown } from '../../../src/domain/send/file-limits.ts'
import { textOfHeart } from '../../../src/domain/send/like-heart.ts'
import { fitsInMessage } from '../../../src/domain/send/text-limit.ts'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { OutgoingFile } from '../../../src/schemas/outgoing-file.ts'
import { GraphError, type Refusal } from '../graph/graph-error.ts'
import { PageUnusable } from '../graph/page-calls.ts'

/** A failed send: an HTTP status, a code, and a message that is shown to staff. */
export class SendRefused extends Error {
  override readonly name = 'SendRefused'
  readonly status: 400 | 409 | 422 | 429 | 503 | 504
  readonly code: string

  constructor(status: SendRefused['status'], code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const sentences: Record<Refusal, { status: SendRefused['status']; text: string }> = {
  reconnectPage: {
    status: 422,
    text: 'The connection to this page has expired. Reconnect the page, then send the message again.',
  },
  windowClosed: {
    status: 422,
    text: 'The reply window is closed: this person wrote too long ago. You can reply once they write again.',
  },
  personUnavailable: {
    status: 422,
    text: 'This person cannot be reached at the moment. Try again later, or reach them another way.',
  },
  permissionMissing: {
    status: 422,
    text: 'This page does not allow the inbox to send messages. Give it a token with all permissions of the inbox.',
  },
  recipientUnknown: {
    status: 422,
    text: 'The network does not know this person on the selected page. Send from another page they wrote to.',
  },
  pageRestricted: { status: 422, text: 'The network has restricted this page for now. Try again later.' },
  rateLimited: { status: 429, text: 'The network asks for a pause. Try again in a few minutes.' },
  temporaryFailure: {
    status: 503,
    text: 'The network has a temporary problem. It is not certain whether the message arrived.',
  },
  noAnswer: { status: 504, text: 'The network did not answer. It is not certain whether the message arrived.' },
  refused: {
    status: 422,
    text: 'The network refused the message. Change it and try again; if that is refused too, tell an administrator.',
  },
}

export const stillSending = () => new SendRefused(504, 'STILL_SENDING', 'The message is still being sent.')

export const unconfirmed = () => new SendRefused(504, 'NOT_CERTAIN', 'It is not certain whether the message arrived.')

export const notListed = () =>
  new SendRefused(504, 'NOT_CERTAIN', 'The network does not list the message. It may have arrived.')

export const listedAlike = () =>
  new SendRefused(
    504,
    'LISTED_ALIKE',
    'The page has sent a message with this text: see the conversation. Discard this one, or send it again if it has to arrive twice.',
  )

export const alreadyDecided = () =>
  new SendRefused(409, 'DECIDED_MEANWHILE', 'A colleague has already retried or discarded this message.')

export const unknownRecipient = () =>
  new SendRefused(422, 'RECIPIENT_UNKNOWN', 'This person has not written to the selected page.')

export const keyReused = () =>
  new SendRefused(409, 'KEY_REUSED', 'This idempotency key was already used for another message.')

export const textRemoved = () =>
  new SendRefused(409, 'TEXT_REMOVED', 'This message was removed from the inbox, so it cannot be sent again.')

export const pageInactive = () =>
  new SendRefused(422, 'PAGE_INACTIVE', 'This page is inactive. Activate it to send messages.')

const tokenUnreadable = () =>
  new SendRefused(sentences.reconnectPage.status, 'PAGE_TOKEN_UNREADABLE', sentences.reconnectPage.text)

export const fileGone = () =>
  new SendRefused(
    422,
    'FILE_GONE',
    'This file is no longer on the server. Discard the message and attach the file again.',
  )

export const originalGone = () =>
  new SendRefused(
    422,
    'ORIGINAL_GONE',
    'The message that you reply to is no longer in this chat. Discard this reply and write it again without it.',
  )

export const filesNotOffered = () =>
  new SendRefused(422, 'FILES_NOT_OFFERED', 'The network cannot fetch files from this server. Tell an administrator.')

export const buttonTextTooLong = () =>
  new SendRefused(422, 'TEXT_TOO_LONG', 'A message with buttons can have at most 640 characters.')

export const cardTextWrong = () =>
  new SendRefused(400, 'CARD_TEXT', 'The text of a card is its title and its subtitle.')

export const heartTextWrong = () => new SendRefused(400, 'HEART_TEXT', `The text of a heart is "${textOfHeart}".`)

export const stickersNotOffered = () =>
  new SendRefused(
    422,
    'STICKERS_NOT_OFFERED',
    'Messenger takes no stickers. Discard this one and write a text instead.',
  )

export const templatesNotOffered = () =>
  new SendRefused(
    422,
    'TEMPLATES_NOT_OFFERED',
    'Instagram takes no templates. You can reply once this person writes again.',
  )

export const templateChanged = () =>
  new SendRefused(
    422,
    'TEMPLATE_CHANGED',
    'This template has changed or is no longer approved. Discard the message and choose a template again.',
  )

const refusedFiles: Record<Platform, string> = {
  messenger: `Messenger takes pictures up to ${shown.image} MB and other files up to ${shown.other} MB.`,
  instagram: `Instagram takes JPEG, PNG and GIF up to ${shown.image} MB, and MP4, MOV, WebM, M4A, WAV, AAC and PDF up to ${shown.other} MB.`,
}

/** Throws SendRefused if the platform does not take the file. */
export function checkFile(platform: Platform, { type, size }: OutgoingFile): void {
  if (fileProblem({ type, size }, platform) !== null) {
    throw new SendRefused(422, 'FILE_NOT_ACCEPTED', refusedFiles[platform])
  }
}

const tooLong: Record<Platform, string> = {
  messenger: 'A message on Messenger can have at most 1,999 characters.',
  instagram: 'A message on Instagram can have at most 1,000 bytes: fewer characters with emoji or accents.',
}

/** Throws SendRefused if the text is too long for the platform. */
export function checkLength(platform: Platform, text: string): void {
  if (!fitsInMessage(text, platform)) throw new SendRefused(422, 'TEXT_TOO_LONG', tooLong[platform])
}

/** The error for a message that may have been delivered: never a definite refusal. Unknown errors are returned unchanged. */
export function uncertainResult(error: unknown): unknown {
  if (error instanceof GraphError && error.uncertain) return refusalOf(error)
  if (!(error instanceof GraphError || error instanceof SendRefused)) return error
  return new SendRefused(sentences.noAnswer.status, 'NOT_CERTAIN', sentences.noAnswer.text)
}

/** Turns a GraphError or PageUnusable into the SendRefused that staff see. Other errors are returned unchanged. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof PageUnusable) return error.reason === 'unreadable' ? tokenUnreadable() : pageInactive()
  if (!(error instanceof GraphError)) return error
  const { status, text } = sentences[error.refusal]
  return new SendRefused(status, error.code === null ? 'NO_ANSWER' : `NETWORK_${error.code}`, text)
}

/**
 * What a failed call means for its send: 'failed' if the network certainly did not take the message, and the error that staff
 * see. `mayBeDelivered`: an earlier call had an unknown result.
 */
export function failureOf(
  error: unknown,
  { mayBeDelivered }: { mayBeDelivered: boolean },
): { state: 'failed' | 'unknown'; refusal: unknown } {
  const isRefused = error instanceof PageUnusable || (error instanceof GraphError && !error.uncertain)
  return {
    state: isRefused && !mayBeDelivered ? 'failed' : 'unknown',
    refusal: isRefused ? refusalOf(error) : uncertainResult(error),
  }
}
