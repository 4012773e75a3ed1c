import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import type { OutgoingFile } from '../../schemas/outgoing-file.ts'
import type { QuotedMessage } from '../../schemas/reactions-receipts-replies.ts'
import type { StructuredContent } from '../../schemas/structured-message.ts'
import { rowIdOf } from '../list/conversation-row.ts'
import { type ConversationPage, knownNameOf, pagesOf } from '../list/conversation-text.ts'
import { momentOf } from '../message-order.ts'
import { attachmentOf } from './sent-file.ts'
import { matchOf, type SendFacts } from './sent-message.ts'

/** The conversation that a message is sent to: the data that a send needs. */
export type Recipient = {
  conversationId: string
  /** The person's name when the message was written; null if it was not known. */
  name: string | null
  fbUserId: string
  /** In the order of the conversation. */
  pages: readonly ConversationPage[]
  /** Valid on `psidPageId` only. */
  psid: string | null
  psidPageId: string | null
}

export const recipientOf = (conversation: Conversation): Recipient => ({
  conversationId: rowIdOf(conversation),
  name: knownNameOf(conversation),
  fbUserId: conversation.fb_user_id,
  pages: pagesOf(conversation, new Map()),
  psid: conversation.psid ?? null,
  psidPageId: conversation.page_id ?? null,
})

/** The conversation's own psid if it belongs to that page; otherwise null. A psid is valid on its own page only. */
export const ownPsid = (recipient: Recipient, pageId: string | null): string | null =>
  pageId !== null && recipient.psidPageId === pageId ? recipient.psid : null

export type OutgoingStatus =
  /** Waits for an earlier message to the same person. */
  | 'queued'
  /** The request is under way. */
  | 'pending'
  /** Not sent because the browser is offline. */
  | 'offline'
  /** Not sent because the browser was offline or the tab was closed. Only the user can retry it. */
  | 'waiting'
  /** The request was sent, but its result is unknown. The client searches the thread for the message. */
  | 'unconfirmed'
  /** The request was sent, but the search did not find the message. The user, an echo or the next resync settles it. */
  | 'notFound'
  /** Refused, or without an identity or a page to send to. */
  | 'failed'

/** A message that staff asked to send and that is not confirmed yet. */
export type Outgoing = {
  /** The Idempotency-Key; all attempts use the same one. */
  key: string
  recipient: Recipient
  /** Empty if a file is sent. */
  text: string
  /** The uploaded file that is sent instead of a text; null for a text. */
  file: OutgoingFile | null
  /** The message that this one replies to; absent if there is none. */
  replyTo?: QuotedMessage | undefined
  /** What the message has beside its text, for example the template that it was made of. */
  structured: StructuredContent | null
  /** Null means Auto-select. */
  chosenPageId: string | null
  /** The page that the message is sent from, once determined. A retry uses the same page. */
  pageId: string | null
  psid: string | null
  createdAt: string
  /** When the request was last sent; null if it never was. */
  leftAt: string | null
  status: OutgoingStatus
  /** The text of the failure toast. */
  failure: string | null
  /**
   * The id of the message in the thread that is probably this send. That message is shown instead of this send until
   * the answer arrives.
   */
  echoId: string | null
}

/** A message, or an answer to a comment. */
type WithStatus = { readonly status: OutgoingStatus }

/** Whether the send is under way and needs no decision by the user. */
export const isOnItsWay = ({ status }: WithStatus): boolean => status === 'queued' || status === 'pending'

/** Whether the message waits for staff: not sent, failed or unconfirmed. */
export const isUnsent = (outgoing: WithStatus): boolean => !isOnItsWay(outgoing)

/** Whether the message was certainly not sent, and staff must decide on it. */
export const isNotSent = (outgoing: WithStatus): boolean => isUnsent(outgoing) && !mayHaveArrived(outgoing)

/** Whether the message was never sent because of the connection or a closed tab, so that sending it is safe. */
export const waitsForStaff = ({ status }: WithStatus): boolean => status === 'waiting'

/** The page that the message goes out by; undefined for Auto-select among several. */
export const sendingPageOf = ({
  recipient: { pages },
  pageId,
  chosenPageId,
}: Outgoing): ConversationPage | undefined =>
  pages.length === 1 ? pages[0] : pages.find(({ id }) => id === (pageId ?? chosenPageId))

/** Whether the request was sent but its result is unknown. */
export const mayHaveArrived = ({ status }: WithStatus): boolean => status === 'unconfirmed' || status === 'notFound'

