import * as z from 'zod/mini'
import type { MessagePart } from '../../../src/schemas/message-part.ts'
import { id } from '../../../src/schemas/primitives.ts'
import { cleanText } from '../../clean-text.ts'
import { type CommentEvent, commentEventOf } from '../comments/comment-events.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import { createPartReader } from '../store/part-reader.ts'
import { assemble, partsOfWebhook, type ReadMessage } from '../store/read-message.ts'
import { callEvent, eventContent, optIn, referralOf, storyReplyOf } from '../store/webhook-parts.ts'
import { type ReactionEvent, type ReceiptEvent, reactionOrReceiptOf } from './reaction-and-receipt-events.ts'

const text = z.nullish(z.string())
/** A time that is not a number counts as missing: a message must not be lost over its time. */
const time = z.catch(z.nullish(z.number()), null)
const party = z.nullish(z.object({ id: z.nullish(id) }))
const envelope = z.object({ object: z.string(), entry: z.array(z.unknown()) })
const entryShape = z.object({
  id,
  time,
  messaging: z.nullish(z.array(z.unknown())),
  standby: z.nullish(z.array(z.unknown())),
  changes: z.nullish(z.array(z.unknown())),
  calls: z.catch(z.nullish(z.array(z.unknown())), null),
})
const eventShape = z.object({
  sender: party,
  recipient: party,
  timestamp: time,
  message: z.nullish(
    z.object({
      mid: id,
      text,
      attachments: z.nullish(z.array(z.unknown())),
      is_echo: z.nullish(z.boolean()),
      is_deleted: z.nullish(z.boolean()),
      app_id: z.nullish(id),
      metadata: text,
      ...eventContent,
    }),
  ),
  reaction: z.nullish(z.object({ mid: id, action: z.enum(['react', 'unreact']), emoji: text, reaction: text })),
  delivery: z.catch(z.nullish(z.object({ watermark: z.number() })), null),
  read: z.catch(z.nullish(z.object({ watermark: time, mid: z.nullish(id) })), null),
  message_edit: z.nullish(z.object({ mid: id, text })),
  postback: z.nullish(
    z.object({ mid: z.nullish(id), title: text, payload: z.catch(text, null), referral: eventContent.referral }),
  ),
  referral: eventContent.referral,
  optin: z.catch(z.nullish(optIn), null),
})
type Event = z.infer<typeof eventShape>

/** An event in a conversation. `accountId` is a page, or the Instagram account connected to one. */
export type NetworkEvent = { accountId: string } & (
  | ({
      kind: 'message'
      personId: string
      messageId: string
      direction: 'incoming' | 'outgoing'
      at: Date
      appId: string | null
      metadata: string | null
      /** The message that this one replies to. */
      replyTo: string | null
    } & ReadMessage)
  | ReactionEvent
  | ReceiptEvent
  | { kind: 'deleted'; messageId: string }
  /** `editorId`: the person, null if the network names nobody. */
  | { kind: 'edited'; messageId: string; editorId: string | null; text: string; at: Date }
  /** Nothing to store. */
  | { kind: 'other'; personId: string }
  | Omit<CommentEvent, 'accountId'>
)

export type MessageEvent = Extract<NetworkEvent, { kind: 'message' }>

export type ReadWebhook = {
  platform: 'messenger' | 'instagram'
  events: NetworkEvent[]
  /** Descriptions of the parts that could not be parsed; the other parts are in `events`. */
  problems: string[]
}

/**
 * Parses one webhook delivery. Never throws: what cannot be parsed is listed in `problems`.
 */
export function readWebhook(
  body: unknown,
  { normalizeUrl, receivedAt }: { normalizeUrl: NormalizeUrl; receivedAt: Date },
): ReadWebhook {
  const read = envelope.safeParse(body)
  if (!read.success || (read.data.object !== 'page' && read.data.object !== 'instagram')) {
    return { platform: 'messenger', events: [], problems: ['a delivery of unknown form'] }
  }
  const events: NetworkEvent[] = []
  const problems: string[] = []
  for (const value of read.data.entry) {
    const entry = entryShape.safeParse(value)
    if (!entry.success) {
      problems.push('an entry of unknown form')
      continue
    }
    for (const item of [...(entry.data.messaging ?? []), ...(entry.data.standby ?? [])]) {
      const event = eventShape.safeParse(item)
      if (!event.success) problems.push(`an event of unknown form for ${entry.data.id}`)
      else {
        const at = timeOf([event.data.timestamp, entry.data.time], receivedAt)
        events.push(...eventsOf(entry.data.id, at, event.data, item, { normalizeUrl, receivedAt }))
      }
    }
    for (const change of entry.data.changes ?? []) {
      const event = commentEventOf(change, {
        accountId: entry.data.id,
        platform: read.data.object === 'instagram' ? 'instagram' : 'messenger',
        entryTime: entry.data.time,
        receivedAt,
        normalizeUrl,
      })
      if (event === 'unknown') problems.push(`a change of unknown form for ${entry.data.id}`)
      else if (event !== null) events.push(event)
    }
    for (const item of entry.data.calls ?? []) {
      const call = callEvent.safeParse(item)
      if (!call.success) problems.push(`a call of unknown form for ${entry.data.id}`)
      else events.push(...callsOf(entry.data.id, call.data, { entryTime: entry.data.time, receivedAt, normalizeUrl }))
    }
  }
  return { platform: read.data.object === 'instagram' ? 'instagram' : 'messenger', events, problems }
}

