import * as z from 'zod/mini'
import { answerOf, id, moment } from './primitives.ts'

/** What a key may do: store clients, or store orders with their payments. */
export const apiScopes = ['clients.import', 'orders.import'] as const
export type ApiScope = (typeof apiScopes)[number]

/** The maximum number of keys that are not revoked, and of characters of a name. */
export const apiKeyLimits = { keys: 50, name: 100 } as const

/** A key of another program. `ending` are the last characters of its secret. */
export const apiKey = z.object({
  id,
  name: z.string(),
  ending: z.string(),
  scopes: z.array(z.string()),
  created_by: z.string(),
  created_at: moment,
  last_used_at: z.nullable(moment),
})
export type ApiKey = z.infer<typeof apiKey>

export const apiKeysAnswer = answerOf(z.object({ keys: z.array(apiKey) }))

export const createApiKeyBody = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(apiKeyLimits.name)),
  scopes: z.array(z.enum(apiScopes)).check(z.minLength(1), z.maxLength(apiScopes.length)),
})
export type CreateApiKeyBody = z.infer<typeof createApiKeyBody>

/** The secret is answered here and never again. */
export const createdApiKeyAnswer = answerOf(z.object({ key: apiKey, secret: z.string() }))
