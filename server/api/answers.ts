import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { describeRoute, resolver, validator } from 'hono-openapi'
import type * as z from 'zod/mini'
import { type Refusal, refusal } from '../../src/schemas/primitives.ts'

/** The error response of the API (spec section 7). */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  error: string,
  code?: string,
  details?: Refusal['details'],
) {
  const beside = { ...(code === undefined ? {} : { code }), ...(details === undefined ? {} : { details }) }
  return c.json({ success: false, error, ...beside } satisfies Refusal, status)
}

/** The response to an inactive account (spec section 8, Login). */
export const refuseInactive = (c: Context) =>
  refuse(c, 403, 'Your account is inactive. Please contact an administrator.', 'INACTIVE_ACCOUNT')

export const refuseTooMany = (c: Context) => refuse(c, 429, 'Too many requests. Please try again later.')

/** A new password that breaks a rule. */
export const refuseWeakPassword = (
  c: Context,
  reason = 'Choose a password of at least 8 characters that is not your email.',
) => refuse(c, 422, reason, 'WEAK_PASSWORD')

/** One response in the OpenAPI document. */
const describedAs = (schema: z.ZodMiniType, description: string, mediaType = 'application/json') => ({
  description,
  content: { [mediaType]: { schema: resolver(schema) } },
})

/**
 * Describes a route in the OpenAPI document: its response, and the errors that all such routes share. `guard`: staff with
 * a permission, anyone with a token, or everyone.
 */
export function described(route: {
  tag: string
  summary: string
  answer: z.ZodMiniType
  /** Of the successful response, if it is not JSON. */
  mediaType?: string
  /** The description of the successful response. */
  done?: string
  guard?: 'permission' | 'token' | 'none'
  takesBody?: boolean
  /** Of a body of bytes. A body of JSON is described by its schema. */
  bodyType?: string
  refusals?: Partial<Record<400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 503 | 504, string>>
  parameters?: { name: string; in: 'header'; required: boolean; description: string; schema: { type: 'string' } }[]
}) {
  const { guard = 'permission' } = route
  const answers = {
    ...(guard === 'none' ? {} : { 401: 'The token is missing or not good' }),
    ...(guard === 'permission' ? { 403: 'The person lacks the permission' } : {}),
    ...(route.takesBody ? { 400: 'The body is not valid', 413: 'The body is too large' } : {}),
    500: 'Unexpected error',
    ...route.refusals,
  }
  return describeRoute({
    tags: [route.tag],
    summary: route.summary,
    ...(guard === 'none' ? {} : { security: [{ bearer: [] }] }),
    ...(route.parameters === undefined ? {} : { parameters: route.parameters }),
    ...(route.bodyType === undefined
      ? {}
      : { requestBody: { required: true, content: { [route.bodyType]: { schema: { type: 'string' as const } } } } }),
    responses: {
      200: describedAs(route.answer, route.done ?? 'Done', route.mediaType),
      ...Object.fromEntries(
        Object.entries(answers).map(([status, description]) => [status, describedAs(refusal, description)]),
      ),
    },
  })
}

/** Validates a part of the request. Responds 400 and names the field if it is invalid. */
export function valid<Target extends 'param' | 'query' | 'json', Schema extends z.ZodMiniType>(
  target: Target,
  schema: Schema,
) {
  return validator(target, schema, (result, c) => {
    if (result.success) return undefined
    const [issue] = result.error
    const field = issue?.path?.map((part) => (typeof part === 'object' ? part.key : part)).join('.') ?? ''
    return refuse(c, 400, field === '' ? 'The request is not valid' : `${field} is not valid`)
  })
}
