import type { Client } from '../../schemas/client.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { limits } from '../limits.ts'
import { knownNameOf } from '../list/conversation-text.ts'
import { safeName } from '../shown-text.ts'

/** What the form for a new client asks for (spec section 2, Link Client modal). */
export type NewClient = { firstName: string; lastName: string; email: string; phone: string; company: string }

/** The form as it is sent, or null where a name is missing (spec section 5). */
export function newClientOf(fields: NewClient): NewClient | null {
  const trimmed = {
    firstName: fields.firstName.trim(),
    lastName: fields.lastName.trim(),
    email: fields.email.trim(),
    phone: fields.phone.trim(),
    company: fields.company.trim(),
  }
  return trimmed.firstName === '' || trimmed.lastName === '' ? null : trimmed
}

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
export const isSearchable = (term: string): boolean => term.trim().length >= limits.clientSearchMinimum

/** Only a client without a chat user may be selected (spec section 5). */
export const isLinked = (client: Client): boolean => client.fb_user_id != null

/** A client's name as staff read it. */
export const clientNameOf = ({ first_name, last_name }: Pick<Client, 'first_name' | 'last_name'>): string =>
  safeName(`${first_name ?? ''} ${last_name ?? ''}`)
