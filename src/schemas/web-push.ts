import * as z from 'zod/mini'
import { answerOf, id, webAddress } from './primitives.ts'

/** A visible tab says so this often, and counts as hidden without a renewal for this long. Milliseconds. */
export const visibleTabInterval = 25_000
export const visibleTabLifetime = 60_000

const base64Url = (minBytes: number, maxBytes: number) =>
  z
    .string()
    .check(
      z.regex(/^[\w-]+=*$/, 'not base64url'),
      z.minLength(Math.ceil((minBytes * 4) / 3)),
      z.maxLength(Math.ceil(maxBytes / 3) * 4),
    )

/** What the browser tells about its subscription (PushSubscription.toJSON). */
export const pushSubscription = z.object({
  endpoint: webAddress.check(z.maxLength(1_000)),
  keys: z.object({
    /** An uncompressed point of P-256. */
    p256dh: base64Url(65, 65),
    auth: base64Url(16, 16),
  }),
})
export type PushSubscriptionFields = z.infer<typeof pushSubscription>

/** The public key of the server, which browsers need for a subscription (VAPID), as base64url. */
export const pushKeyAnswer = answerOf(z.object({ public_key: z.string() }))

export const pushSubscriptionAnswer = answerOf(z.object({ id }))

/** The content of a push message. */
export const pushPayload = z.object({
  title: z.string(),
  body: z.nullable(z.string()),
  /** The conversation that a click opens. A newer notification with the same conversation replaces the older one. */
  conversationId: z.optional(id),
  /** A click opens the comments, at this thread if there is one. */
  comments: z.optional(z.object({ threadId: z.nullable(id) })),
})

/** The tag of a notification about the comments of a thread, or of several. */
export const commentsTag = (threadId: string | null): string =>
  threadId === null ? 'comments' : `comments:${threadId}`
/** The hash of the address that opens the comments. The id of a thread follows, if there is one. */
export const commentsMark = '#comments='
export type PushPayload = z.infer<typeof pushPayload>

/** What the service worker tells the open pages. A page answers a click through the port that comes with it. */
export const workerMessage = z.union([
  z.object({ type: z.literal('push.clicked'), conversationId: id }),
  z.object({ type: z.literal('push.commentsClicked'), threadId: z.nullable(id) }),
  /** The browser has replaced its subscription. */
  z.object({ type: z.literal('push.replaced') }),
])
export type WorkerMessage = z.infer<typeof workerMessage>
