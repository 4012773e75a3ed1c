import * as z from 'zod/mini'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { loginAnswer } from '../../src/schemas/auth.ts'
import { movedChatsAnswer } from '../../src/schemas/chats.ts'
import { type Client, linkClientAnswer, searchClientsAnswer } from '../../src/schemas/client.ts'
import { type Conversation, conversationsAnswer } from '../../src/schemas/conversation.ts'
import { liveSaleAnswer, type SalePost } from '../../src/schemas/live-sale.ts'
import { identityAnswer, type Message, markReadAnswer, messagesAnswer } from '../../src/schemas/message.ts'
import type { TestServer } from './server.ts'

/** A client of the product's API, signed in as a staff member. */
export type Api = {
  conversations(query: string): Promise<Conversation[]>
  messages(id: string): Promise<Message[]>
  markRead(id: string): Promise<void>
  /** The identity of a person on a page. */
  identityOn(userId: string, pageId: string): Promise<z.output<typeof identityAnswer>['data']>
  clients(term: string): Promise<Client[]>
  link(fbUserId: string, clientId: string): Promise<void>
  /** The posts that a live sale can be about. */
  salePosts(): Promise<SalePost[]>
  /** Merges the conversation of the other person into that of the first. */
  join(fbUserId: string, otherId: string): Promise<void>
}

type Person = { email: string; password: string }

const providerSession = z.looseObject({ access_token: z.string() })
const json = { 'content-type': 'application/json' }

/** The session of the identity provider after a sign-in. */
export const providerSessionOf = ({ url }: TestServer, { email, password }: Person) =>
  ask(`${url}/auth/v1/token?grant_type=password`, providerSession, {
    method: 'POST',
    headers: { ...json, apikey: 'embedded' },
    body: JSON.stringify({ email, password }),
  })

/** The product tokens of a new session. */
export async function tokenPairOf(server: TestServer, person: Person) {
  const { access_token } = await providerSessionOf(server, person)
  const { data } = await ask(`${server.url}/api/auth/supabase-login`, loginAnswer, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ supabaseToken: access_token }),
  })
  return { token: data.token, refreshToken: data.refreshToken }
}

export async function signInToApi(server: TestServer): Promise<Api> {
  const { url } = server
  const { token } = await tokenPairOf(server, demoStaff[1])
  const headers = { authorization: `Bearer ${token}` }
  const post = (body: object): RequestInit => ({
    method: 'POST',
    headers: { ...headers, ...json },
    body: JSON.stringify(body),
  })
  return {
    conversations: async (query) =>
      (await ask(`${url}/api/facebook/conversations?${query}`, conversationsAnswer, { headers })).data,
    messages: async (id) =>
      (await ask(`${url}/api/facebook/conversations/${id}/messages`, messagesAnswer, { headers })).data.messages,
    markRead: async (id) => {
      await ask(`${url}/api/facebook/conversations/${id}/mark-read`, markReadAnswer, post({}))
    },
    identityOn: async (userId, pageId) =>
      (await ask(`${url}/api/facebook/users/${userId}/identity/${pageId}`, identityAnswer, { headers })).data,
    clients: async (term) =>
      (await ask(`${url}/api/facebook/search-clients?search=${term}`, searchClientsAnswer, { headers })).data,
    link: async (fbUserId, clientId) => {
      await ask(`${url}/api/facebook/link-client`, linkClientAnswer, post({ fbUserId, clientId }))
    },
    salePosts: async () => (await ask(`${url}/api/comments/live-sale`, liveSaleAnswer, { headers })).data.posts,
    join: async (fbUserId, otherId) => {
      await ask(`${url}/api/facebook/join-chats`, movedChatsAnswer, post({ fbUserId, otherId }))
    },
  }
}

async function ask<Schema extends z.ZodMiniType>(
  address: string,
  schema: Schema,
  init: RequestInit,
): Promise<z.output<Schema>> {
  const answer = await fetch(address, init)
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${address} returned ${answer.status}`)
  return schema.parse(body)
}
