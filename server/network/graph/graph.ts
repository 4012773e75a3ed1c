import { limits } from '../../../src/domain/limits.ts'
import type { Platform } from '../../../src/schemas/conversation.ts'
import { commentCalls } from './comment-graph.ts'
import { createGraphCall, type GraphCallOptions } from './graph-call.ts'
import { messageOf, messagingTypeOf, type SentContent } from './graph-message.ts'
import {
  type AccessTokenResponse,
  accessTokenResponse,
  actedResponse,
  conversationsResponse,
  type GraphConversation,
  type GraphTemplate,
  graphConversation,
  graphTemplate,
  idsResponse,
  type ManagedPage,
  managedPage,
  managedPagesResponse,
  type PageResponse,
  type PersonResponse,
  pageResponse,
  personResponse,
  pictureResponse,
  sentResponse,
  successResponse,
  templatesResponse,
  tokenResponse,
} from './graph-shapes.ts'

type GraphOptions = GraphCallOptions & {
  /** Milliseconds, for reading a person's profile. */
  profileTimeout?: number
  /** Milliseconds, for what is shown to a person without a message. */
  actionTimeout?: number
}

export type SendRequest = {
  pageId: string
  psid: string
  content: SentContent
  /** Returned in the echo. */
  metadata?: string
  /** Adds the HUMAN_AGENT tag, for replies outside the standard window. */
  humanAgent?: boolean
  /** The message that this one replies to. */
  replyTo?: string
}

/** What a page shows to a person without a message. A null `reaction` takes the page's reaction back. */
export type SenderAction =
  | { action: 'typing_on' | 'typing_off' | 'mark_seen' }
  | { action: 'react'; messageId: string; reaction: string | null }

/** `redirectUri` as in the address of the login; `verifier` is that of PKCE. */
export type CodeExchange = { appId: string; code: string; redirectUri: string; verifier: string }

export type ConversationsRequest = {
  pageId: string
  platform: Platform
  limit?: number
  after?: string
  /** Only the conversation with this person. */
  psid?: string
}

export type Graph = ReturnType<typeof createGraph>

/** The network returns at most this many messages of a conversation. */
export const readableMessages = limits.historySync.perConversation

/**
 * The webhook fields to subscribe to. The app needs the same subscription, and for Instagram `messaging_seen`, `comments` and
 * `live_comments`.
 */
export const webhookFields = [
  'messages',
  'message_echoes',
  'message_edits',
  'message_deliveries',
  'message_reads',
  'message_reactions',
  'messaging_postbacks',
  'messaging_referrals',
  'messaging_optins',
  'standby',
  'feed',
] as const

const managedPageFields = 'id,name,username,category,access_token,instagram_business_account{id,username}'
/** Of 100 pages each. */
const maxPageParts = 10
/** Of 100 templates each. */
const maxTemplateParts = 5

const messageFields = 'id,created_time,from,to,message,sticker,attachments,shares'
/** Only messages of Instagram have a story. */
const fieldsOf = (platform: Platform) => (platform === 'instagram' ? `${messageFields},story` : messageFields)