const pressedButton = '👆 Pressed a button'

/** The network was founded on this day. */
const earliest = Date.UTC(2004, 1, 4)
/** The network's clock may be ahead of ours. */
const tolerance = 24 * 60 * 60_000

/** The first plausible time of `times` (milliseconds), else the time of receipt. */
function timeOf(times: readonly (number | null | undefined)[], receivedAt: Date): Date {
  const latest = receivedAt.getTime() + tolerance
  const possible = times.find((time) => time != null && time >= earliest && time <= latest)
  return possible == null ? receivedAt : new Date(possible)
}

function eventsOf(
  accountId: string,
  at: Date,
  event: Event,
  raw: unknown,
  { normalizeUrl, receivedAt }: { normalizeUrl: NormalizeUrl; receivedAt: Date },
): NetworkEvent[] {
  const { message, message_edit, postback } = event
  if (message?.is_deleted) return [{ kind: 'deleted', accountId, messageId: message.mid }]

  const personId = [event.sender?.id, event.recipient?.id].find((one) => one && one !== accountId) ?? null
  if (message_edit) {
    const editorId = personId
    const text = message_edit.text ? cleanText(message_edit.text) : ''
    return text === '' ? [] : [{ kind: 'edited', accountId, messageId: message_edit.mid, editorId, text, at }]
  }
  if (personId === null) return []

  if (message) return [readMessage(accountId, personId, at, message, event, raw, normalizeUrl)]
  const incoming = {
    kind: 'message',
    accountId,
    personId,
    direction: 'incoming',
    at,
    appId: null,
    metadata: null,
    replyTo: null,
  } as const
  const idOf = (kind: string) => `${kind}:${accountId}:${personId}:${at.getTime()}`
  if (postback) {
    const messageId = postback.mid ?? idOf('postback')
    const reader = createPartReader(messageId, normalizeUrl)
    const parts: MessagePart[] = [{ kind: 'postback', payload: reader.title(postback.payload) }]
    if (postback.referral) parts.push(referralOf(postback.referral, reader))
    return [{ ...incoming, messageId, ...assemble(postback.title, parts, reader.files, pressedButton) }]
  }
  if (event.referral) {
    const messageId = idOf('referral')
    const reader = createPartReader(messageId, normalizeUrl)
    return [{ ...incoming, messageId, ...assemble(null, [referralOf(event.referral, reader)], reader.files) }]
  }
  if (event.optin) {
    const messageId = idOf('optin')
    const { title, ref, notification_messages_status } = event.optin
    const reader = createPartReader(messageId, normalizeUrl)
    const has_stopped = notification_messages_status?.toUpperCase().startsWith('STOP') ?? false
    const part: MessagePart = { kind: 'opt_in', title: reader.title(title), ref: reader.title(ref), has_stopped }
    return [{ ...incoming, messageId, ...assemble(null, [part], reader.files) }]
  }
  return [reactionOrReceiptOf(accountId, personId, at, receivedAt, event) ?? { kind: 'other', accountId, personId }]
}

function readMessage(
  accountId: string,
  personId: string,
  at: Date,
  message: NonNullable<Event['message']>,
  { sender }: Event,
  raw: unknown,
  normalizeUrl: NormalizeUrl,
): NetworkEvent {
  const reader = createPartReader(message.mid, normalizeUrl)
  const files = message.attachments ?? []
  const parts = [
    ...(message.referral ? [referralOf(message.referral, reader)] : []),
    ...(message.reply_to?.story ? [storyReplyOf(message.reply_to.story, at, reader)] : []),
    ...partsOfWebhook(files, at, reader),
  ]
  if (message.quick_reply) parts.push({ kind: 'quick_reply', payload: reader.title(message.quick_reply.payload) })
  if (!message.text && parts.length === 0 && reader.files.length === 0) parts.push(reader.unknown('unsupported', raw))
  return {
    kind: 'message',
    accountId,
    personId,
    messageId: message.mid,
    direction: message.is_echo || sender?.id === accountId ? 'outgoing' : 'incoming',
    at,
    appId: message.app_id ?? null,
    metadata: message.metadata ?? null,
    replyTo: message.reply_to?.mid ?? null,
    ...assemble(message.text, parts, reader.files),
  }
}

/**
 * The end of a call of a person. Staff cannot answer calls here, so a call that did not last was missed. The times of calls
 * are in seconds.
 */
function callsOf(
  accountId: string,
  call: z.infer<typeof callEvent>,
  {
    entryTime,
    receivedAt,
    normalizeUrl,
  }: { entryTime: number | null | undefined; receivedAt: Date; normalizeUrl: NormalizeUrl },
): NetworkEvent[] {
  const personId = call.from
  if (call.event !== 'terminate' || call.id == null || personId == null || personId === accountId) return []
  const seconds = call.duration ?? null
  const part: MessagePart = { kind: 'call', is_missed: seconds === null || seconds === 0, seconds }
  const messageId = `call:${call.id}`
  const { files } = createPartReader(messageId, normalizeUrl)
  return [
    {
      kind: 'message',
      accountId,
      personId,
      messageId,
      direction: 'incoming',
      at: timeOf([call.timestamp == null ? null : call.timestamp * 1_000, entryTime], receivedAt),
      appId: null,
      metadata: null,
      replyTo: null,
      ...assemble(null, [part], files),
    },
  ]
}
