import * as z from 'zod/mini'
import { answerOf, id, moment } from './primitives.ts'

export const staffRoles = ['administrator', 'agent', 'viewer'] as const
export type StaffRole = (typeof staffRoles)[number]

/** The maximum number of characters. */
export const staffLimits = { email: 320, name: 200 } as const

export const staffMember = z.object({
  id,
  email: z.string(),
  name: z.nullish(z.string()),
  /** One of `staffRoles`, unless the database was changed by hand. */
  role: z.string(),
  is_active: z.boolean(),
  /** The last sign-in or renewal of a session; null if there was none. */
  last_seen_at: z.nullish(moment),
  /** Absent in the answers of the previous release. */
  has_second_factor: z._default(z.boolean(), false),
})
export type StaffMember = z.infer<typeof staffMember>

/**
 * `manages_passwords`: the server keeps the passwords. False with a hosted identity provider. `own_id`: the member who asks;
 * absent in the answers of the previous release.
 */
const staffFacts = { manages_passwords: z.boolean(), own_id: z.nullish(z.string()) }
export const staffAnswerOf = <Staff extends z.ZodMiniType>(staff: Staff) => answerOf(z.object({ staff, ...staffFacts }))
export const staffAnswer = staffAnswerOf(z.array(staffMember))
export type StaffList = z.infer<typeof staffAnswer>['data']

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(staffLimits.name))
const role = z.enum(staffRoles)

export const addStaffBody = z.object({
  email: z.string().check(
    z.trim(),
    z.maxLength(staffLimits.email),
    z.refine((email) => z.regexes.html5Email.test(email), 'not an email address'),
  ),
  name,
  role,
})
export type AddStaffBody = z.input<typeof addStaffBody>

export const updateStaffBody = z.object({ name, role, is_active: z.boolean() })
export type UpdateStaffBody = z.input<typeof updateStaffBody>

/** `password` is the one-time password, which is shown only now; null with a hosted identity provider. */
export const addedStaffAnswer = answerOf(z.object({ id, password: z.nullable(z.string()) }))
export const updatedStaffAnswer = answerOf(staffMember)
export const passwordResetByAdminAnswer = answerOf(z.object({ password: z.string() }))
