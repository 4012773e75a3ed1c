import type { Client } from '../../schemas/client.ts'
import { type MergedField, mergedFields } from '../../schemas/client-removal.ts'

const isEmpty = (value: unknown): boolean => value == null || value === ''

const isSame = (one: Client, other: Client, field: MergedField): boolean =>
  (isEmpty(one[field]) && isEmpty(other[field])) || one[field] === other[field]

/** The fields in which two clients differ, in the order in which they are shown. */
export const differingFields = (kept: Client, other: Client): readonly MergedField[] =>
  mergedFields.filter((field) => !isSame(kept, other, field))

/** The fields that the other client has and the kept one lacks. They are taken until the person chooses. */
export const missingFields = (kept: Client, other: Client): readonly MergedField[] =>
  differingFields(kept, other).filter((field) => isEmpty(kept[field]))
