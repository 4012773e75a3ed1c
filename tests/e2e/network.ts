import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { signatureOf } from '../../server/network/webhooks/signature.ts'
import { deriveKey } from '../../server/secrets.ts'
import type { ThingKind } from '../../server/stand-ins/sandbox/things.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import type { TestServer } from './server.ts'

type Attached = 'image' | 'video' | 'audio' | 'file'

const writtenAnswer = z.object({ data: z.object({ mid: z.string() }) })
const actionsAnswer = z.object({
  data: z.array(z.object({ action: z.string(), reaction: z.nullish(z.string()) })),
})
const personAnswer = z.object({ data: z.object({ psid: z.string() }) })
const commentAnswer = z.object({ data: z.object({ id: z.string() }) })
const commentsAnswer = z.object({ data: z.array(z.object({ id: z.string(), message: z.string() })) })
const deliveriesAnswer = z.object({
  data: z.array(
    z.object({
      mid: z.string(),
      text: z.nullish(z.string()),
      reply_to: z.nullish(z.string()),
      files: z.array(z.object({ kind: z.string(), size: z.number() })),
      structure: z.nullish(z.unknown()),
    }),
  ),
})

/** Controls the sandbox network: its people and its faults. */
export const sandboxOf = ({ url }: TestServer) => {
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}/sandbox/control/${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  return {
    /** Creates a person without messages and returns their psid. */
    createPerson: async (
      pageId: string,
      firstName: string,
      lastName: string,
      platform: 'messenger' | 'instagram' = 'messenger',
    ): Promise<string> =>
      personAnswer.parse(await control('POST', 'people', { pageId, platform, firstName, lastName })).data.psid,
    /** Sends a message from the person; the network posts a signed webhook to the product. Returns its id. */
    write: async (psid: string, text: string, attachments: readonly Attached[] = [], replyTo?: string) =>
      writtenAnswer.parse(
        await control('POST', `people/${psid}/messages`, {
          text: text || null,
          attachments,
          ...(replyTo && { replyTo }),
        }),
      ).data.mid,
    /** The person reads all messages of the page. */
    read: (psid: string) => control('POST', `people/${psid}/reads`),
    /** The person reacts to a message; null takes the reaction back. */
    react: (psid: string, mid: string, emoji: string | null) =>
      control('POST', `people/${psid}/reactions`, { mid, emoji }),
    /** What the page showed to the person without a message, in order. */
    shownTo: async (psid: string): Promise<string[]> =>
      actionsAnswer
        .parse(await control('GET', `people/${psid}/actions`))
        .data.map(({ action, reaction }) => (reaction == null ? action : `${action} ${reaction}`)),
    /** The ids and texts of what was delivered to the person, with the message that each replies to. */
    repliesTo: async (psid: string) => deliveriesAnswer.parse(await control('GET', `people/${psid}/deliveries`)).data,
    /** Sends something else than a text or a file. The same seed gives the same values. */
    send: (psid: string, thing: ThingKind, seed: number) => control('POST', `people/${psid}/messages`, { thing, seed }),
    edit: (psid: string, mid: string, text: string) => control('PUT', `people/${psid}/messages/${mid}`, { text }),
    /** Taps a quick reply, or a button without a link, of the last message that has some. */
    tap: (psid: string, title: string) => control('POST', `people/${psid}/taps`, { title }),
    /** Answers the person from the page with another tool. */
    answerElsewhere: (psid: string, text: string) => control('POST', `people/${psid}/replies`, { text }),
    /** The texts delivered to the person, in order. */
    deliveredTo: async (psid: string): Promise<string[]> => {
      const { data } = deliveriesAnswer.parse(await control('GET', `people/${psid}/deliveries`))
      return data.flatMap(({ text }) => text ?? [])
    },
    /** What the delivered messages have beside their text, as the network got it, in order. */
    structuresDeliveredTo: async (psid: string): Promise<unknown[]> => {
      const { data } = deliveriesAnswer.parse(await control('GET', `people/${psid}/deliveries`))
      return data.flatMap(({ structure }) => structure ?? [])
    },
    /** The texts, and the kinds and sizes of the files delivered to the person, in order. */
    filesDeliveredTo: async (psid: string): Promise<string[]> => {
      const { data } = deliveriesAnswer.parse(await control('GET', `people/${psid}/deliveries`))
      return data.map(({ text, files }) => text ?? files.map(({ kind, size }) => `${kind} ${size}`).join())
    },
    /** Makes the network accept or refuse the token of a page. */
    setTokenValid: (pageId: string, tokenValid: boolean) => control('PUT', `pages/${pageId}`, { tokenValid }),
    /** The person comments under a post and the network posts a signed webhook. Returns the id of the comment. */
    comment: async (psid: string, postId: string, message: string): Promise<string> =>
      commentAnswer.parse(await control('POST', 'comments', { psid, postId, message })).data.id,
    editComment: (id: string, message: string) => control('PUT', `comments/${id}`, { message }),
    /** All comments on the network. */
    comments: async () => commentsAnswer.parse(await control('GET', 'comments')).data,
    setFaults: (faults: object) => control('PUT', 'faults', faults),
  }
}

