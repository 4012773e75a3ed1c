import type { StaffAccounts } from '../../auth/staff-management.ts'
import { insertAccount, storePassword } from './accounts.ts'

/** The accounts of the stand-in identity provider, for the management of staff. */
export const staffAccounts: StaffAccounts = {
  create: async (db, account) => {
    const created = await insertAccount(db, { ...account, confirmed: true })
    if (created === null) return null
    await storePassword(db, { userId: created.id, passwordHash: account.passwordHash, isOneTime: true })
    return created
  },
  setOneTimePassword: (db, account) => storePassword(db, { ...account, isOneTime: true }),
}
