import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { signatureOf } from '../../server/network/webhooks/signature.ts'
import { deriveKey } from '../../server/secrets.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import type { TestServer } from './server.ts'

type Attached = 'image' | 'video' | 'audio' | 'file'

const personAnswer = z.object({ data: z.object({ psid: z.string() }) })
const deliveriesAnswer = z.object({ data: z.array(z.object({ text: z.nullish(z.string()) })) })

/** What the sandbox network lets a test do: the people on the other side, and what goes wrong in between. */
export const sandboxOf = ({ url }: TestServer) => {
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}/sandbox/control/${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  return {
    /** Somebody who never wrote before; returns their id on the page. */
    meet: async (pageId: string, firstName: string, lastName: string): Promise<string> =>
      personAnswer.parse(await control('POST', 'people', { pageId, platform: 'messenger', firstName, lastName })).data
        .psid,
    /** The person writes to their page; the network posts it to the product as a signed webhook. */
    write: (psid: string, text: string, attachments: readonly Attached[] = []) =>
      control('POST', `people/${psid}/messages`, { text, attachments }),
    /** The page answers the person with another tool than the inbox. */
    answerElsewhere: (psid: string, text: string) => control('POST', `people/${psid}/replies`, { text }),
    /** The texts that reached the person, in the order of their arrival. */
    deliveredTo: async (psid: string): Promise<string[]> => {
      const { data } = deliveriesAnswer.parse(await control('GET', `people/${psid}/deliveries`))
      return data.flatMap(({ text }) => text ?? [])
    },
    setFaults: (faults: object) => control('PUT', 'faults', faults),
  }
}

/** Who writes where: a person's id is good on one page alone. */
export type Place = { pageId: string; psid: string }

/** Something that happened in a conversation; `at` in milliseconds, now where it is left out. */
export type Happening = { at?: number } & (
  | { wrote: string; mid?: string; pictures?: readonly string[] }
  | { answered: string }
  | { edited: string; mid: string }
  | { deleted: true; mid: string }
)

/** A delivery as the network posts it: what happened, in this order. */
export function deliveryOf(happenings: readonly (Place & Happening)[]): string {
  const now = Date.now()
  return JSON.stringify({
    object: 'page',
    entry: happenings.map(({ pageId, psid, at = now, ...happening }) => {
      const [sender, recipient] = 'answered' in happening ? [pageId, psid] : [psid, pageId]
      return {
        id: pageId,
        time: at,
        messaging: [{ sender: { id: sender }, recipient: { id: recipient }, timestamp: at, ...contentOf(happening) }],
      }
    }),
  })
}

function contentOf(happening: Happening): object {
  if ('deleted' in happening) return { message: { mid: happening.mid, is_deleted: true } }
  if ('edited' in happening) return { message_edit: { mid: happening.mid, text: happening.edited, num_edit: 1 } }
  if ('answered' in happening) return { message: { mid: newMid(), text: happening.answered, is_echo: true } }
  const { wrote, mid = newMid(), pictures = [] } = happening
  const attachments = pictures.map((url) => ({ type: 'image', payload: { url } }))
  return { message: { mid, text: wrote, ...(attachments.length > 0 ? { attachments } : {}) } }
}

const newMid = () => `m_${randomUUID()}`

/** A delivery as the network posts it when a person writes to a page. */
export const webhookBody = (row: Pick<Conversation, 'page_id' | 'psid'>, text: string): string =>
  deliveryOf([{ ...placeOf(row), wrote: text }])

/** Posts a delivery to the product, signed with its app secret or with another one. */
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

/** The person's id on the page of the row. Throws when the row has none. */
export function psidOf({ psid }: Pick<Conversation, 'psid'>): string {
  if (!psid) throw new Error('The row has no psid')
  return psid
}

/** Where the person of the row writes. Throws when the row does not say. */
export function placeOf({ page_id, psid }: Pick<Conversation, 'page_id' | 'psid'>): Place {
  if (!page_id) throw new Error('The row has no page')
  return { pageId: page_id, psid: psidOf({ psid }) }
}