/**
 * The state of a stored send after a reload. A send whose request may have left becomes unconfirmed; any other send
 * waits for a retry by the user.
 */
export function restored(outgoing: Outgoing): Outgoing {
  if (outgoing.status === 'failed') return outgoing
  if (mayHaveArrived(outgoing) || (outgoing.status === 'pending' && outgoing.leftAt !== null))
    return { ...outgoing, status: 'unconfirmed', echoId: null }
  return { ...outgoing, status: 'waiting', pageId: null, psid: null }
}

/**
 * The next send that may start. Messages to the same person are sent one at a time, in the order in which they were
 * written.
 */
export function nextToSend(outgoing: readonly Outgoing[]): Outgoing | undefined {
  const busy = new Set(
    outgoing.filter(({ status }) => status === 'pending').map(({ recipient }) => recipient.conversationId),
  )
  return outgoing.find(({ status, recipient }) => status === 'queued' && !busy.has(recipient.conversationId))
}

/** The temporary message that is appended to the thread after a send succeeded (spec section 4, Sending). */
export const temporaryMessage = (outgoing: Outgoing, sentAtServer: string | null): Message => {
  const { key, recipient, pageId, text, file, replyTo, createdAt, leftAt } = outgoing
  const moment = sentAtServer ?? leftAt ?? createdAt
  return {
    message_id: `temp_${key}`,
    id: null,
    fb_user_id: recipient.fbUserId,
    primary_user_id: recipient.conversationId,
    page_id: pageId ?? '',
    page_name: recipient.pages.find((page) => page.id === pageId)?.name ?? null,
    message_text: file === null ? text : null,
    direction: 'outgoing',
    is_read: true,
    created_at: moment,
    timestamp_fb: moment,
    attachments: file === null ? null : { data: [attachmentOf(file)] },
    idempotency_key: key,
    reply_to: replyTo,
  }
}

export type Echo = {
  key: string
  messageId: string
  createdAt: string
  /** True for a match by key; false for a probable match by text, page and time. */
  isCertain: boolean
}

const isFor = (outgoing: Outgoing, record: Message): boolean => {
  const { recipient } = outgoing
  if (record.primary_user_id) return record.primary_user_id === recipient.conversationId
  return record.fb_user_id === recipient.conversationId || record.fb_user_id === recipient.fbUserId
}

const factsOf = ({ key, pageId, text, file, leftAt }: Outgoing): SendFacts => ({
  key,
  messageId: null,
  pageId,
  text,
  fileKind: file?.kind ?? null,
  leftAt: leftAt === null ? null : Date.parse(leftAt),
})

/**
 * A probable match counts only if the send is under way, has no other matching message and goes to the same
 * conversation. It proves nothing: a colleague may have written the same text.
 */
const isLikely = (outgoing: Outgoing, record: Message): boolean =>
  outgoing.echoId === null &&
  outgoing.status === 'pending' &&
  isFor(outgoing, record) &&
  matchOf(factsOf(outgoing), record) === 'likely'

/**
 * Assigns rows to sends, at most one row to each send. A key decides. A row without a key is assigned to the oldest
 * send with the same text to the same person on the same page within 10 s. `claimed` holds the ids of rows that are
 * already assigned to other sends.
 */
export function echoesOf(
  outgoing: readonly Outgoing[],
  records: readonly Message[],
  claimed: ReadonlySet<string>,
): Echo[] {
  const open = [...outgoing]
  const taken = new Set([...claimed, ...outgoing.map(({ echoId }) => echoId)])

  const take = (record: Message, isCertain: boolean): Echo[] => {
    const index = open.findIndex((send) =>
      isCertain ? matchOf(factsOf(send), record) === 'certain' : isLikely(send, record),
    )
    const [match] = index < 0 ? [] : open.splice(index, 1)
    if (!match) return []
    taken.add(record.message_id)
    return [{ key: match.key, messageId: record.message_id, createdAt: momentOf(record), isCertain }]
  }

  // Match by key first, because in one batch a row with the key may follow a row without it.
  const known = records.flatMap((record) => take(record, true))
  const guessed = records.flatMap((record) => (taken.has(record.message_id) ? [] : take(record, false)))
  return [...known, ...guessed]
}

/**
 * The sends that are shown below the confirmed messages of a conversation. A send whose echo is already shown is
 * excluded.
 */
export const outgoingIn = (all: readonly Outgoing[], conversationId: string): Outgoing[] =>
  all.filter(
    ({ recipient, status, echoId }) =>
      recipient.conversationId === conversationId && !(status === 'pending' && echoId !== null),
  )
