import { createHash, randomInt } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { type AuditActor, recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { seal, unseal } from '../sealing.ts'
import type { DerivedKeys } from '../secrets.ts'
import { createAttempts } from './attempts.ts'
import { endSessionsOf } from './end-sessions.ts'

/** The purpose of the keys that encrypt the secrets of factors. */
export const secondFactorPurpose = 'second factors'

/** Who must have a second factor. Undefined: nobody. */
export type RequiredFor = 'admins' | 'all' | undefined

/** What a sign-in still needs: a code of the person's factor, or that the person sets one up. */
export type FactorNeed = 'nothing' | 'code' | 'enrolment'

/** Seconds. */
const period = 30
/** Steps before and after the current one, because clocks differ. */
const toleratedSteps = 1
const recoveryCodeCount = 10
/** Without characters that are easily confused. 16 of these 31 are 79 bits, so the hash of a code cannot be searched. */
const recoveryAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const recoveryLength = 16

const wrongCodes = { max: 10, window: 15 * 60_000 }

type FactorSession = { staffId: string; role: string; providerSessionId: string | null }

const isRequiredOf = (role: string, required: RequiredFor): boolean =>
  required === 'all' || (required === 'admins' && role === 'administrator')

/** What a provider session needs before it may become a product session or hear messages. */
export const factorNeed = async (
  db: Db,
  { staffId, role, providerSessionId, required }: FactorSession & { required: RequiredFor },
): Promise<FactorNeed> => {
  const factor = await db
    .selectFrom('second_factors')
    .leftJoin('second_factor_sessions', (join) =>
      join
        .onRef('second_factor_sessions.staff_id', '=', 'second_factors.staff_id')
        .on('second_factor_sessions.provider_session_id', '=', providerSessionId ?? ''),
    )
    .select('second_factor_sessions.provider_session_id as passed')
    .where('second_factors.staff_id', '=', staffId)
    .where('second_factors.confirmed_at', 'is not', null)
    .executeTakeFirst()
  if (factor !== undefined) return factor.passed === null ? 'code' : 'nothing'
  return isRequiredOf(role, required) ? 'enrolment' : 'nothing'
}

/** Removes the factor, its recovery codes and what its codes allowed. Returns whether there was one. */
export const removeSecondFactor = async (
  transaction: Transaction<Tables>,
  { staffId, by, now, name }: { staffId: string; by: AuditActor; now: number; name?: string },
): Promise<boolean> => {
  const removed = await transaction
    .deleteFrom('second_factors')
    .where('staff_id', '=', staffId)
    .returning('confirmed_at')
    .executeTakeFirst()
  if (removed?.confirmed_at == null) return false
  const row = { kind: 'staff', id: staffId } as const
  await recordAudit(transaction, { at: now, by, action: 'second-factor.disabled', row, details: { name } })
  return true
}

export type SecondFactors = ReturnType<typeof createSecondFactors>

type Confirmation = { outcome: 'right'; recoveryCodes: string[] } | { outcome: 'wrong' | 'tooMany' | 'notBegun' }

const hashOf = (recoveryCode: string) => createHash('sha256').update(recoveryCode).digest('base64url')

const newRecoveryCode = () =>
  Array.from({ length: recoveryLength }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('')

/** People may type a recovery code with spaces, dashes and capitals. */
const normalized = (typed: string) => typed.toLowerCase().replaceAll(/[\s-]/g, '')

/** Gives the person new recovery codes; the old ones end. Only hashes are stored. */
const replaceRecoveryCodes = async (transaction: Transaction<Tables>, staffId: string): Promise<string[]> => {
  const recoveryCodes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
  await transaction.deleteFrom('recovery_codes').where('staff_id', '=', staffId).execute()
  await transaction
    .insertInto('recovery_codes')
    .values(recoveryCodes.map((recoveryCode) => ({ staff_id: staffId, code_hash: hashOf(recoveryCode) })))
    .execute()
  return recoveryCodes
}

/** The TOTP factors of staff (RFC 6238: SHA-1, 6 digits, 30 s) with recovery codes. */
export const createSecondFactors = ({
  db,
  keys,
  required,
  clock,
}: {
  db: Db
  keys: DerivedKeys
  required: RequiredFor
  clock: Clock
}) => {
  const attempts = createAttempts({ db, clock })

  const totpOf = (secret: Secret, email = '') =>
    new TOTP({ issuer: 'Staff Inbox', label: email, algorithm: 'SHA1', digits: 6, period, secret })

  /** The time step of a valid code; null for a wrong one. */
  const stepOf = (staffId: string, stored: string, code: string): number | null => {
    const secret = unseal(keys, stored, { context: staffId })
    if (secret === null) throw new Error('A stored second factor cannot be read with this secret key')
    const totp = totpOf(Secret.fromBase32(secret))
    const now = clock.now()
    const delta = totp.validate({ token: code, timestamp: now, window: toleratedSteps })
    return delta === null ? null : Math.floor(now / 1000 / period) + delta
  }

  /** Accepts a TOTP code or a recovery code once. */
  const useCode = async (staffId: string, typed: string): Promise<boolean> => {
    const code = normalized(typed)
    if (!/^\d{6}$/.test(code)) {
      const used = await db
        .updateTable('recovery_codes')
        .set({ used_at: new Date(clock.now()) })
        .where('staff_id', '=', staffId)
        .where('code_hash', '=', hashOf(code))
        .where('used_at', 'is', null)
        .returning('staff_id')
        .executeTakeFirst()
      return used !== undefined
    }
    const factor = await db
      .selectFrom('second_factors')
      .select('secret_encrypted')
      .where('staff_id', '=', staffId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    const step = factor === undefined ? null : stepOf(staffId, factor.secret_encrypted, code)
    if (step === null) return false
    // One statement, so that of two requests with the same code only one is accepted.
    const accepted = await db
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('staff_id', '=', staffId)
      .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
      .returning('staff_id')
      .executeTakeFirst()
    return accepted !== undefined
  }

  const limited = async (staffId: string, check: () => Promise<boolean>): Promise<'right' | 'wrong' | 'tooMany'> => {
    const attempt = await attempts.take([{ key: `second factor ${staffId}`, ...wrongCodes }])
    if (attempt === null) return 'tooMany'
    if (!(await check())) return 'wrong'
    await attempt.giveBack()
    return 'right'
  }

  const rememberPass = async (executor: Db, staffId: string, providerSessionId: string): Promise<void> => {
    const pass = { staff_id: staffId, passed_at: new Date(clock.now()) }
    await executor
      .insertInto('second_factor_sessions')
      .values({ provider_session_id: providerSessionId, ...pass })
      .onConflict((conflict) => conflict.column('provider_session_id').doUpdateSet(pass))
      .execute()
  }

  return {
    needOf: (executor: Db, session: FactorSession): Promise<FactorNeed> =>
      factorNeed(executor, { ...session, required }),

    /** Whether the person has a factor, whether a setting demands one, and how many recovery codes are unused. */
    statusOf: async ({ staffId, role }: { staffId: string; role: string }) => {
      const factor = await db
        .selectFrom('second_factors')
        .select((select) => [
          'confirmed_at',
          select
            .selectFrom('recovery_codes')
            .select(select.fn.countAll<number>().as('count'))
            .where('recovery_codes.staff_id', '=', staffId)
            .where('used_at', 'is', null)
            .as('left'),
        ])
        .where('staff_id', '=', staffId)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst()
      return {
        isOn: factor !== undefined,
        recoveryCodesLeft: Number(factor?.left ?? 0),
        isRequired: isRequiredOf(role, required),
      }
    },

    /** Starts or restarts an enrolment. Null if the person has a confirmed factor. The secret is returned only here. */
    begin: async ({ staffId, email }: { staffId: string; email: string }) => {
      const secret = new Secret({ size: 20 })
      const stored = { secret_encrypted: seal(keys, secret.base32, { context: staffId }), last_step: null }
      const row = await db
        .insertInto('second_factors')
        .values({ staff_id: staffId, created_at: new Date(clock.now()), ...stored })
        .onConflict((conflict) =>
          conflict.column('staff_id').doUpdateSet(stored).where('second_factors.confirmed_at', 'is', null),
        )
        .returning('staff_id')
        .executeTakeFirst()
      return row === undefined ? null : { secret: secret.base32, uri: totpOf(secret, email).toString() }
    },

    /**
     * Confirms the enrolment with a code, and ends the person's other sessions, which began without the factor. Returns
     * the recovery codes, which are stored hashed only.
     */
    confirm: async ({
      staffId,
      code,
      keep,
      by,
    }: {
      staffId: string
      code: string
      keep: { providerSessionId: string | null; productSessionId?: string }
      by: AuditActor
    }): Promise<Confirmation> => {
      const factor = await db
        .selectFrom('second_factors')
        .select('secret_encrypted')
        .where('staff_id', '=', staffId)
        .where('confirmed_at', 'is', null)
        .executeTakeFirst()
      if (factor === undefined) return { outcome: 'notBegun' }
      let step: number | null = null
      const outcome = await limited(staffId, async () => {
        step = stepOf(staffId, factor.secret_encrypted, normalized(code))
        return step !== null
      })
      if (outcome === 'wrong' || outcome === 'tooMany') return { outcome }
      const now = clock.now()
      const recoveryCodes = await inTransaction(db, async (transaction) => {
        // Sign-ins that are under way hold this lock too, so that none of them misses the factor.
        await transaction.selectFrom('staff').select('id').where('id', '=', staffId).forUpdate().execute()
        const confirmed = await transaction
          .updateTable('second_factors')
          .set({ confirmed_at: new Date(now), last_step: step })
          .where('staff_id', '=', staffId)
          .where('secret_encrypted', '=', factor.secret_encrypted)
          .where('confirmed_at', 'is', null)
          .returning('staff_id')
          .executeTakeFirst()
        if (confirmed === undefined) return null
        const issued = await replaceRecoveryCodes(transaction, staffId)
        if (keep.providerSessionId !== null) await rememberPass(transaction, staffId, keep.providerSessionId)
        await endSessionsOf(transaction, { staffId, keep, now })
        const row = { kind: 'staff', id: staffId } as const
        await recordAudit(transaction, { at: now, by, action: 'second-factor.enabled', row })
        return issued
      })
      return recoveryCodes === null ? { outcome: 'notBegun' } : { outcome: 'right', recoveryCodes }
    },

    /** New recovery codes instead of the old ones. Null if the person has no confirmed factor. */
    reissue: ({ staffId, by }: { staffId: string; by: AuditActor }): Promise<string[] | null> =>
      inTransaction(db, async (transaction) => {
        // Two requests at once leave the codes of the later one, and none of the other.
        const factor = await transaction
          .selectFrom('second_factors')
          .select('staff_id')
          .where('staff_id', '=', staffId)
          .where('confirmed_at', 'is not', null)
          .forUpdate()
          .executeTakeFirst()
        if (factor === undefined) return null
        const row = { kind: 'staff', id: staffId } as const
        await recordAudit(transaction, { at: clock.now(), by, action: 'second-factor.codes-issued', row })
        return replaceRecoveryCodes(transaction, staffId)
      }),

    /** Checks a code at sign-in. The provider session may then become a product session. */
    pass: (staffId: string, code: string, providerSessionId: string) =>
      limited(staffId, async () => {
        if (!(await useCode(staffId, code))) return false
        await rememberPass(db, staffId, providerSessionId)
        return true
      }),

    /** Checks a code and uses it up. */
    check: (staffId: string, code: string) => limited(staffId, () => useCode(staffId, code)),
  }
}
