import * as z from 'zod/mini'
import { author } from './author.ts'
import { conversationState, conversationView, waitingOrder } from './conversation-state.ts'
import { pagination } from './pagination.ts'
import { count, id, moment } from './primitives.ts'
import { receipt, receiptFields } from './reactions-receipts-replies.ts'

export const direction = z.enum(['incoming', 'outgoing'])

export const platform = z.enum(['messenger', 'instagram'])
export type Platform = z.infer<typeof platform>

/**
 * One row of the inbox: one person, with one or several merged identities (spec section 3). `primary_user_id` is the
 * main identity of the group, `fb_user_id` the identity on `page_id`, and `psid` is valid on that page only.
 */
export const conversation = z.object({
  primary_user_id: z.nullish(id),
  fb_user_id: id,
  /** All identities of the group, comma and space separated. A link may contain any of them. */
  fb_user_ids: z.nullish(z.string()),
  page_id: z.nullish(id),
  /** Comma and space separated. */
  page_ids: z.nullish(z.string()),
  /** Comma and space separated, in the order of `page_ids`. */
  page_names: z.nullish(z.string()),
  page_count: z._default(count, 1),
  platform: z.nullish(z.catch(z.nullable(platform), null)),
  unified_name: z.nullish(z.string()),
  user_name: z.nullish(z.string()),
  first_name: z.nullish(z.string()),
  last_name: z.nullish(z.string()),
  profile_pic: z.nullish(z.string()),
  client_id: z.nullish(id),
  client_first_name: z.nullish(z.string()),
  client_last_name: z.nullish(z.string()),
  company_name: z.nullish(z.string()),
  unread_messages: z._default(count, 0),
  total_messages: z._default(count, 0),
  last_message_at: z.nullish(moment),
  last_message_text: z.nullish(z.string()),
  last_message_direction: z.nullish(z.catch(z.nullable(direction), null)),
  last_message_page_id: z.nullish(id),
  last_message_page_name: z.nullish(z.string()),
  /** Who wrote the last message, if it is outgoing. Feature 'authors'. */
  last_message_author: z.catch(z.nullish(author), null),
  /** The time of the person's last message on `page_id`, at which the reply window starts. */
  last_incoming_at: z.nullish(moment),
  psid: z.nullish(id),
  /** Of the identities that received anything. Feature 'receipts'. */
  receipts: z.catch(z.nullish(z.array(receipt)), null),
  /**
   * What the client owes, in hundredths of the currency. Null if no client is linked, or without the permission
   * `orders.read`. Feature 'outstanding'.
   */
  outstanding: z.catch(z.nullish(count), null),
  /** Absent if the API does not offer 'conversation-states'. */
  state: z.catch(z.optional(conversationState), undefined),
})
export type Conversation = z.infer<typeof conversation>

/** The value of the assignee filter for conversations without an assignee. No staff member has this id. */
export const nobody = 'nobody'

/** The maximum number of characters of a search. */
export const searchLimit = 200

export const conversationsQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 1),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
  search: z.optional(z.string().check(z.maxLength(searchLimit))),
  unreadOnly: z.optional(
    z.pipe(
      z.enum(['true', 'false']),
      z.transform((text) => text === 'true'),
    ),
  ),
  pageId: z.optional(z.string()),
  /** Absent means all conversations. */
  view: z.optional(conversationView),
  /** Only conversations with this label. */
  labelId: z.optional(z.string().check(z.maxLength(100))),
  /** Only conversations of this staff member, or `nobody`. Feature 'assignee-filter'. */
  assignedTo: z.optional(z.string().check(z.maxLength(100))),
  /** The order of the view `waiting`; absent means `longest`. `urgent` needs `orders.read`. Feature 'outstanding'. */
  order: z.optional(waitingOrder),
})
export type ConversationsQuery = z.infer<typeof conversationsQuery>

export const conversationsAnswer = z.object({
  success: z.literal(true),
  data: z.array(conversation),
  pagination,
})

/** A row of the realtime table `fb_users`. */
export const fbUserRow = z.object({
  id,
  /** The conversation of the identity. */
  primary_user_id: z.nullish(id),
  name: z.nullish(z.string()),
  first_name: z.nullish(z.string()),
  last_name: z.nullish(z.string()),
  profile_pic: z.nullish(z.string()),
  client_id: z.nullish(id),
  ...receiptFields,
  /** A sync has read the conversation of the identity, so its start is known. */
  history_synced: z.nullish(z.boolean()),
})
export type FbUserRow = z.infer<typeof fbUserRow>
