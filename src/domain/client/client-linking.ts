import { type Client, clientLimits } from '../../schemas/client.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { limits } from '../limits.ts'
import { knownNameOf } from '../list/conversation-text.ts'
import { safeName } from '../shown-text.ts'

/** What the form for a new client asks for (spec section 2, Link Client modal). */
export type NewClient = { firstName: string; lastName: string; email: string; phone: string; company: string }

/** A form prefilled from the chat: the first word of the name, and the rest (spec section 2). */
export function prefilledFrom(conversation: Conversation | undefined): NewClient {
  const name = conversation && knownNameOf(conversation)
  const [firstName = '', ...rest] = (name ?? '').split(' ')
  return { firstName, lastName: rest.join(' '), email: '', phone: '', company: '' }
}

/** Nothing was typed into the form since it was prefilled. */
export function isAsPrefilled(fields: NewClient, before: NewClient): boolean {
  return (
    fields.firstName === before.firstName &&
    fields.lastName === before.lastName &&
    fields.email === before.email &&
    fields.phone === before.phone &&
    fields.company === before.company
  )
}

/** Clients are searched for from 2 characters on (spec section 5). */
export const isSearchable = (term: string): boolean =>
  term.trim().length >= limits.clientSearchMinimum && term.trim().length <= clientLimits.search

/** Only a client without a chat user may be selected (spec section 5). */
export const isLinked = (client: Client): boolean => client.fb_user_id != null

/** A client's name as staff read it. */
export const clientNameOf = ({ first_name, last_name }: Pick<Client, 'first_name' | 'last_name'>): string =>
  safeName(`${first_name ?? ''} ${last_name ?? ''}`)
