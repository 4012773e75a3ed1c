import { sql, type Transaction } from 'kysely'
import { limits } from '../src/domain/limits.ts'
import type { AssignmentRule } from '../src/schemas/assignment-rules.ts'
import { mayAnswer } from './auth/roles.ts'
import type { Clock } from './clock.ts'
import { findBusinessSettings } from './database/business-settings.ts'
import type { Db } from './database/database.ts'
import { findPresentStaff } from './database/presence.ts'
import type { Row, Tables } from './database/tables.ts'
import { codeOf, inTransaction, isOutage } from './database/transaction.ts'
import type { Logger } from './logger.ts'
import { createWorkLoop } from './work-loop.ts'

const pollInterval = 2_000

/** The active staff members who may answer, by name. */
export async function findAssignable(db: Db): Promise<{ id: string; name: string }[]> {
  const staff = await db
    .selectFrom('staff')
    .select(['id', 'name', 'email', 'role', 'permissions'])
    .where('is_active', '=', true)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return staff.filter(mayAnswer).map(({ id, name, email }) => ({ id, name: name || email }))
}

/**
 * The worker that assigns conversations (feature 'assignment-rules'). When a conversation without an assignee begins to
 * wait, the first rule that fits decides. If the settings ask for it, the first staff member who answers becomes the
 * assignee.
 * Triggers insert the rows of `due_assignments`. Each row is decided once, in the transaction that deletes the row. A failed
 * row is retried after 30 s, doubling to an hour, and does not hold back the others.
 */
export function createAssignments({ db, clock, logger }: { db: Db; clock: Clock; logger: Pick<Logger, 'error'> }) {
  /** Decides about the oldest due row. False if there is none. A row that fails is retried later. */
  async function assignNext(): Promise<boolean> {
    const now = clock.now()
    const due = await findDue(db, now)
    if (due === undefined) return false
    try {
      await inTransaction(db, (trx) => decide(trx, due, now))
    } catch (error) {
      if (isOutage(error)) throw error
      const attempts = due.attempts + 1
      await db
        .updateTable('due_assignments')
        .set({ attempts, retry_at: new Date(now + retryDelay(attempts)) })
        .where('id', '=', due.id)
        .execute()
      logger.error({ code: codeOf(error), attempts }, 'an assignment failed and will be retried')
    }
    return true
  }

  async function work(isRunning: () => boolean): Promise<void> {
    while (isRunning() && (await assignNext())) {}
  }
  return createWorkLoop({
    work,
    sweep: async () => {},
    pollInterval,
    failureMessage: 'assigning conversations failed',
    clock,
    logger,
  })
}

const retryDelay = (attempts: number): number => Math.min(30_000 * 2 ** (attempts - 1), 60 * 60_000)

const findDue = (db: Db, now: number) =>
  db
    .selectFrom('due_assignments')
    .selectAll()
    .where((where) => where.or([where('retry_at', 'is', null), where('retry_at', '<=', new Date(now))]))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/**
 * All processes read the same due row, and the lock of its conversation lets one process decide. So the next decision
 * counts the turn and the load of this one.
 */
async function decide(trx: Transaction<Tables>, due: Row<'due_assignments'>, now: number): Promise<void> {
  const conversation = await trx
    .selectFrom('conversations')
    .selectAll()
    .where('primary_user_id', '=', due.primary_user_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const taken = await trx.deleteFrom('due_assignments').where('id', '=', due.id).returning('id').executeTakeFirst()
  if (taken === undefined || conversation === undefined || conversation.assigned_to !== null) return
  const chosen =
    due.staff_id === null ? await chooseByRules(trx, conversation, now) : await chooseAnswerer(trx, due.staff_id)
  if (chosen === null) return
  await sql`select set_config('inbox.by_rule', 'on', true)`.execute(trx)
  await trx
    .updateTable('conversations')
    .set({ assigned_to: chosen })
    .where('primary_user_id', '=', due.primary_user_id)
    .execute()
}

async function chooseAnswerer(trx: Transaction<Tables>, staffId: string): Promise<string | null> {
  const { settings } = await findBusinessSettings(trx, 'assignment-rules')
  const isAssignable = (await findAssignable(trx)).some(({ id }) => id === staffId)
  return settings.assigns_first_answer && isAssignable ? staffId : null
}

async function chooseByRules(
  trx: Transaction<Tables>,
  conversation: Row<'conversations'>,
  now: number,
): Promise<string | null> {
  const { waiting_since, done_at, snoozed_at, muted_at, last_incoming_at } = conversation
  if (waiting_since === null || done_at !== null || snoozed_at !== null || muted_at !== null) return null
  // Messages of synced history begin no assignment.
  if (last_incoming_at === null || now - last_incoming_at.getTime() >= limits.replyWindows.standard) return null
  const { settings } = await findBusinessSettings(trx, 'assignment-rules')
  const rule = settings.rules.find((one) => fits(one, conversation))
  if (rule === undefined || rule.action === 'nobody') return null
  const assignable = (await findAssignable(trx)).map(({ id }) => id)
  if (rule.action === 'member') return assignable.find((id) => id === rule.member_id) ?? null
  const present = await findPresentStaff(trx)
  return chooseInTurn(
    trx,
    assignable.filter((id) => present.includes(id)),
    rule.action === 'least_loaded',
  )
}

const fits = ({ page_id, label_id }: AssignmentRule, conversation: Row<'conversations'>): boolean =>
  (page_id === null || page_id === conversation.last_message_page_id) &&
  (label_id === null || conversation.label_ids.includes(label_id))

/**
 * The id of the staff member who was chosen longest ago, with `byLoad` among those with the fewest waiting conversations.
 * Null if `staffIds` is empty.
 */
async function chooseInTurn(
  trx: Transaction<Tables>,
  staffIds: readonly string[],
  byLoad: boolean,
): Promise<string | null> {
  if (staffIds.length === 0) return null
  const { rows } = await sql<{ staff_id: string }>`
    select candidate.id as staff_id from unnest(${staffIds}::text[]) as candidate (id)
    left join assignment_turns turn on turn.staff_id = candidate.id
    cross join lateral (
      select count(*) as waiting from conversations
      where ${byLoad} and assigned_to = candidate.id and waiting_since is not null
        and done_at is null and snoozed_at is null and muted_at is null
    ) load
    order by load.waiting, turn.at nulls first, candidate.id
    limit 1`.execute(trx)
  const chosen = rows[0]?.staff_id ?? null
  await sql`insert into assignment_turns (staff_id, at) values (${chosen}, clock_timestamp())
    on conflict (staff_id) do update set at = excluded.at`.execute(trx)
  return chosen
}
