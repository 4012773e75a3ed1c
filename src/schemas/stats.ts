import * as z from 'zod/mini'
import { viewCounts } from './conversation-state.ts'
import { count } from './primitives.ts'

const stats = z.object({
  messages: z.object({ total: count, incoming: count, outgoing: count, unread: count }),
  conversations: z.object({ total: count, active24h: count, active7d: count }),
  users: z.object({ total: count, linked: count, active24h: count }),
  total_conversations: count,
  unread_messages: count,
  /** Absent if the API does not offer 'conversation-states'. */
  views: z.optional(viewCounts),
})
export type Stats = z.infer<typeof stats>

export const statsAnswer = z.object({ success: z.literal(true), data: stats })
