import type { OutgoingFile } from '../../schemas/outgoing-file.ts'
import type { QuotedMessage } from '../../schemas/reactions-receipts-replies.ts'
import type { StructuredContent } from '../../schemas/structured-message.ts'
import type { Outgoing, Recipient } from './outgoing.ts'

/** What a person sends with one press of Send. */
export type SentDraft = {
  /** The chosen page; null is Auto-select. */
  pageId: string | null
  /** May be blank if there are files. */
  text: string
  /** Uploaded files; each is sent as a message of its own, after the text. */
  files?: readonly OutgoingFile[]
  /** The message that the first message of the draft replies to. */
  replyTo?: QuotedMessage | undefined
  /** What the message has beside its text. Then the message has no files. */
  structured?: StructuredContent | null
}

export const messageCount = ({ text, files = [] }: SentDraft): number => (text.trim() === '' ? 0 : 1) + files.length

/** The messages of a draft, queued: its text, then its files in their order. `now` in milliseconds. */
export const messagesOfDraft = (
  { pageId, text, files = [], structured = null, replyTo }: SentDraft,
  { recipient, newKey, now }: { recipient: Recipient; newKey: () => string; now: number },
): Outgoing[] =>
  [
    ...(text.trim() === '' ? [] : [{ text: text.trim(), file: null, structured }]),
    ...files.map((file) => ({ text: '', file, structured: null })),
  ].map((content, index) => ({
    key: newKey(),
    recipient,
    ...content,
    replyTo: index === 0 ? replyTo : undefined,
    chosenPageId: pageId,
    pageId: null,
    psid: null,
    // Stored sends are sorted by their times.
    createdAt: new Date(now + index).toISOString(),
    leftAt: null,
    status: 'queued',
    failure: null,
    echoId: null,
  }))
