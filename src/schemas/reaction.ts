import * as z from 'zod/mini'
import { message } from './message.ts'

/** The reaction of the page to a message; null takes it back. */
export const reactBody = z.object({ emoji: z.nullable(z.string().check(z.minLength(1), z.maxLength(20))) })

/** The message after the reaction of its page was set or taken back. */
export const reactAnswer = z.object({ success: z.literal(true), data: z.object({ message }) })
