import * as z from 'zod/mini'
import { authUser } from './auth.ts'
import { conversation } from './conversation.ts'
import { conversationView } from './conversation-state.ts'
import { conversationStart, message } from './message.ts'
import { count, id } from './primitives.ts'

/** The copy of the inbox that the browser keeps between two starts. Contains no tokens. */
export const savedInbox = z.object({
  user: authUser,
  /** All rows that the list or the thread refers to. */
  conversations: z.array(conversation),
  /** The first rows of a view of the list without search and filters, as row ids in their order. */
  list: z.object({
    ids: z.array(id),
    total: count,
    hasNext: z.boolean(),
    /** Absent if the API offers no views. */
    view: z.optional(conversationView),
  }),
  /** The newest messages of the thread that was open last, oldest first. */
  thread: z.nullable(
    z.object({
      conversationId: id,
      messages: z.array(message),
      hasOlder: z.boolean(),
      start: z.optional(conversationStart),
    }),
  ),
})
export type SavedInbox = z.infer<typeof savedInbox>
