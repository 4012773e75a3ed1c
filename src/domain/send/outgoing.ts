import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import { rowIdOf } from '../list/conversation-row.ts'
import { type ConversationPage, pagesOf } from '../list/conversation-text.ts'
import { momentOf } from '../message-order.ts'
import { matchOf, type SendFacts } from './sent-message.ts'

/** What a send needs to know of the conversation it was written in. */
export type Recipient = {
  conversationId: string
  fbUserId: string
  /** In the conversation's own order. */
  pages: readonly ConversationPage[]
  /** Good on `psidPageId` alone. */
  psid: string | null
  psidPageId: string | null
}

export const recipientOf = (conversation: Conversation): Recipient => ({
  conversationId: rowIdOf(conversation),
  fbUserId: conversation.fb_user_id,
  pages: pagesOf(conversation, new Map()),
  psid: conversation.psid ?? null,
  psidPageId: conversation.page_id ?? null,
})

/** The psid the conversation itself holds, if it is that page's: a psid means nothing on another page. */
export const ownPsid = (recipient: Recipient, pageId: string | null): string | null =>
  pageId !== null && recipient.psidPageId === pageId ? recipient.psid : null

export type OutgoingStatus =
  /** An earlier message to the same person has not left yet. */
  | 'queued'
  /** On its way. */
  | 'pending'
  /** Kept, not sent: the browser is offline. */
  | 'offline'
  /** Kept, not sent: the browser was offline, or the tab closed before it left. The person presses retry. */
  | 'waiting'
  /** It left and nobody knows whether it arrived; it is looked for. */
  | 'unconfirmed'
  /** It left, was looked for and not found so far: what becomes of it is up to the person, an echo or the next catch-up. */
  | 'notFound'
  /** Refused, or there was nowhere to send it. */
  | 'failed'

/** A message that staff asked to send and that is not confirmed yet. */
export type Outgoing = {
  /** Its Idempotency-Key; the same for every try. */
  key: string
  recipient: Recipient
  text: string
  /** Null is Auto-select. */
  chosenPageId: string | null
  /** Where it goes, once found; a retry goes there again. */
  pageId: string | null
  psid: string | null
  createdAt: string
  /** When the request last left; null while nothing has. */
  leftAt: string | null
  status: OutgoingStatus
  /** The text of the toast that told of the failure. */
  failure: string | null
  /** The message in the thread that is probably this one; it stands for it until the answer is there. */
  echoId: string | null
}

/** Nothing has to be decided of it. */
export const isOnItsWay = ({ status }: Outgoing): boolean => status === 'queued' || status === 'pending'

/** It left, and nobody knows whether it arrived. */
export const mayHaveArrived = ({ status }: Outgoing): boolean => status === 'unconfirmed' || status === 'notFound'

/** How a kept send stands after a restart: what may have left is unconfirmed, what did not leave waits for the person. */
export function restored(outgoing: Outgoing): Outgoing {
  if (outgoing.status === 'failed') return outgoing
  if (mayHaveArrived(outgoing) || (outgoing.status === 'pending' && outgoing.leftAt !== null))
    return { ...outgoing, status: 'unconfirmed', echoId: null }
  return { ...outgoing, status: 'waiting', pageId: null, psid: null }
}

/** The next send that may leave: to one person they leave one after another, in the order in which they were written. */
export function nextToLeave(outgoing: readonly Outgoing[]): Outgoing | undefined {
  const busy = new Set(
    outgoing.filter(({ status }) => status === 'pending').map(({ recipient }) => recipient.conversationId),
  )
  return outgoing.find(({ status, recipient }) => status === 'queued' && !busy.has(recipient.conversationId))
}

/** The message that is appended to the thread after a send succeeded (spec section 4, Sending). */
export const temporaryMessage = (outgoing: Outgoing, sentAtServer: string | null): Message => {
  const { key, recipient, pageId, text, createdAt, leftAt } = outgoing
  const moment = sentAtServer ?? leftAt ?? createdAt
  return {
    message_id: `temp_${key}`,
    id: null,
    fb_user_id: recipient.fbUserId,
    primary_user_id: recipient.conversationId,
    page_id: pageId ?? '',
    page_name: recipient.pages.find((page) => page.id === pageId)?.name ?? null,
    message_text: text,
    direction: 'outgoing',
    is_read: true,
    created_at: moment,
    timestamp_fb: moment,
    attachments: null,
    idempotency_key: key,
  }
}

export type Echo = {
  key: string
  messageId: string
  createdAt: string
  /** By key; without one it is a guess by text, page and time. */
  isCertain: boolean
}

const isFor = (outgoing: Outgoing, record: Message): boolean => {
  const { recipient } = outgoing
  if (record.primary_user_id) return record.primary_user_id === recipient.conversationId
  return record.fb_user_id === recipient.conversationId || record.fb_user_id === recipient.fbUserId
}

const factsOf = ({ key, pageId, text, leftAt }: Outgoing): SendFacts => ({
  key,
  messageId: null,
  pageId,
  text,
  leftAt: leftAt === null ? null : Date.parse(leftAt),
})

/** A likely match counts only for a send under way or unconfirmed that no other message stands for, to that person. */
const isLikely = (outgoing: Outgoing, record: Message): boolean =>
  outgoing.echoId === null &&
  (outgoing.status === 'pending' || mayHaveArrived(outgoing)) &&
  isFor(outgoing, record) &&
  matchOf(factsOf(outgoing), record) === 'likely'

/**
 * Which sends these rows are, one to one. A key decides; where the row carries none, the oldest send with the same text
 * to the same person on the same page within 10 s. `claimed` holds the ids of rows that are another send already.
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

  // The key may follow the row within one batch: who is known by it is nobody's guess.
  const known = records.flatMap((record) => take(record, true))
  const guessed = records.flatMap((record) => (taken.has(record.message_id) ? [] : take(record, false)))
  return [...known, ...guessed]
}

/** What stands below the confirmed messages of a conversation; a send whose echo is there already does not. */
export const outgoingIn = (all: readonly Outgoing[], conversationId: string): Outgoing[] =>
  all.filter(
    ({ recipient, status, echoId }) =>
      recipient.conversationId === conversationId && !(status === 'pending' && echoId !== null),
  )
