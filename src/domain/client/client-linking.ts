import { type Client, clientLimits } from '../../schemas/client.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/client-on-demand.ts'
import { isEmailAddress } from '../email-address.ts'
import { limits } from '../limits.ts'
import { knownNameOf } from '../list/conversation-text.ts'
import { safeName } from '../shown-text.ts'

/** What the form for a new client asks for (spec section 2, Link Client modal). */
export type NewClient = { firstName: string; lastName: string; email: string; phone: string; company: string }

/** Characters that each field takes. */
export const newClientLimits: Readonly<Record<keyof NewClient, number>> = {
  firstName: clientLimits.name,
  lastName: clientLimits.name,
  email: clientLimits.email,
  phone: clientLimits.text,
  company: clientLimits.text,
}

const trimmedFields = ({ firstName, lastName, email, phone, company }: NewClient): NewClient => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  email: email.trim(),
  phone: phone.trim(),
  company: company.trim(),
})

function problemOf(field: keyof NewClient, text: string): string | null {
  const most = newClientLimits[field]
  if (text.length > most) return t('shared.tooLong', { most })
  if (field === 'firstName') return text === '' ? t('client.firstNameMissing') : null
  if (field === 'lastName') return text === '' ? t('client.lastNameMissing') : null
  return field === 'email' && text !== '' && !isEmailAddress(text) ? t('shared.emailInvalid') : null
}

export type NewClientProblems = Readonly<Record<keyof NewClient, string | null>>

/** What is missing or wrong in each field of the form (spec section 5); null where nothing is. */
export function newClientProblems(fields: NewClient): NewClientProblems {
  const { firstName, lastName, email, phone, company } = trimmedFields(fields)
  return {
    firstName: problemOf('firstName', firstName),
    lastName: problemOf('lastName', lastName),
    email: problemOf('email', email),
    phone: problemOf('phone', phone),
    company: problemOf('company', company),
  }
}

/** The first problem of the form; null if the form can be sent. */
export const newClientBlockedReason = (fields: NewClient): string | null =>
  Object.values(newClientProblems(fields)).find((problem) => problem !== null) ?? null

/** The form as it is sent, or null where something in it is missing or wrong (spec section 5). */
export const newClientOf = (fields: NewClient): NewClient | null =>
  newClientBlockedReason(fields) === null ? trimmedFields(fields) : null

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
