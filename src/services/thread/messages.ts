import * as z from 'zod/mini'
import { Failure } from '../../domain/failure.ts'
import { limits } from '../../domain/limits.ts'
import { idsOfConversation } from '../../domain/list/conversation-row.ts'
import type { BestPage, PageIdentity, SendAnswer, SendOrder } from '../../domain/send/send-calls.ts'
import type { DecidedReply, MessagesRequest, ReplyOutcome, ThreadRequest } from '../../domain/thread/thread-calls.ts'
import type { FetchedPage } from '../../domain/thread/thread-messages.ts'
import { type Conversation, conversation } from '../../schemas/conversation.ts'
import {
  bestPageAnswer,
  conversationStart,
  identityAnswer,
  type Message,
  message,
  replyDecisionAnswer,
} from '../../schemas/message.ts'
import { id, moment, successAnswer } from '../../schemas/primitives.ts'
import type { SendMessageBody } from '../../schemas/send-message.ts'
import { type Http, rows } from '../http.ts'

/** The spec does not define this answer, so all fields that identify the message are optional. */
const sendAnswer = z.object({
  success: z.literal(true),
  data: z.catch(z.object({ message_id: z.catch(z.nullish(id), null), created_at: z.catch(z.nullish(moment), null) }), {
    message_id: null,
    created_at: null,
  }),
})

const inPath = (part: string) => encodeURIComponent(part)

/**
 * The calls of the thread and of sending (spec section 7). All throw `Failure`. `sendsKeys` is false for an API whose
 * CORS rules refuse the header `Idempotency-Key`.
 */
export function createMessages(
  http: Http,
  log: { warn: (text: string) => void },
  { sendsKeys }: { sendsKeys: boolean },
) {
  const messagesAnswer = z.object({
    success: z.literal(true),
    data: z.object({
      messages: z.array(z.unknown()),
      hasMore: z.optional(z.boolean()),
      start: z.catch(z.optional(conversationStart), undefined),
    }),
  })
  const messageRows = rows(message, log, 'messages')
  const conversationsAnswer = z.object({
    success: z.literal(true),
    data: rows(conversation, log, 'conversations'),
  })

  async function loadMessages(
    { conversationId, pageId, page }: MessagesRequest,
    signal: AbortSignal,
  ): Promise<FetchedPage> {
    const { data } = await http.get(`/facebook/conversations/${inPath(conversationId)}/messages`, {
      schema: messagesAnswer,
      signal,
      query: { page, limit: limits.messagePageSize, pageId },
    })
    return {
      messages: z.parse(messageRows, data.messages),
      hasMore: data.hasMore ?? data.messages.length >= limits.messagePageSize,
      start: data.start,
    }
  }

  async function findConversation({ id }: { id: string }, signal: AbortSignal): Promise<Conversation | null> {
    const { data } = await http.get('/facebook/conversations', {
      schema: conversationsAnswer,
      signal,
      query: { page: 1, limit: limits.conversationPageSize, search: id },
    })
    return data.find((row) => idsOfConversation(row).includes(id)) ?? null
  }

  return {
    /** A result page of messages, counted from the newest page; oldest message first within the page. */
    loadMessages,

    /** The newest messages, to search for a send among them. */
    findNewest: async (asked: ThreadRequest, signal: AbortSignal): Promise<readonly Message[]> =>
      (await loadMessages({ ...asked, page: 1 }, signal)).messages,

    /** The row of a conversation by its primary user id or the id of any of its identities; null if there is none. */
    findConversation,

    /** True if the messages answer 404 and no conversation with this id is found. */
    isGone: async ({ id }: { id: string }, signal: AbortSignal): Promise<boolean> => {
      try {
        await loadMessages({ conversationId: id, pageId: null, page: 1 }, signal)
        return false
      } catch (error) {
        if (!(error instanceof Failure) || error.status !== 404) throw error
        return (await findConversation({ id }, signal)) === null
      }
    },

    /** Marks the person's messages as read. Not aborted when the user leaves the conversation. */
    markRead: async ({ conversationId, pageId }: ThreadRequest): Promise<void> => {
      await http.post(`/facebook/conversations/${inPath(conversationId)}/mark-read`, {
        schema: successAnswer,
        body: { pageId },
      })
    },

    findBestPage: async ({ userId }: { userId: string }, signal: AbortSignal): Promise<BestPage> => {
      const { data } = await http.get(`/facebook/users/${inPath(userId)}/best-page`, { schema: bestPageAnswer, signal })
      return { pageId: data.page_id, reason: data.reason ?? null }
    },

    findIdentity: async (asked: { userId: string; pageId: string }, signal: AbortSignal): Promise<PageIdentity> => {
      const path = `/facebook/users/${inPath(asked.userId)}/identity/${inPath(asked.pageId)}`
      const { data } = await http.get(path, { schema: identityAnswer, signal })
      return { psid: data.psid, platform: data.platform ?? null }
    },

    /**
     * Sends the decision of staff on an unconfirmed automatic reply. Never aborted, because a retry may already have
     * been sent.
     */
    decideReply: async ({ questionId, ...body }: DecidedReply): Promise<ReplyOutcome> => {
      const path = `/facebook/messages/${inPath(questionId)}/unconfirmed-reply`
      const { data } = await http.post(path, { schema: replyDecisionAnswer, body })
      return data
    },

    /**
     * Sends a message, at most once for each idempotency key if the API receives the key. Never aborted, because the
     * request may already have left.
     */
    sendMessage: async ({ key, pageId, psid, text, fileId, structured, replyTo }: SendOrder): Promise<SendAnswer> => {
      const original = replyTo === undefined ? {} : { replyTo }
      const recipient = { pageId, recipientPsid: psid, messageText: text, ...original }
      const body: SendMessageBody =
        fileId !== undefined
          ? { pageId, recipientPsid: psid, messageType: 'file', fileId }
          : structured !== undefined
            ? { ...recipient, messageType: 'structured', structured }
            : { ...recipient, messageType: 'text' }
      const { data } = await http.post('/facebook/send-message', {
        schema: sendAnswer,
        headers: sendsKeys ? { 'Idempotency-Key': key } : {},
        body,
      })
      return { messageId: data.message_id ?? null, createdAt: data.created_at ?? null }
    },
  }
}
