import * as z from 'zod/mini'
import { client } from './client.ts'
import { answerOf, id } from './primitives.ts'

/** Limits of a search for suggestions: messages that are read, values of each kind, and suggestions. */
export const suggestionLimits = { messages: 200, values: 50, suggestions: 5 } as const

/**
 * Why a client is suggested: the phone number or the email address of the client, or the number of an order, stands in a
 * message of the person; or a person of the same name on another page is linked to the client.
 */
const suggestionReason = z.object({ kind: z.enum(['phone', 'email', 'order', 'name']), value: z.string() })
export type SuggestionReason = z.infer<typeof suggestionReason>

/** The client that is most likely comes first (feature 'client-suggestions'). */
export const clientSuggestion = z.object({ client, reasons: z.array(suggestionReason).check(z.minLength(1)) })
export type ClientSuggestion = z.infer<typeof clientSuggestion>
export const clientSuggestionsAnswer = answerOf(z.array(clientSuggestion))

export const dismissSuggestionBody = z.object({ clientId: id })
