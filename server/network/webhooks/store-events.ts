import type { Transaction } from 'kysely'
import { recordDeliveredWebhooks } from '../../alarms/webhook-health.ts'
import type { Tables } from '../../database/tables.ts'
import type { OutgoingFiles } from '../../files/outgoing-files.ts'
import type { StoredFiles } from '../../files/stored-files.ts'
import { takeClaims } from '../comments/live-sales.ts'
import { settleByEcho, settlePrivateReplies } from '../comments/settle-sends.ts'
import { type PlacedComment, storeComments } from '../comments/store-comments.ts'
import type { AutoReply } from '../faq/auto-reply.ts'
import { storeEdit } from '../store/edits.ts'
import { type IdentifiedReceipt, storeReactions, storeReceipts } from '../store/message-events.ts'
import { settleSend, storeMessages } from '../store/store.ts'
import { keysOfEchoes } from './echo-keys.ts'
import type { MessageEvent, NetworkEvent, ReadWebhook } from './webhook-events.ts'

type Trx = Transaction<Tables>

type StoredCommentEvent = Extract<NetworkEvent, { kind: 'comment' }>

/** An event of a connected page; `fbUserId` is empty for an edit or a deletion, which name a message, and for a comment. */
export type PlacedEvent = {
  event: NetworkEvent
  pageId: string
  platform: ReadWebhook['platform']
  receivedAt: Date
  fbUserId: string
}

type EventStoreParts = {
  files: Pick<StoredFiles, 'prepare' | 'enqueue'>
  outgoingFiles: Pick<OutgoingFiles, 'attachmentsOf' | 'moveToMessage'>
  /** Our app's id. */
  appId: string | undefined
  /** Runs in the transaction that stores incoming messages. */
  onIncoming: Pick<AutoReply, 'enqueue'> | undefined
}

/**
 * Stores events in their order; messages that follow one another with one statement. Reactions and receipts come last,
 * all together: their order does not matter, and the messages that they concern may be in the batch.
 */
export async function storeEvents(trx: Trx, events: readonly PlacedEvent[], parts: EventStoreParts): Promise<void> {
  let messages: (PlacedEvent & { event: MessageEvent })[] = []
  const comments: (PlacedEvent & { event: StoredCommentEvent })[] = []
  const storeWaiting = async () => {
    await storeMessageEvents(trx, messages, parts)
    messages = []
  }
  for (const placed of events) {
    const { event, pageId } = placed
    if (event.kind === 'message') {
      messages.push({ ...placed, event })
      continue
    }
    if (event.kind === 'comment') {
      comments.push({ ...placed, event })
      continue
    }
    if (event.kind === 'reaction' || event.kind === 'receipt') continue
    await storeWaiting()
    if (event.kind === 'deleted') await deleteMessage(trx, event.messageId, pageId)
    else if (event.kind === 'edited') await storeEdit(trx, { ...event, pageId, psid: event.editorId })
  }
  await storeWaiting()
  await storeCommentEvents(trx, comments)
  await storeReactions(
    trx,
    events.flatMap(({ event, fbUserId }) =>
      event.kind === 'reaction' ? [{ ...event, fbUserId, at: event.at.toISOString() }] : [],
    ),
  )
  await storeReceipts(
    trx,
    events.flatMap(({ event, fbUserId }): IdentifiedReceipt[] => {
      if (event.kind !== 'receipt') return []
      const { at } = event
      if ('messageId' in event) return [{ fbUserId, at, kind: event.receipt, messageId: event.messageId }]
      return [{ fbUserId, at, kind: event.receipt, upTo: event.upTo }]
    }),
  )
}

async function storeCommentEvents(
  trx: Trx,
  comments: readonly (PlacedEvent & { event: StoredCommentEvent })[],
): Promise<void> {
  if (comments.length === 0) return
  const placed = comments.map(
    ({ event: { accountId, ...event }, pageId, platform }): PlacedComment => ({
      ...event,
      pageId,
      platform,
      byPage: event.authorId === accountId || event.authorId === pageId,
    }),
  )
  const newest = Math.max(...comments.map(({ receivedAt }) => receivedAt.getTime()))
  const added = await storeComments(trx, placed)
  await takeClaims(trx, added, new Date(newest))
  await settleByEcho(trx, placed)
}

async function deleteMessage(trx: Trx, messageId: string, pageId: string): Promise<void> {
  await trx
    .insertInto('deleted_messages')
    .values({ message_id: messageId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx.deleteFrom('early_edits').where('message_id', '=', messageId).execute()
  await trx.deleteFrom('messages').where('message_id', '=', messageId).where('page_id', '=', pageId).execute()
}

async function storeMessageEvents(
  trx: Trx,
  messages: readonly (PlacedEvent & { event: MessageEvent })[],
  { files, outgoingFiles, appId, onIncoming }: EventStoreParts,
): Promise<void> {
  if (messages.length === 0) return
  const keys = await keysOfEchoes(
    trx,
    messages.filter(({ event }) => event.direction === 'outgoing'),
    appId,
  )
  for (const [messageId, key] of keys) {
    const settled = await settleSend(trx, key, messageId)
    if (settled === null) keys.delete(messageId)
  }
  await settlePrivateReplies(
    trx,
    messages.map(({ event, pageId, platform }) => ({ ...event, pageId, platform })),
  )
  const sent = await outgoingFiles.attachmentsOf(trx, [...keys.values()])
  await storeMessages(
    trx,
    messages.map(({ event, fbUserId }) => {
      const { messageId, direction, text, written, content, attachments: listed, at, replyTo } = event
      const isRead = direction === 'outgoing'
      const key = keys.get(messageId) ?? null
      // The network's address of our own file expires.
      const attachments = (key === null ? undefined : sent.get(key)) ?? listed
      return { messageId, fbUserId, direction, text, written, content, attachments, at, isRead, key, replyTo }
    }),
    files,
  )
  for (const [messageId, key] of keys) if (sent.has(key)) await outgoingFiles.moveToMessage(trx, key, messageId)
  const incoming = messages.filter(({ event }) => event.direction === 'incoming')
  if (incoming.length === 0) return
  await onIncoming?.enqueue(
    trx,
    incoming.map(({ event: { messageId, written }, fbUserId }) => ({
      messageId,
      fbUserId,
      hasText: written !== null,
    })),
  )
  const newest = Math.max(...incoming.map(({ receivedAt }) => receivedAt.getTime()))
  await recordDeliveredWebhooks(trx, [...new Set(incoming.map(({ pageId }) => pageId))], new Date(newest))
}