/** An identity: a psid is valid on its own page only. */
export type PagePerson = { pageId: string; psid: string }

/** An event in a conversation; `at` in milliseconds, by default now. */
export type NetworkEvent = { at?: number } & (
  | { wrote: string; mid?: string; pictures?: readonly string[] }
  | { answered: string }
  | { edited: string; mid: string }
  | { deleted: true; mid: string }
)

/** The body of a webhook delivery with these events in order. */
export function deliveryOf(events: readonly (PagePerson & NetworkEvent)[]): string {
  const now = Date.now()
  return JSON.stringify({
    object: 'page',
    entry: events.map(({ pageId, psid, at = now, ...event }) => {
      const [sender, recipient] = 'answered' in event ? [pageId, psid] : [psid, pageId]
      return {
        id: pageId,
        time: at,
        messaging: [{ sender: { id: sender }, recipient: { id: recipient }, timestamp: at, ...contentOf(event) }],
      }
    }),
  })
}

function contentOf(event: NetworkEvent): object {
  if ('deleted' in event) return { message: { mid: event.mid, is_deleted: true } }
  if ('edited' in event) return { message_edit: { mid: event.mid, text: event.edited, num_edit: 1 } }
  if ('answered' in event) return { message: { mid: newMid(), text: event.answered, is_echo: true } }
  const { wrote, mid = newMid(), pictures = [] } = event
  const attachments = pictures.map((url) => ({ type: 'image', payload: { url } }))
  return { message: { mid, text: wrote, ...(attachments.length > 0 ? { attachments } : {}) } }
}

const newMid = () => `m_${randomUUID()}`

/** The body of a webhook delivery with one message of a person. */
export const webhookBody = (row: Pick<Conversation, 'page_id' | 'psid'>, text: string): string =>
  deliveryOf([{ ...placeOf(row), wrote: text }])

/** Posts a delivery to the product, signed with its app secret by default. */
export function postWebhook(server: TestServer, body: string, secret = appSecretOf(server)): Promise<Response> {
  return fetch(`${server.url}/webhooks/meta`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': signatureOf(secret, new TextEncoder().encode(body)),
    },
    body,
  })
}

function appSecretOf({ secretKey }: TestServer): string {
  return Buffer.from(deriveKey(secretKey, 'sandbox app secret')).toString('hex')
}

/** The psid of a row. Throws when the row has none. */
export function psidOf({ psid }: Pick<Conversation, 'psid'>): string {
  if (!psid) throw new Error('The row has no psid')
  return psid
}

/** The page and psid of a row. Throws when one is missing. */
export function placeOf({ page_id, psid }: Pick<Conversation, 'page_id' | 'psid'>): PagePerson {
  if (!page_id) throw new Error('The row has no page')
  return { pageId: page_id, psid: psidOf({ psid }) }
}
