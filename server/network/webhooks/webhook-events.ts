import * as z from 'zod/mini'
import { id } from '../../../src/schemas/primitives.ts'
import { cleanText } from '../../clean-text.ts'
import { type CommentEvent, commentEventOf } from '../comments/comment-events.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import { type Attachments, fromWebhook } from '../store/attachments.ts'

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
      is_unsupported: z.nullish(z.boolean()),
      app_id: z.nullish(id),
      metadata: text,
    }),
  ),
  message_edit: z.nullish(z.object({ mid: id, text })),
  postback: z.nullish(z.object({ mid: z.nullish(id), title: text })),
})

/** An event in a conversation. `accountId` is a page, or the Instagram account connected to one. */
export type NetworkEvent = { accountId: string } & (
  | {
      kind: 'message'
      personId: string
      messageId: string
      direction: 'incoming' | 'outgoing'
      text: string | null
      attachments: Attachments
      at: Date
      appId: string | null
      metadata: string | null
    }
  | { kind: 'deleted'; messageId: string }
  | { kind: 'edited'; messageId: string; text: string }
  /** Nothing to store: a reaction, a delivery or read receipt. */
  | { kind: 'other'; personId: string }
  | Omit<CommentEvent, 'accountId'>
)

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
        events.push(...eventsOf(entry.data.id, at, event.data, normalizeUrl))
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
  }
  return { platform: read.data.object === 'instagram' ? 'instagram' : 'messenger', events, problems }
}

export const unsupportedMessage = '[A message that this inbox cannot show]'
const pressedButton = '[Pressed a button]'

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
  event: z.infer<typeof eventShape>,
  normalizeUrl: NormalizeUrl,
): NetworkEvent[] {
  const { message, message_edit, postback } = event
  if (message?.is_deleted) return [{ kind: 'deleted', accountId, messageId: message.mid }]
  if (message_edit?.text) {
    return [{ kind: 'edited', accountId, messageId: message_edit.mid, text: cleanText(message_edit.text) }]
  }

  const personId = [event.sender?.id, event.recipient?.id].find((one) => one && one !== accountId)
  if (!personId) return []

  if (postback) {
    return [
      {
        kind: 'message',
        accountId,
        personId,
        messageId: postback.mid ?? `postback:${accountId}:${personId}:${at.getTime()}`,
        direction: 'incoming',
        text: cleanText(postback.title || pressedButton),
        attachments: null,
        at,
        appId: null,
        metadata: null,
      },
    ]
  }
  if (!message) return [{ kind: 'other', accountId, personId }]
  const { attachments, lines } = fromWebhook(message.mid, message.attachments ?? [], normalizeUrl)
  const words = [message.text, ...lines].filter(Boolean).join('\n')
  return [
    {
      kind: 'message',
      accountId,
      personId,
      messageId: message.mid,
      direction: message.is_echo || event.sender?.id === accountId ? 'outgoing' : 'incoming',
      text: words !== '' ? cleanText(words) : attachments ? null : unsupportedMessage,
      attachments,
      at,
      appId: message.app_id ?? null,
      metadata: message.metadata ?? null,
    },
  ]
}
