import type { SavedStaff } from '../../domain/session/staff-calls.ts'
import { successAnswer } from '../../schemas/primitives.ts'
import {
  addedStaffAnswer,
  passwordResetByAdminAnswer,
  type StaffList,
  staffAnswerOf,
  staffMember,
} from '../../schemas/staff.ts'
import { type Http, rows } from '../http.ts'

const pathOf = (id: string) => `/staff/${encodeURIComponent(id)}`

/** The calls for members of staff. All throw `Failure`. Calls that change data are never aborted. */
export function createStaff(http: Http, log: { warn: (text: string) => void }) {
  const staff = rows(staffMember, log, 'members of staff')
  const staffAnswer = staffAnswerOf(staff)

  return {
    loadStaff: async (signal: AbortSignal): Promise<StaffList> =>
      (await http.get('/staff', { schema: staffAnswer, signal })).data,

    /** Resolves with the one-time password of a new member; null if there is none. */
    saveStaff: async ({ id, body }: SavedStaff): Promise<string | null> => {
      if (id === null) return (await http.post('/staff', { schema: addedStaffAnswer, body })).data.password
      await http.put(pathOf(id), { schema: successAnswer, body })
      return null
    },

    /** Resolves with the one-time password. */
    resetPassword: async ({ id }: { id: string }): Promise<string> =>
      (await http.post(`${pathOf(id)}/reset-password`, { schema: passwordResetByAdminAnswer })).data.password,

    removeSecondFactor: async ({ id }: { id: string }): Promise<void> => {
      await http.post(`${pathOf(id)}/remove-second-factor`, { schema: successAnswer })
    },
  }
}
