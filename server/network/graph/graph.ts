import { createHmac } from 'node:crypto'
import type * as z from 'zod/mini'
import { limits } from '../../../src/domain/limits.ts'
import type { Platform } from '../../../src/schemas/conversation.ts'
import { GraphError } from './graph-error.ts'
import {
  conversationsAnswer,
  errorAnswer,
  type GraphConversation,
  graphConversation,
  type PageAnswer,
  type PersonAnswer,
  pageAnswer,
  personAnswer,
  pictureAnswer,
  sentAnswer,
  successAnswer,
  tokenAnswer,
  usageHeader,
} from './graph-shapes.ts'

/**
 * The token that makes a call goes in the Authorization header alone, never in an address. A token that is asked about
 * (`debugToken`) goes in the address: the network documents no other way.
 */
export type GraphOptions = {
  /** Without the version and without a slash at the end. */
  baseUrl: string
  version: string
  /** With it, every call carries the proof that it comes from the app's own server. */
  appSecret?: string | undefined
  /** Milliseconds until a call is given up. */
  timeout?: number
  /** The same for reading a person's profile. */
  profileTimeout?: number
  fetch?: typeof fetch
}

export type SendRequest = {
  pageId: string
  psid: string
  text: string
  /** Comes back in the echo. */
  metadata?: string
  /** Outside the 24 hours, for a reply that a person wrote. */
  humanAgent?: boolean
}

export type ConversationsRequest = {
  pageId: string
  platform: Platform
  limit?: number
  after?: string
  /** Only the conversation with this person. */
  psid?: string
}

export type Graph = ReturnType<typeof createGraph>

/** The network gives no more of a conversation than this. */
export const readableMessages = limits.historySync.perConversation

/** What the network posts to the webhook, as far as it is read; the app has to be subscribed to the same. */
export const webhookFields = ['messages', 'message_echoes', 'messaging_postbacks', 'standby'] as const

const messageFields = 'id,created_time,from,to,message,sticker,attachments'

/**
 * The social network's API. Each call takes the page's token, returns what the network answered, read through a
 * schema, and throws GraphError for anything else.
 */
export function createGraph({
  baseUrl,
  version,
  appSecret,
  timeout = 15_000,
  profileTimeout = 5_000,
  fetch: request = fetch,
}: GraphOptions) {
  const proofOf = (token: string) =>
    createHmac('sha256', appSecret ?? '')
      .update(token)
      .digest('hex')

  async function call<Schema extends z.ZodMiniType>(
    name: string,
    token: string,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    parameters: Record<string, string>,
    schema: Schema,
    { body, patience = timeout }: { body?: unknown; patience?: number } = {},
  ): Promise<z.output<Schema>> {
    const address = new URL(`${baseUrl}/${version}/${path}`)
    for (const [key, value] of Object.entries(parameters)) address.searchParams.set(key, value)
    if (appSecret !== undefined) address.searchParams.set('appsecret_proof', proofOf(token))
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: 'application/json' }
    if (body !== undefined) headers['content-type'] = 'application/json'

    let status: number
    let text: string
    let usage: string | null
    try {
      const response = await request(address, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(patience),
        redirect: 'error',
      })
      status = response.status
      text = await response.text()
      usage = response.headers.get('x-business-use-case-usage')
    } catch (error) {
      const late = error instanceof Error && error.name === 'TimeoutError'
      throw GraphError.unanswered(name, late ? `none within ${patience} ms` : 'the connection failed')
    }
    const answer = parseJson(text)
    const refused = errorAnswer.safeParse(answer)
    if (refused.success) {
      const { code, error_subcode } = refused.data.error
      throw GraphError.refused(name, status, code, error_subcode ?? null, pauseOf(usage))
    }
    if (status < 200 || status > 299) throw GraphError.unanswered(name, `HTTP ${status}`, status)
    const read = schema.safeParse(answer)
    if (!read.success) throw GraphError.unanswered(name, 'an answer of another shape', status)
    return read.data
  }

  return {
    /** The page to which a token belongs. */
    me: (token: string): Promise<PageAnswer> =>
      call('me', token, 'GET', 'me', { fields: 'id,name,username,category,instagram_business_account' }, pageAnswer),

    /** What a token is worth, asked with the app's own token. Its address holds the token and must not be logged. */
    debugToken: async (appToken: string, token: string) =>
      (await call('debug_token', appToken, 'GET', 'debug_token', { input_token: token }, tokenAnswer)).data,

    /** The address of a page's picture, or null for the default silhouette. */
    picture: async (token: string, pageId: string): Promise<string | null> => {
      const { data } = await call('picture', token, 'GET', `${pageId}/picture`, { redirect: '0' }, pictureAnswer)
      return data.is_silhouette === true ? null : data.url
    },

    /** Conversations, newest first, each with its newest messages. `next` is where to go on. */
    conversations: async (
      token: string,
      { pageId, platform, limit = 25, after, psid }: ConversationsRequest,
    ): Promise<{ conversations: GraphConversation[]; unreadable: number; next: string | null }> => {
      const parameters: Record<string, string> = {
        platform,
        limit: String(limit),
        fields: `id,updated_time,participants,messages.limit(${readableMessages}){${messageFields}}`,
      }
      if (after !== undefined) parameters['after'] = after
      if (psid !== undefined) parameters['user_id'] = psid
      const answer = await call(
        'conversations',
        token,
        'GET',
        `${pageId}/conversations`,
        parameters,
        conversationsAnswer,
      )
      const read = answer.data.map((row) => graphConversation.safeParse(row))
      const conversations = read.flatMap((row) => (row.success ? [row.data] : []))
      const next = answer.paging?.next ? (answer.paging.cursors?.after ?? null) : null
      return { conversations, unreadable: read.length - conversations.length, next }
    },

    /** A person's profile; every field may be missing. */
    person: (token: string, psid: string, platform: Platform): Promise<PersonAnswer> =>
      call(
        'person',
        token,
        'GET',
        psid,
        { fields: platform === 'instagram' ? 'name,username,profile_pic' : 'first_name,last_name,name,profile_pic' },
        personAnswer,
        { patience: profileTimeout },
      ),

    /** Sends a text and returns the network's id of the message. */
    send: async (token: string, { pageId, psid, text, metadata, humanAgent }: SendRequest): Promise<string> => {
      const body = {
        recipient: { id: psid },
        ...(humanAgent ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' } : { messaging_type: 'RESPONSE' }),
        message: { text, ...(metadata === undefined ? {} : { metadata }) },
      }
      return (await call('send', token, 'POST', `${pageId}/messages`, {}, sentAnswer, { body })).message_id
    },

    /** Ends what `subscribe` began. */
    unsubscribe: async (token: string, pageId: string): Promise<void> => {
      await call('unsubscribe', token, 'DELETE', `${pageId}/subscribed_apps`, {}, successAnswer)
    },

    /** Has the network post this page's messages to the app's webhook. */
    subscribe: async (token: string, pageId: string): Promise<void> => {
      const parameters = { subscribed_fields: webhookFields.join() }
      await call('subscribe', token, 'POST', `${pageId}/subscribed_apps`, parameters, successAnswer)
    },
  }
}

/** The longest pause that the usage header asks for, in milliseconds; null when it asks for none. */
function pauseOf(header: string | null): number | null {
  const usage = usageHeader.safeParse(header === null ? undefined : parseJson(header))
  if (!usage.success) return null
  const minutes = Object.values(usage.data)
    .flat()
    .map(({ estimated_time_to_regain_access }) => estimated_time_to_regain_access ?? 0)
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? longest * 60_000 : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
