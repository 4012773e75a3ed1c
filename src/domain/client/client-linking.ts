import { type Client, clientLimits } from '../../schemas/client.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { limits } from '../limits.ts'
import { knownNameOf } from '../list/conversation-text.ts'
import { safeName } from '../shown-text.ts'

/** The fields of the new client form (spec section 2, Link Client modal). */
export type NewClient = { firstName: string; lastName: string; email: string; phone: string; company: string }

/**
 * Prefills the form from the conversation: the first word of the name as first name, the rest as last name (spec
 * section 2).
 */
export function prefilledFrom(conversation: Conversation | undefined): NewClient {
  const name = conversation && knownNameOf(conversation)
  const [firstName = '', ...rest] = (name ?? '').split(' ')
  return { firstName, lastName: rest.join(' '), email: '', phone: '', company: '' }
}

/** Whether the form still holds its prefilled values. */
export function isAsPrefilled(fields: NewClient, before: NewClient): boolean {
  return (
    fields.firstName === before.firstName &&
    fields.lastName === before.lastName &&
    fields.email === before.email &&
    fields.phone === before.phone &&
    fields.company === before.company
  )
}

/** The client search needs at least 2 characters (spec section 5). */
export const isSearchable = (term: string): boolean =>
  term.trim().length >= limits.clientSearchMinimum && term.trim().length <= clientLimits.search

/** Only a client that is not linked to a chat user may be selected (spec section 5). */
export const isLinked = (client: Client): boolean => client.fb_user_id != null

/** The client's name as shown to staff. */
export const clientNameOf = ({ first_name, last_name }: Pick<Client, 'first_name' | 'last_name'>): string =>
  safeName(`${first_name ?? ''} ${last_name ?? ''}`)
