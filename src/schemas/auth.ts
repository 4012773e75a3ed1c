import * as z from 'zod/mini'
import { id } from './primitives.ts'

/** A payload without a permissions array is refused (spec section 5). */
export const authUser = z.object({
  id,
  email: z.string(),
  name: z.nullish(z.string()),
  role: z.string(),
  permissions: z.array(z.string()),
})
export type AuthUser = z.infer<typeof authUser>

export const supabaseLoginBody = z.object({ supabaseToken: z.string().check(z.minLength(1)) })

export const loginAnswer = z.object({
  success: z.literal(true),
  data: z.object({ token: z.string(), refreshToken: z.string(), user: authUser }),
})

export const refreshBody = z.object({ refreshToken: z.string().check(z.minLength(1)) })

export const refreshAnswer = z.object({
  success: z.literal(true),
  data: z.object({ accessToken: z.string(), refreshToken: z.string(), user: authUser }),
})

export const meAnswer = z.object({ success: z.literal(true), data: z.object({ user: authUser }) })

export const logoutBody = z.object({ refreshToken: z.optional(z.string()) })
export const logoutAnswer = z.object({ success: z.literal(true) })

/** The product's own token pair. */
export type TokenPair = { token: string; refreshToken: string }
