import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { signatureOf } from '../../server/network/signature.ts'
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
    /** The texts that reached the person, in the order of their arrival. */
    deliveredTo: async (psid: string): Promise<string[]> => {
      const { data } = deliveriesAnswer.parse(await control('GET', `people/${psid}/deliveries`))
      return data.flatMap(({ text }) => text ?? [])
    },
    setFaults: (faults: object) => control('PUT', 'faults', faults),
  }
}

/** A delivery as the network posts it when a person writes to a page. */
export function webhookBody({ page_id, psid }: Pick<Conversation, 'page_id' | 'psid'>, text: string): string {
  const now = Date.now()
  return JSON.stringify({
    object: 'page',
    entry: [
      {
        id: page_id,
        time: now,
        messaging: [
          {
            sender: { id: psid },
            recipient: { id: page_id },
            timestamp: now,
            message: { mid: `m_${randomUUID()}`, text },
          },
        ],
      },
    ],
  })
}

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
