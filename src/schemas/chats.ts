import * as z from 'zod/mini'
import { platform } from './conversation.ts'
import { answerOf, count, id, moment } from './primitives.ts'

/** One chat of a conversation: the person on one page. */
export const chat = z.object({
  fb_user_id: id,
  name: z.nullish(z.string()),
  page_name: z.nullish(z.string()),
  platform: z.nullish(z.catch(z.nullable(platform), null)),
  total_messages: z._default(count, 0),
  last_message_at: z.nullish(moment),
  /** The conversation bears the id of its first chat, so this chat cannot be split off. */
  is_first: z.boolean(),
})
export type Chat = z.infer<typeof chat>

export const namedClient = z.nullable(z.object({ id, name: z.string() }))
/** The chats of a conversation, the first one first, and the linked client. Feature 'chats'. */
export const chatsAnswer = answerOf(z.object({ client: namedClient, chats: z.array(chat) }))
export type Chats = z.infer<typeof chatsAnswer>['data']

const someId = z.string().check(z.minLength(1), z.maxLength(200))

export const unlinkClientBody = z.object({ fbUserId: someId, clientId: someId })
/** `fbUserId` stays, and the conversation of `otherId` is merged into it. */
export const joinChatsBody = z.object({ fbUserId: someId, otherId: someId })
export const splitChatBody = z.object({ fbUserId: someId })

/** The identities of the changed conversations, as realtime reports them. */
export const movedChat = z.object({ id, primary_user_id: id, client_id: z.nullable(id) })
export const movedChatsAnswer = answerOf(z.array(movedChat))
export type MovedChat = z.infer<typeof movedChat>
