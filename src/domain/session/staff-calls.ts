import type { AddStaffBody, UpdateStaffBody } from '../../schemas/staff.ts'

/** `id` is null for a new member. */
export type SavedStaff = { id: null; body: AddStaffBody } | { id: string; body: UpdateStaffBody }

/** A one-time password. The server returns it only once. */
export type IssuedPassword = { email: string; password: string }
