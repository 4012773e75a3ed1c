import * as z from 'zod/mini'
import { demoStaff } from '../../server/auth/demo-staff.ts'
import { loginAnswer } from '../../src/schemas/auth.ts'
import { type Conversation, conversationsAnswer } from '../../src/schemas/conversation.ts'
import { type Message, messagesAnswer } from '../../src/schemas/message.ts'
import type { TestServer } from './server.ts'

/** The product's API as one staff member's own program would call it. */
export type Api = {
  conversations(query: string): Promise<Conversation[]>
  messages(id: string): Promise<Message[]>
}

export async function signInToApi({ url }: TestServer): Promise<Api> {
  const [, { email, password }] = demoStaff
  const provider = await ask(`${url}/auth/v1/token?grant_type=password`, z.object({ access_token: z.string() }), {
    method: 'POST',
    headers: { 'content-type': 'application/json', apikey: 'embedded' },
    body: JSON.stringify({ email, password }),
  })
  const { data } = await ask(`${url}/api/auth/supabase-login`, loginAnswer, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ supabaseToken: provider.access_token }),
  })
  const headers = { authorization: `Bearer ${data.token}` }
  return {
    conversations: async (query) =>
      (await ask(`${url}/api/facebook/conversations?${query}`, conversationsAnswer, { headers })).data,
    messages: async (id) =>
      (await ask(`${url}/api/facebook/conversations/${id}/messages`, messagesAnswer, { headers })).data.messages,
  }
}

async function ask<Schema extends z.ZodMiniType>(
  address: string,
  schema: Schema,
  init: RequestInit,
): Promise<z.output<Schema>> {
  const answer = await fetch(address, init)
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`)
  return schema.parse(body)
}
