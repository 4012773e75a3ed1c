import { clientLimits } from '../../schemas/client.ts'
import { t } from '../../texts/client-on-demand.ts'
import { isEmailAddress } from '../email-address.ts'
import type { NewClient } from './client-linking.ts'

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
