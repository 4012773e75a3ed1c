import * as z from 'zod/mini'
import { answerOf, id } from './primitives.ts'

/** A tab renews its presence this often, and counts as gone without a renewal for this long. Milliseconds. */
export const presenceInterval = 3_000
export const presenceLifetime = 8_000

const tab = z.string().check(z.minLength(8), z.maxLength(64))
export const ofTab = z.object({ tab })
export const presenceBody = z.object({ tab, isTyping: z.boolean() })

/** A tab of a colleague that shows the conversation. `remaining`: it counts as gone after this. Milliseconds. */
export const colleague = z.object({ id, staff_id: id, is_typing: z.boolean(), remaining: z.number() })
export type Colleague = z.infer<typeof colleague>

/** The tabs of colleagues that show the conversation, without the own ones. */
export const presenceAnswer = answerOf(z.object({ colleagues: z.array(colleague) }))

/** A row of the realtime table `presence`. */
export const presenceRow = z.object({ id, staff_id: id, primary_user_id: id, is_typing: z.boolean() })
