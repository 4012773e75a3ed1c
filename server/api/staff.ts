import { Hono } from 'hono'
import * as z from 'zod/mini'
import { successAnswer } from '../../src/schemas/primitives.ts'
import {
  addedStaffAnswer,
  addStaffBody,
  passwordResetByAdminAnswer,
  staffAnswer,
  updatedStaffAnswer,
  updateStaffBody,
} from '../../src/schemas/staff.ts'
import { type StaffManagement, StaffRefused } from '../auth/staff-management.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Staff'
const byId = z.object({ id: z.string() })
const unknown = { 404: 'There is no such member of staff' } as const

/** The members of staff (not in the specification), to be mounted at /api/staff. */
export function createStaffRoutes({ staff }: { staff: StaffManagement }) {
  const app = new Hono<Authenticated>()
  app.onError((error, c) => {
    if (!(error instanceof StaffRefused)) throw error
    return refuse(c, error.code === 'UNKNOWN_MEMBER' ? 404 : 409, error.message, error.code)
  })
  return app
    .get(
      '/',
      described({ tag, summary: 'All members of staff, by name', answer: staffAnswer }),
      requirePermission('staff.manage'),
      async (c) =>
        c.json({ success: true, data: await staff.list(c.get('actor')) } satisfies z.infer<typeof staffAnswer>),
    )
    .post(
      '/',
      described({
        tag,
        takesBody: true,
        summary: 'Add a member; returns the one-time password once',
        answer: addedStaffAnswer,
        refusals: { 409: 'The email is known already', 503: 'Too many passwords are being hashed' },
      }),
      requirePermission('staff.manage'),
      valid('json', addStaffBody),
      async (c) => {
        const data = await staff.add(c.req.valid('json'), c.get('actor'))
        return c.json({ success: true, data } satisfies z.infer<typeof addedStaffAnswer>)
      },
    )
    .put(
      '/:id',
      described({
        tag,
        takesBody: true,
        summary: 'Change name, role and activity; a new role or a deactivation ends the sessions of the member',
        answer: updatedStaffAnswer,
        refusals: { ...unknown, 409: 'The last active administrator cannot be demoted or made inactive' },
      }),
      requirePermission('staff.manage'),
      valid('param', byId),
      valid('json', updateStaffBody),
      async (c) => {
        const data = await staff.update(c.req.valid('param').id, c.req.valid('json'), c.get('actor'))
        return c.json({ success: true, data } satisfies z.infer<typeof updatedStaffAnswer>)
      },
    )
    .post(
      '/:id/reset-password',
      described({
        tag,
        summary: 'Set a one-time password, which is returned once, and end all sessions of the member',
        answer: passwordResetByAdminAnswer,
        refusals: {
          ...unknown,
          409: 'A hosted identity provider keeps the passwords, or it is your own',
          503: 'Too many passwords are being hashed',
        },
      }),
      requirePermission('staff.manage'),
      valid('param', byId),
      async (c) => {
        const data = await staff.resetPassword(c.req.valid('param').id, c.get('actor'))
        return c.json({ success: true, data } satisfies z.infer<typeof passwordResetByAdminAnswer>)
      },
    )
    .post(
      '/:id/remove-second-factor',
      described({
        tag,
        summary: 'Remove the second factor of another person, and end all their sessions',
        answer: successAnswer,
        done: 'The second factor is removed',
        refusals: { ...unknown, 409: 'The person has no second factor, or it is your own' },
      }),
      requirePermission('staff.manage'),
      valid('param', byId),
      async (c) => {
        await staff.removeSecondFactor(c.req.valid('param').id, c.get('actor'))
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
}
