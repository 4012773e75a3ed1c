import { sql } from 'kysely'
import type { SignInRefusal } from '../../src/schemas/audit.ts'
import { networkOf } from '../client-address.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { hasEmail } from '../database/email.ts'
import { inTransaction } from '../database/transaction.ts'
import { type AuditActor, type AuditSource, recordAudit, staffActor } from './audit.ts'

export type SignInRefusals = {
  /** Records a refused sign-in. `email` names the staff member, if there is one; an unknown email is not stored. */
  record(refusal: { source: AuditSource; email: string | null; reason: SignInRefusal }): Promise<void>
}

/** Entries per minute, for each address and for all addresses. The next refusal leaves one summary entry. */
export const refusalLimits = { perAddress: 10, inAll: 60 } as const

const minute = 60_000
/** Any number that no other advisory lock uses. */
const lock = 7_301_601

/**
 * Records refused sign-ins of all processes, but only so many in a minute that an attack cannot fill the table. After
 * that each address, and all together, leave one entry `sign-in.refusals-omitted`, the latter without an address. An IPv6
 * /64 network is one address. Refusals without an address count toward the limit of all addresses only.
 */
export function createSignInRefusals({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }): SignInRefusals {
  /** The addresses of the current minute that leave no more entries, so that an attack costs no queries. */
  let omitted = { minute: 0, groups: new Set<string>(), all: false }
  /** One at a time, so that an attack holds one connection. */
  let queue: Promise<unknown> = Promise.resolve()

  const actorOf = async (email: string | null, source: AuditSource): Promise<AuditActor> => {
    const staff =
      email === null
        ? undefined
        : await db.selectFrom('staff').select(['id', 'email', 'name']).where(hasEmail(email)).executeTakeFirst()
    return staff === undefined ? { ...source, staffId: null, name: null } : staffActor(staff, source)
  }

  async function recordNow({ source, email, reason }: Parameters<SignInRefusals['record']>[0]): Promise<void> {
    const at = clock.now()
    const current = Math.floor(at / minute)
    if (omitted.minute !== current) omitted = { minute: current, groups: new Set(), all: false }
    const group = networkOf(source.address ?? '')
    if (omitted.all || omitted.groups.has(group)) return
    const by = await actorOf(email, source)
    await inTransaction(db, async (trx) => {
      await sql`select pg_advisory_xact_lock(${lock})`.execute(trx)
      const known = await trx
        .selectFrom('audit_entries')
        .select(['action', 'address'])
        .where('created_at', '>=', new Date(current * minute))
        .where('created_at', '<', new Date((current + 1) * minute))
        .where('action', 'in', ['sign-in.refused', 'sign-in.refusals-omitted'])
        .execute()
      const summaries = known.filter(({ action }) => action === 'sign-in.refusals-omitted')
      const here = known.filter(
        ({ action, address }) => action === 'sign-in.refused' && networkOf(address ?? '') === group,
      )
      if (known.length >= refusalLimits.inAll) {
        const isNew = !summaries.some(({ address }) => address === null)
        const nobody = { staffId: null, name: null, address: null, userAgent: null }
        if (isNew) await recordAudit(trx, { at, by: nobody, action: 'sign-in.refusals-omitted' })
        omitted.all = true
      } else if (source.address !== null && here.length >= refusalLimits.perAddress) {
        const isNew = !summaries.some(({ address }) => networkOf(address ?? '') === group)
        const unnamed = { ...source, staffId: null, name: null }
        if (isNew) await recordAudit(trx, { at, by: unnamed, action: 'sign-in.refusals-omitted' })
        omitted.groups.add(group)
      } else {
        await recordAudit(trx, { at, by, action: 'sign-in.refused', details: { reason } })
      }
    })
  }

  return {
    record: (refusal) => {
      const recorded = queue.then(() => recordNow(refusal))
      queue = recorded.catch(() => undefined)
      return recorded
    },
  }
}
