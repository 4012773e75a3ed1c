import { type Client, clientLimits, type EditClientBody } from '../../schemas/client.ts'
import { t } from '../../texts/client-on-demand.ts'
import { clientFieldProblem, newClientLimits } from './new-client.ts'

/** The fields of the form that edits a client, in the order in which they are shown. */
export const clientFieldNames = ['firstName', 'lastName', 'email', 'phone', 'company', 'classification'] as const
export type ClientFieldName = (typeof clientFieldNames)[number]
export type ClientFields = Readonly<Record<ClientFieldName, string>>

/** The maximum number of characters of each field. */
export const clientFieldLimits: Readonly<Record<ClientFieldName, number>> = {
  ...newClientLimits,
  classification: clientLimits.name,
}

export const fieldsOfClient = (client: Client): ClientFields => ({
  firstName: client.first_name ?? '',
  lastName: client.last_name ?? '',
  email: client.email ?? '',
  phone: client.phone ?? '',
  company: client.company_name ?? '',
  classification: client.classification ?? '',
})

/** The problem of each field; null for a valid field. */
export function clientFieldProblems(fields: ClientFields): Readonly<Record<ClientFieldName, string | null>> {
  const { classification, ...others } = fields
  const problem = (field: Exclude<ClientFieldName, 'classification'>) => clientFieldProblem(field, others[field])
  return {
    firstName: problem('firstName'),
    lastName: problem('lastName'),
    email: problem('email'),
    phone: problem('phone'),
    company: problem('company'),
    classification:
      classification.trim() === ''
        ? t('client.classificationMissing')
        : classification.trim().length > clientLimits.name
          ? t('shared.tooLong', { most: clientLimits.name })
          : null,
  }
}

/** The reason why the form cannot be saved; null if it can. */
export const editBlockedReason = (fields: ClientFields): string | null =>
  Object.values(clientFieldProblems(fields)).find((problem) => problem !== null) ?? null

export const isSameClientFields = (one: ClientFields, other: ClientFields): boolean =>
  clientFieldNames.every((name) => one[name].trim() === other[name].trim())

export const editBodyOf = (fields: ClientFields, version: number): EditClientBody => ({
  version,
  first_name: fields.firstName.trim(),
  last_name: fields.lastName.trim(),
  email: fields.email.trim() || null,
  phone: fields.phone.trim() || null,
  company_name: fields.company.trim() || null,
  classification: fields.classification.trim(),
})

/** A field that somebody else changed while it was edited. `mine` is null if only the other person changed it. */
export type FieldChange = { field: ClientFieldName; theirs: string; mine: string | null }

/**
 * What somebody else changed since `base`, and the fields of the form with it: a field that only they changed gets their
 * value, one that both changed keeps that of this person until they choose.
 */
export function comparedWith(
  base: ClientFields,
  mine: ClientFields,
  theirs: ClientFields,
): { fields: ClientFields; changes: readonly FieldChange[] } {
  const changes = clientFieldNames
    .filter((field) => theirs[field] !== base[field] && theirs[field] !== mine[field].trim())
    .map((field) => ({
      field,
      theirs: theirs[field],
      mine: mine[field].trim() === base[field] ? null : mine[field],
    }))
  const taken = changes.filter((change) => change.mine === null).map(({ field }) => [field, theirs[field]] as const)
  return { fields: { ...mine, ...Object.fromEntries(taken) }, changes }
}
