import * as z from 'zod/mini'
import { clientLabels } from './labels-of-row.ts'
import { order } from './order.ts'
import { answerOf, id, moment } from './primitives.ts'

const text = z.nullish(z.string())

/** A client of the business (spec section 3). `fb_user_id` is the linked chat user; null if there is none. */
export const client = z.object({
  id,
  first_name: text,
  last_name: text,
  company_name: text,
  email: text,
  phone: text,
  /** vip, regular or new; any other value is shown as text. */
  classification: text,
  is_active: z._default(z.boolean(), true),
  fb_user_id: z.nullish(id),
  created_at: z.nullish(moment),
  /** The language of summaries; null if none was chosen (feature 'summaries'). */
  language: text,
  /** Increases when a field that staff edit changes (feature 'client-changes'). */
  version: z.optional(z.int()),
  /** Null if the client never had a label; absent if the API does not offer 'labels'. */
  labels: z.nullish(clientLabels),
})
export type Client = z.infer<typeof client>

export const clientAnswer = answerOf(client)

/** A row of the realtime table `client_changes` (feature 'csv-import'). */
export const clientChangesRow = z.object({ client_ids: z.nullable(z.array(id)) })

/** The maximum number of characters of client fields and of a client search. */
export const clientLimits = { name: 100, email: 254, text: 200, search: 200 } as const

export const searchClientsQuery = z.object({
  search: z._default(z.string().check(z.maxLength(clientLimits.search)), ''),
})
export const searchClientsAnswer = answerOf(z.array(client))

export const linkClientBody = z.object({ fbUserId: z.string().check(z.minLength(1)), clientId: id })
/** The conversation, by primary user id, and the client that it is now linked to. */
export const linkClientAnswer = answerOf(z.object({ primary_user_id: id, client_id: id }))

const requiredName = z.string().check(z.trim(), z.minLength(1), z.maxLength(clientLimits.name))
const optionalText = z.nullish(z.string().check(z.trim(), z.maxLength(clientLimits.text)))
/** Accepts what a browser's `type="email"` input accepts. An empty text means no address. */
const optionalEmail = z.nullish(
  z.string().check(
    z.trim(),
    z.maxLength(clientLimits.email),
    z.refine((email) => email === '' || z.regexes.html5Email.test(email), 'not an email address'),
  ),
)

/** First and last name are required (spec section 5). */
export const createClientBody = z.object({
  first_name: requiredName,
  last_name: requiredName,
  email: optionalEmail,
  phone: optionalText,
  company_name: optionalText,
  is_active: z._default(z.boolean(), true),
})
/** `version`: of the client as the editor saw it. */
export const editClientBody = z.object({
  version: z.int().check(z.minimum(1)),
  first_name: requiredName,
  last_name: requiredName,
  email: optionalEmail,
  phone: optionalText,
  company_name: optionalText,
  classification: z.string().check(z.trim(), z.minLength(1), z.maxLength(clientLimits.name)),
})
export type EditClientBody = z.input<typeof editClientBody>

/** The code of the refusal of an edit whose version is not that of the client. */
export const clientChangedCode = 'CLIENT_CHANGED'
export type CreateClientBody = z.input<typeof createClientBody>

export const clientOrdersAnswer = answerOf(z.array(order))

export const refreshProfileAnswer = answerOf(z.object({ new_profile_pic: z.nullish(z.string()) }))
