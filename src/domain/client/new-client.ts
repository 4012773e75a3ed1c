import { clientLimits } from '../../schemas/client.ts'
import { t } from '../../texts/client-on-demand.ts'
import { isEmailAddress } from '../email-address.ts'
import type { NewClient } from './client-linking.ts'

/** The maximum number of characters of each field. */
export const newClientLimits: Readonly<Record<keyof NewClient, number>> = {
  firstName: clientLimits.name,
  lastName: clientLimits.name,
  email: clientLimits.email,
  phone: clientLimits.text,
  company: clientLimits.text,
}

/** What the first name, the last name and the other fields of a client must be; null for a valid field. */
export const clientFieldProblem = (field: keyof NewClient, text: string): string | null => problemOf(field, text.trim())

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

/** The problem of each form field (spec section 5); null for a valid field. */
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

/** The first problem of the form; null if the form can be submitted. */
export const newClientBlockedReason = (fields: NewClient): string | null =>
  Object.values(newClientProblems(fields)).find((problem) => problem !== null) ?? null

/** The form values to submit, or null if a field is missing or invalid (spec section 5). */
export const newClientOf = (fields: NewClient): NewClient | null =>
  newClientBlockedReason(fields) === null ? trimmedFields(fields) : null