/** The social network's Graph API. Each call takes the page's token, returns the validated response and throws GraphError. */
export function createGraph({ profileTimeout = 5_000, actionTimeout = 5_000, ...options }: GraphOptions) {
  const { appSecret } = options
  const call = createGraphCall(options)
  return {
    /** The page that a token belongs to. */
    me: (token: string): Promise<PageResponse> =>
      call('me', token, 'GET', 'me', { fields: 'id,name,username,category,instagram_business_account' }, pageResponse),

    /**
     * Inspects a token with the app's own token. The network documents no other way than to put the token in the URL, which
     * must not be logged.
     */
    debugToken: async (appToken: string, token: string) =>
      (await call('debug_token', appToken, 'GET', 'debug_token', { input_token: token }, tokenResponse)).data,

    /** Exchanges the code of a login for the token of the person. The URL contains secrets and must not be logged. */
    exchangeCode: ({ appId, code, redirectUri, verifier }: CodeExchange): Promise<AccessTokenResponse> => {
      const parameters = {
        client_id: appId,
        client_secret: appSecret ?? '',
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier,
      }
      return call('exchange_code', null, 'GET', 'oauth/access_token', parameters, accessTokenResponse)
    },

    /** Exchanges a short-lived token of a person for a long-lived one. The URL contains secrets and must not be logged. */
    exchangeToken: ({ appId, token }: { appId: string; token: string }): Promise<AccessTokenResponse> => {
      const parameters = {
        grant_type: 'fb_exchange_token',
        client_id: appId,
        client_secret: appSecret ?? '',
        fb_exchange_token: token,
      }
      return call('exchange_token', null, 'GET', 'oauth/access_token', parameters, accessTokenResponse)
    },

    /** The pages that a person manages and gave to the app, at most 1,000. A page without a token is left out. */
    managedPages: async (token: string): Promise<ManagedPage[]> => {
      const pages: ManagedPage[] = []
      let after: string | undefined
      for (let part = 0; part < maxPageParts; part += 1) {
        const { data, paging } = await call(
          'managed_pages',
          token,
          'GET',
          'me/accounts',
          { fields: managedPageFields, limit: '100', ...(after === undefined ? {} : { after }) },
          managedPagesResponse,
        )
        for (const row of data) {
          const page = managedPage.safeParse(row)
          if (page.success) pages.push(page.data)
        }
        after = paging?.next ? (paging.cursors?.after ?? undefined) : undefined
        if (after === undefined) break
      }
      return pages
    },

    /** The ids under which pages of this business know a person, by the app's id of the person. */
    pageScopedIds: async (appToken: string, userId: string): Promise<string[]> => {
      const { data } = await call(
        'ids_for_pages',
        appToken,
        'GET',
        `${encodeURIComponent(userId)}/ids_for_pages`,
        {},
        idsResponse,
        { timeout: profileTimeout },
      )
      return data.map((row) => row.id)
    },

    /** The URL of a page's picture, null for the default silhouette. */
    picture: async (token: string, pageId: string): Promise<string | null> => {
      const { data } = await call('picture', token, 'GET', `${pageId}/picture`, { redirect: '0' }, pictureResponse)
      return data.is_silhouette === true ? null : data.url
    },

    /** Conversations, newest first, each with its newest messages. `next` is the cursor of the next result page. */
    conversations: async (
      token: string,
      { pageId, platform, limit = 25, after, psid }: ConversationsRequest,
    ): Promise<{ conversations: GraphConversation[]; unreadable: number; next: string | null }> => {
      const parameters: Record<string, string> = {
        platform,
        limit: String(limit),
        fields: `id,updated_time,participants,messages.limit(${readableMessages}){${fieldsOf(platform)}}`,
      }
      if (after !== undefined) parameters['after'] = after
      if (psid !== undefined) parameters['user_id'] = psid
      const answer = await call(
        'conversations',
        token,
        'GET',
        `${pageId}/conversations`,
        parameters,
        conversationsResponse,
      )
      const read = answer.data.map((row) => graphConversation.safeParse(row))
      const conversations = read.flatMap((row) => (row.success ? [row.data] : []))
      const next = answer.paging?.next ? (answer.paging.cursors?.after ?? null) : null
      return { conversations, unreadable: read.length - conversations.length, next }
    },

    /** A person's profile. Every field may be missing. */
    person: (token: string, psid: string, platform: Platform): Promise<PersonResponse> =>
      call(
        'person',
        token,
        'GET',
        psid,
        { fields: platform === 'instagram' ? 'name,username,profile_pic' : 'first_name,last_name,name,profile_pic' },
        personResponse,
        { timeout: profileTimeout },
      ),

    /** The approved utility templates of a page, at most 500. A template that this code cannot fill in is left out. */
    templates: async (token: string, pageId: string): Promise<GraphTemplate[]> => {
      const templates: GraphTemplate[] = []
      let after: string | undefined
      for (let part = 0; part < maxTemplateParts; part += 1) {
        const { data, paging } = await call(
          'message_templates',
          token,
          'GET',
          `${pageId}/message_templates`,
          {
            fields: 'id,name,language,category,status,components',
            limit: '100',
            ...(after === undefined ? {} : { after }),
          },
          templatesResponse,
        )
        for (const row of data) {
          const template = graphTemplate.safeParse(row)
          if (template.success) templates.push(template.data)
        }
        after = paging?.next ? (paging.cursors?.after ?? undefined) : undefined
        if (after === undefined) break
      }
      return templates
    },

    /** Sends a message and returns the network's id of it. */
    send: async (
      token: string,
      { pageId, psid, content, metadata, humanAgent, replyTo }: SendRequest,
    ): Promise<string> => {
      const body = {
        recipient: { id: psid },
        ...messagingTypeOf(content, humanAgent === true),
        message: { ...messageOf(content), ...(metadata === undefined ? {} : { metadata }) },
        ...(replyTo === undefined ? {} : { reply_to: { mid: replyTo } }),
      }
      return (await call('send', token, 'POST', `${pageId}/messages`, {}, sentResponse, { body })).message_id
    },

    /** Shows a person that the page writes, has read or reacts. */
    act: async (
      token: string,
      { pageId, psid }: { pageId: string; psid: string },
      act: SenderAction,
    ): Promise<void> => {
      const body = {
        recipient: { id: psid },
        ...(act.action === 'react'
          ? {
              sender_action: act.reaction === null ? 'unreact' : 'react',
              payload: {
                message_id: act.messageId,
                ...(act.reaction === null ? {} : { reaction: act.reaction }),
              },
            }
          : { sender_action: act.action }),
      }
      const options = { body, timeout: actionTimeout }
      await call(act.action, token, 'POST', `${pageId}/messages`, {}, actedResponse, options)
    },

    /** Reverts `subscribe`. */
    unsubscribe: async (token: string, pageId: string): Promise<void> => {
      await call('unsubscribe', token, 'DELETE', `${pageId}/subscribed_apps`, {}, successResponse)
    },

    /** Subscribes the app's webhook to the page. */
    subscribe: async (token: string, pageId: string): Promise<void> => {
      const parameters = { subscribed_fields: webhookFields.join() }
      await call('subscribe', token, 'POST', `${pageId}/subscribed_apps`, parameters, successResponse)
    },

    ...commentCalls(call),
  }
}
