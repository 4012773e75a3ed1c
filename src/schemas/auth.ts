import * as z from 'zod/mini'
import { id } from './primitives.ts'

const storable = z.string().check(z.refine((text) => !text.includes('\0'), 'holds a null character'))
/** The email typed at sign-in. It need not be a valid address. */
const typedEmail = storable.check(z.minLength(1), z.maxLength(320))

/** A payload without a permissions array is rejected (spec section 5). */
export const authUser = z.object({
  id,
  email: z.string(),
  name: z.nullish(z.string()),
  role: z.string(),
  permissions: z.array(z.string()),
  /** Whether the browser may keep a copy of conversations; absent means no. Not in the specification. */
  deviceCache: z.optional(z.boolean()),
  /** How the business writes amounts, dates and phone numbers, for `businessOf`. Not in the specification. */
  business: z.optional(z.unknown()),
  /** What the API offers beyond the specification; absent means nothing. Unknown names are ignored. */
  features: z.optional(z.array(z.string())),
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

export const checkMigrationBody = z.object({ email: typedEmail })

/** `user` contains only the requested email and never more, because the caller is not authenticated. */
export const checkMigrationAnswer = z.object({
  success: z.literal(true),
  data: z.object({ needsMigration: z.boolean(), user: z.object({ email: z.string() }) }),
})

/**
 * `legacyPassword` is the password from before the migration and proves that the caller owns the account. It is
 * optional if the provider has confirmed the email address.
 */
export const completeMigrationBody = z.object({
  email: typedEmail,
  supabaseId: storable.check(z.minLength(1)),
  legacyPassword: z.optional(z.string().check(z.maxLength(256))),
})
export const completeMigrationAnswer = z.object({ success: z.literal(true) })

/** The legacy login, answered with a `loginAnswer`. */
export const legacyLoginBody = z.object({
  email: typedEmail,
  password: z.string().check(z.minLength(1), z.maxLength(256)),
})

const typedPassword = z.string().check(z.minLength(1), z.maxLength(256))

/** `supabaseToken` is the provider's token; its session stays. */
export const changePasswordBody = z.object({
  supabaseToken: z.string().check(z.minLength(1)),
  currentPassword: typedPassword,
  password: typedPassword,
})
export const changePasswordAnswer = z.object({ success: z.literal(true) })

/** The product's own token pair. */
export type TokenPair = { token: string; refreshToken: string }
