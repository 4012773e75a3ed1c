import type { StaffAccounts } from '../../auth/staff-management.ts'
import { insertAccount } from './accounts.ts'

/** The accounts of the stand-in identity provider, for the management of staff. */
export const staffAccounts: StaffAccounts = {
  create: (db, account) => insertAccount(db, { ...account, confirmed: true }),
  setOneTimePassword: async (db, { userId, passwordHash }) => {
    await db.updateTable('auth_users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  },
}
