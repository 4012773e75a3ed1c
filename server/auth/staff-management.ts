import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { StaffList, StaffMember, StaffRole, UpdateStaffBody } from '../../src/schemas/staff.ts'
import { type AuditActor, recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { endSessionsOf } from './end-sessions.ts'
import { hashPassword } from './passwords.ts'
import { removeSecondFactor } from './second-factors.ts'

/** The accounts of the built-in identity provider. A hosted provider manages its accounts itself. */
export type StaffAccounts = {
  /** Null if the email has an account. */
  create(db: Db, account: { email: string; passwordHash: string; now: number }): Promise<{ id: string } | null>
  /** The person must choose another password at the next sign-in. The caller ends the sessions. */
  setOneTimePassword(db: Db, account: { userId: string; passwordHash: string }): Promise<void>
}

export class StaffRefused extends Error {
  override readonly name = 'StaffRefused'
  readonly code:
    | 'KNOWN_EMAIL'
    | 'UNKNOWN_MEMBER'
    | 'LAST_ADMINISTRATOR'
    | 'HOSTED_PASSWORDS'
    | 'NO_SECOND_FACTOR'
    | 'OWN_SECOND_FACTOR'
    | 'OWN_PASSWORD'

  constructor(code: StaffRefused['code'], message: string) {
    super(message)
    this.code = code
  }
}

export type StaffManagement = ReturnType<typeof createStaffManagement>

/** Adds and changes members of staff. Every change is in the audit log. */
export function createStaffManagement({
  db,
  accounts,
  clock,
}: {
  db: Db
  /** Null with a hosted provider. */
  accounts: StaffAccounts | null
  clock: Pick<Clock, 'now'>
}) {
  /** Hashed before the transaction: hashing may wait in a queue, and the embedded database has only one connection. */
  async function newPassword() {
    const password = randomBytes(12).toString('base64url')
    return { password, passwordHash: await hashPassword(password) }
  }

  return {
    async list(by: Pick<AuditActor, 'staffId'>): Promise<StaffList> {
      const staff = await selectMembers(db).orderBy('name').orderBy('email').execute()
      return { staff: staff.map(toApi), manages_passwords: accounts !== null, own_id: by.staffId }
    },

    /**
     * Adds a member. Returns the one-time password of the new account; null with a hosted provider, where the person
     * signs up with the same email. Throws StaffRefused.
     */
    async add(
      { email, name, role }: { email: string; name: string | null; role: StaffRole },
      by: AuditActor,
    ): Promise<{ id: string; password: string | null }> {
      const created = accounts === null ? null : await newPassword()
      return inTransaction(db, async (trx) => {
        const at = clock.now()
        const staff = await trx
          .insertInto('staff')
          .values({ email, role, name })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (staff === undefined) throw knownEmail(`${email} is a member of staff already.`)
        if (accounts !== null && created !== null) {
          const account = await accounts.create(trx, { email, passwordHash: created.passwordHash, now: at })
          if (account === null) throw knownEmail(`${email} has an account already.`)
          await trx.updateTable('staff').set({ supabase_id: account.id }).where('id', '=', staff.id).execute()
        }
        await recordAudit(trx, {
          at,
          by,
          action: 'staff.added',
          row: { kind: 'staff', id: staff.id },
          details: { name: name ?? email, role },
        })
        return { id: staff.id, password: created?.password ?? null }
      })
    },

    /**
     * Changes name, role and activity. A new role or a deactivation ends all sessions of the member. Throws StaffRefused,
     * also if no administrator who can sign in would be left.
     */
    async update(id: string, { name, role, is_active }: UpdateStaffBody, by: AuditActor): Promise<StaffMember> {
      return inTransaction(db, async (trx) => {
        const at = clock.now()
        const administrators = await lockAdministrators(trx)
        const before = await lockMember(trx, id)
        const staysAdministrator = role === 'administrator' && is_active
        if (administrators.includes(id) && administrators.length === 1 && !staysAdministrator) throw lastAdministrator()
        await trx.updateTable('staff').set({ name, role, is_active }).where('id', '=', id).execute()
        const after = await selectMembers(trx).where('id', '=', id).executeTakeFirstOrThrow()
        const entry = { at, by, row: { kind: 'staff', id } } as const
        const named = { name: after.name || after.email }
        if (before.role !== role) {
          const details = { ...named, before: before.role, after: role }
          await recordAudit(trx, { ...entry, action: 'staff.role-changed', details })
        }
        if (before.is_active !== is_active) {
          const action = is_active ? 'staff.activated' : 'staff.deactivated'
          await recordAudit(trx, { ...entry, action, details: named })
        }
        if (before.name !== name) await recordAudit(trx, { ...entry, action: 'staff.renamed', details: named })
        if (before.role !== role || !is_active) await endSessionsOf(trx, { staffId: id, now: at })
        return toApi(after)
      })
    },

    /**
     * Sets a one-time password, which is returned once, and ends all sessions of the member. A member with a legacy
     * password gets an account. The own password is changed with the current one only: the reset would end the session
     * that shows the new password, and a stolen session could take the account over. Throws StaffRefused.
     */
    async resetPassword(id: string, by: AuditActor): Promise<{ password: string }> {
      if (accounts === null) throw hostedPasswords()
      if (id === by.staffId) throw ownPassword()
      const { password, passwordHash } = await newPassword()
      await inTransaction(db, async (trx) => {
        const at = clock.now()
        const member = await lockMember(trx, id)
        if (member.supabase_id === null) {
          const account = await accounts.create(trx, { email: member.email, passwordHash, now: at })
          if (account === null) throw knownEmail(`${member.email} has an account that belongs to no member of staff.`)
          await trx.updateTable('staff').set({ supabase_id: account.id }).where('id', '=', id).execute()
          await accounts.setOneTimePassword(trx, { userId: account.id, passwordHash })
        } else {
          await accounts.setOneTimePassword(trx, { userId: member.supabase_id, passwordHash })
        }
        await endSessionsOf(trx, { staffId: id, now: at })
        await recordAudit(trx, {
          at,
          by,
          action: 'password.reset',
          row: { kind: 'staff', id },
          details: { name: member.name || member.email },
        })
      })
      return { password }
    },

    /**
     * Removes the second factor of another person and ends all their sessions. The own factor is removed with its code
     * only, so that a stolen session of an administrator cannot remove it. Throws StaffRefused.
     */
    async removeSecondFactor(id: string, by: AuditActor): Promise<void> {
      if (id === by.staffId) throw ownSecondFactor()
      await inTransaction(db, async (trx) => {
        const now = clock.now()
        const member = await lockMember(trx, id)
        const name = member.name || member.email
        if (!(await removeSecondFactor(trx, { staffId: id, by, now, name }))) throw noSecondFactor(name)
        await endSessionsOf(trx, { staffId: id, now })
      })
    },
  }
}

const selectMembers = (db: Db) =>
  db
    .selectFrom('staff')
    .select(['id', 'email', 'name', 'role', 'is_active', 'last_seen_at'])
    .select((select) =>
      select
        .exists(
          select
            .selectFrom('second_factors')
            .select('staff_id')
            .whereRef('second_factors.staff_id', '=', 'staff.id')
            .where('confirmed_at', 'is not', null),
        )
        .$castTo<boolean>()
        .as('has_second_factor'),
    )

/**
 * Locks the active administrators who can sign in, in one order, and returns their ids. Two changes at once see each
 * other's result, so that the last administrator cannot be lost between them.
 */
const lockAdministrators = async (trx: Transaction<Tables>): Promise<string[]> => {
  const rows = await trx
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'administrator')
    .where('is_active', '=', true)
    .where((where) => where.or([where('supabase_id', 'is not', null), where('legacy_password_hash', 'is not', null)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

const lockMember = async (trx: Transaction<Tables>, id: string) => {
  const member = await trx
    .selectFrom('staff')
    .select(['email', 'name', 'role', 'is_active', 'supabase_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (member === undefined) throw new StaffRefused('UNKNOWN_MEMBER', 'This member of staff does not exist.')
  return member
}

const toApi = ({
  last_seen_at,
  ...row
}: Omit<StaffMember, 'last_seen_at'> & { last_seen_at: Date | null }): StaffMember => ({
  ...row,
  last_seen_at: last_seen_at?.toISOString() ?? null,
})

const knownEmail = (message: string) => new StaffRefused('KNOWN_EMAIL', message)
const lastAdministrator = () =>
  new StaffRefused(
    'LAST_ADMINISTRATOR',
    'This is the last active administrator. Make somebody else an administrator first.',
  )
const ownPassword = () =>
  new StaffRefused('OWN_PASSWORD', 'Change your own password in the account menu, with your current password.')
const ownSecondFactor = () =>
  new StaffRefused('OWN_SECOND_FACTOR', 'Turn off your own two-step sign-in in the account menu, with a code.')
const noSecondFactor = (name: string) => new StaffRefused('NO_SECOND_FACTOR', `${name} has no two-step sign-in.`)
const hostedPasswords = () =>
  new StaffRefused('HOSTED_PASSWORDS', 'Your sign-in service keeps the passwords. Reset the password there.')
