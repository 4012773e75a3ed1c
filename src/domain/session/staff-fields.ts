import { type StaffMember, type StaffRole, staffLimits, staffRoles } from '../../schemas/staff.ts'
import { t } from '../../texts/session-on-demand.ts'
import { isEmailAddress } from '../email-address.ts'
import type { SavedStaff } from './staff-calls.ts'

/** The fields of the staff form. The email cannot be changed later. */
export type StaffFields = { email: string; name: string; role: StaffRole; isActive: boolean }

const isRole = (role: string): role is StaffRole => staffRoles.some((known) => known === role)

/** The form values of a member, or of a new member if null. An unknown role becomes the role with the fewest permissions. */
export const staffFieldsOf = (member: StaffMember | null): StaffFields => ({
  email: member?.email ?? '',
  name: member?.name ?? '',
  role: member === null ? 'agent' : isRole(member.role) ? member.role : 'viewer',
  isActive: member?.is_active ?? true,
})

export const isSameStaffFields = (one: StaffFields, other: StaffFields): boolean =>
  one.email === other.email && one.name === other.name && one.role === other.role && one.isActive === other.isActive

/** The reason why the form cannot be saved; null if it can. */
export function staffBlockedReason({ email, name }: StaffFields): string | null {
  if (!isEmailAddress(email)) return t('shared.emailInvalid')
  if (email.trim().length > staffLimits.email) return t('shared.tooLong', { most: staffLimits.email })
  if (name.trim() === '') return t('session.staffNameMissing')
  if (name.trim().length > staffLimits.name) return t('shared.tooLong', { most: staffLimits.name })
  return null
}

/** The request that saves the form. The email of an existing member cannot change. */
export const savedStaffOf = (member: StaffMember | null, { email, name, role, isActive }: StaffFields): SavedStaff =>
  member === null
    ? { id: null, body: { email: email.trim(), name: name.trim(), role } }
    : { id: member.id, body: { name: name.trim(), role, is_active: isActive } }
