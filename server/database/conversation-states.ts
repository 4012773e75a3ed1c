import { type RawBuilder, sql, type Transaction } from 'kysely'
import { limits } from '../../src/domain/limits.ts'
import { isSameList, withLabels } from '../../src/domain/list/label-lists.ts'
import { endBeforeWindow } from '../../src/domain/list/snooze-times.ts'
import { headStart } from '../../src/domain/list/views.ts'
import type { ConversationsQuery } from '../../src/schemas/conversation.ts'
import type {
  ChangeRefusal,
  ConversationState,
  ConversationView,
  StateChange,
  StateDecision,
  ViewCounts,
} from '../../src/schemas/conversation-state.ts'
import { viewCountLimit } from '../../src/schemas/conversation-state.ts'
import { labelLimits } from '../../src/schemas/labels-of-row.ts'
import type { Db } from './database.ts'
import { lockLabels } from './labels.ts'
import { findPrimaryUserId } from './people.ts'
import type { Row, Tables } from './tables.ts'
import { inTransaction } from './transaction.ts'

const hour = 60 * 60 * 1000
/** The time before the end of the reply window in which a waiting conversation is urgent. */
const urgentTime = 4 * hour

/** The state of a row of `conversations` under this alias, as JSON. */
export const stateOf = (alias: 'c' | 'conversations') =>
  sql<ConversationState>`conversation_state(${sql.ref(alias)}) || jsonb_build_object('version', ${sql.ref(alias)}.state_version)`

/** The rows of a view, and their order. `conversations` has the alias `s`. */
export type ViewQuery = {
  condition: RawBuilder<unknown>
  /** Parts that follow one another, each with its own order. */
  parts: { condition: RawBuilder<unknown>; order: RawBuilder<unknown> }[]
}

const all = sql`true`
const isOpen = sql`s.done_at is null and s.snoozed_at is null and s.muted_at is null`
const newestFirst = sql`s.last_message_at desc nulls last, s.primary_user_id desc`

/** A bound of the head starts of all amounts, in milliseconds. It keeps the closed windows of earlier days out of the scan. */
const greatestHeadStart = headStart(Number.MAX_SAFE_INTEGER)

const urgency = sql`urgency(s.last_incoming_at, s.outstanding)`

/**
 * Waiting: first those whose reply window is open, longest wait or most urgent first; then the others, the person's last
 * message newest first.
 */
export function viewQuery(
  view: Exclude<ConversationView, 'all'>,
  { staffId, now }: { staffId: string; now: number },
  order: ConversationsQuery['order'] = 'longest',
): ViewQuery {
  const windowStart = new Date(now - limits.replyWindows.standard)
  switch (view) {
    case 'waiting':
      return {
        condition: sql`${isOpen} and s.waiting_since is not null`,
        parts: [
          order === 'urgent'
            ? {
                condition: sql`s.last_incoming_at > ${windowStart}
                  and ${urgency} > ${new Date(windowStart.getTime() - greatestHeadStart)}`,
                order: sql`${urgency}, s.primary_user_id`,
              }
            : { condition: sql`s.last_incoming_at > ${windowStart}`, order: sql`s.waiting_since, s.primary_user_id` },
          {
            condition: sql`s.last_incoming_at <= ${windowStart}`,
            order: sql`s.last_incoming_at desc, s.primary_user_id desc`,
          },
        ],
      }
    case 'mine':
      return {
        condition: sql`${isOpen} and s.assigned_to = ${staffId}`,
        parts: [{ condition: all, order: newestFirst }],
      }
    case 'unassigned':
      return { condition: sql`${isOpen} and s.assigned_to is null`, parts: [{ condition: all, order: newestFirst }] }
    case 'snoozed':
      return {
        condition: sql`s.snoozed_at is not null`,
        parts: [{ condition: all, order: sql`s.snoozed_until nulls last, s.primary_user_id` }],
      }
    case 'done':
      return {
        condition: sql`s.done_at is not null`,
        parts: [{ condition: all, order: sql`s.done_at desc, s.primary_user_id desc` }],
      }
  }
}

/** The counts of the views as JSON (`ViewCounts`), each up to `viewCountLimit`; of one page if `pageId` is given. */
export function viewCounts({ pageId, now }: { pageId: string | undefined; now: number }): RawBuilder<ViewCounts> {
  const ofPage = pageId === undefined ? all : sql`s.page_ids @> array[${pageId}]`
  const count = (condition: RawBuilder<unknown>) => sql`(
    select count(*) from (select from conversations s where ${condition} and ${ofPage} limit ${viewCountLimit}) counted
  )`
  const countOf = (view: Exclude<ConversationView, 'all'>) => count(conditionOf(view))
  const conditionOf = (view: Exclude<ConversationView, 'all'>) => viewQuery(view, { staffId: '', now }).condition
  const windowStart = now - limits.replyWindows.standard
  return sql`jsonb_build_object(
    'waiting', ${countOf('waiting')},
    'urgent', ${count(sql`${conditionOf('waiting')} and s.last_incoming_at > ${new Date(windowStart)}
      and s.last_incoming_at <= ${new Date(windowStart + urgentTime)}`)},
    'unassigned', ${countOf('unassigned')},
    'snoozed', ${countOf('snoozed')},
    'done', ${countOf('done')},
    'assigned', (
      select coalesce(jsonb_object_agg(staff.id, counted.total), '{}')
      from staff
      cross join lateral (select ${count(sql`${isOpen} and s.assigned_to = staff.id`)} as total) counted
      where counted.total > 0
    )
  )`
}

/** `mayAnswer`: only such staff members can be assigned. */
type Assignees = { mayAnswer: (member: Pick<Row<'staff'>, 'role' | 'permissions'>) => boolean }

type Result = { id: string; state: ConversationState | null; refusal: ChangeRefusal | null }

/**
 * Carries out what a staff member decided about the states of conversations, one after the other, each in a transaction
 * of its own. A refused change does not stop the others.
 */
export async function changeStates(
  db: Db,
  { changes, staffId, now, mayAnswer }: { changes: readonly StateChange[]; staffId: string; now: number } & Assignees,
): Promise<Result[]> {
  const results: Result[] = []
  for (const change of changes) {
    results.push(
      await inTransaction(db, async (trx) => {
        await sql`select set_config('inbox.staff', ${staffId}, true)`.execute(trx)
        return { id: change.id, ...(await changeState(trx, change, { staffId, now: new Date(now), mayAnswer })) }
      }),
    )
  }
  return results
}

async function changeState(
  trx: Transaction<Tables>,
  { id, version, seen_message_at, decision }: StateChange,
  by: { staffId: string; now: Date } & Assignees,
): Promise<Omit<Result, 'id'>> {
  const primaryUserId = await findPrimaryUserId(trx, id)
  if (primaryUserId === null) return { state: null, refusal: 'unknown' }
  if ('unread' in decision) await markUnread(trx, primaryUserId)
  if ('labels' in decision && !(await lockLabels(trx, decision.labels.add)))
    return { state: await readState(trx, primaryUserId), refusal: 'unknown_label' }
  const conversation = await trx
    .selectFrom('conversations')
    .selectAll()
    .select(stateOf('conversations').as('state'))
    .where('primary_user_id', '=', primaryUserId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (conversation === undefined) return { state: null, refusal: 'unknown' }
  const { state: before } = conversation
  if ('unread' in decision || isAsDecided(conversation, decision)) return { state: before, refusal: null }
  if (isUnseen(conversation, decision, seen_message_at)) return { state: before, refusal: 'written' }
  if (!('labels' in decision) && version !== conversation.state_version) return { state: before, refusal: 'changed' }
  const decided = await decide(trx, conversation, decision, by)
  if (typeof decided === 'string') return { state: before, refusal: decided }
  const after = await trx
    .updateTable('conversations')
    .set(decided)
    .where('primary_user_id', '=', primaryUserId)
    .returning(stateOf('conversations').as('state'))
    .executeTakeFirstOrThrow()
  return { state: after.state, refusal: null }
}

/** Whether the state is already as decided: two people pressed at once. */
const isAsDecided = (
  { done_at, assigned_to, muted_at, label_ids }: Row<'conversations'>,
  decision: StateDecision,
): boolean =>
  ('done' in decision && decision.done === (done_at !== null)) ||
  ('assigned_to' in decision && decision.assigned_to === assigned_to) ||
  ('muted' in decision && decision.muted === (muted_at !== null)) ||
  ('labels' in decision && isSameList(label_ids, withLabels(label_ids, decision.labels)))

/** Whether the decision would hide a message that the staff member has not seen. */
const isUnseen = ({ last_incoming_at }: Row<'conversations'>, decision: StateDecision, seen: string | null): boolean =>
  (('done' in decision && decision.done) || ('snooze' in decision && decision.snooze !== null)) &&
  last_incoming_at !== null &&
  (seen === null || last_incoming_at > new Date(seen))

type Decided = Partial<Row<'conversations'>>
const notDone = { done_at: null, done_by: null, settled_up_to: null, settled_incoming_at: null } satisfies Decided
const notSnoozed = { snoozed_at: null, snoozed_until: null } satisfies Decided

async function decide(
  trx: Transaction<Tables>,
  conversation: Row<'conversations'>,
  decision: Exclude<StateDecision, { unread: true }>,
  { staffId, now, mayAnswer }: { staffId: string; now: Date } & Assignees,
): Promise<Decided | ChangeRefusal> {
  const { primary_user_id, answered_at, last_incoming_at } = conversation
  if ('done' in decision) {
    if (!decision.done) return { ...notDone, waiting_since: await firstUnanswered(trx, primary_user_id, answered_at) }
    const last = await trx
      .selectFrom('messages')
      .select((messages) => messages.fn.max('id').as('id'))
      .where('primary_user_id', '=', primary_user_id)
      .executeTakeFirstOrThrow()
    return {
      ...notSnoozed,
      done_at: now,
      done_by: staffId,
      settled_up_to: last.id,
      settled_incoming_at: last_incoming_at,
      waiting_since: null,
      returned_at: null,
    }
  }
  if ('snooze' in decision) {
    if (decision.snooze === null) return notSnoozed
    const end = endOfSnooze(decision.snooze.until, last_incoming_at)
    if (end !== null && end <= now) return 'past'
    const reopened =
      conversation.done_at === null
        ? {}
        : { ...notDone, waiting_since: await firstUnanswered(trx, primary_user_id, answered_at) }
    return { ...reopened, snoozed_at: now, snoozed_until: end, returned_at: null }
  }
  if ('assigned_to' in decision) {
    if (decision.assigned_to === null) return { assigned_to: null }
    const member = await findActive(trx, decision.assigned_to)
    return member !== undefined && mayAnswer(member) ? { assigned_to: decision.assigned_to } : 'unknown_member'
  }
  if ('labels' in decision) {
    const labelIds = withLabels(conversation.label_ids, decision.labels)
    // A merged conversation may have more: then labels can only be taken off.
    const most = Math.max(labelLimits.ofRow, conversation.label_ids.length)
    return labelIds.length > most ? 'too_many_labels' : { label_ids: labelIds }
  }
  return { muted_at: decision.muted ? now : null }
}

async function readState(trx: Transaction<Tables>, primaryUserId: string): Promise<ConversationState | null> {
  const row = await trx
    .selectFrom('conversations')
    .select(stateOf('conversations').as('state'))
    .where('primary_user_id', '=', primaryUserId)
    .executeTakeFirst()
  return row?.state ?? null
}

/** Null: only a message ends the snooze. */
function endOfSnooze(until: string, lastIncomingAt: Date | null): Date | null {
  if (until === 'message') return null
  if (until === 'window') return new Date(endBeforeWindow(lastIncomingAt?.getTime() ?? 0))
  return new Date(until)
}

async function firstUnanswered(trx: Transaction<Tables>, id: string, answeredAt: Date | null): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select first_unanswered(${id}, ${answeredAt}, null, null) as at`.execute(trx)
  return rows[0]?.at ?? null
}

const findActive = (trx: Transaction<Tables>, staffId: string) =>
  trx
    .selectFrom('staff')
    .select(['role', 'permissions'])
    .where('id', '=', staffId)
    .where('is_active', '=', true)
    .executeTakeFirst()

/** Marks the person's last message as unread. Locks messages before the conversation, as all writers do. */
const markUnread = (trx: Transaction<Tables>, primaryUserId: string) =>
  trx
    .updateTable('messages')
    .set({ is_read: false })
    .where('message_id', '=', (query) =>
      query
        .selectFrom('messages')
        .select('message_id')
        .where('primary_user_id', '=', primaryUserId)
        .where('direction', '=', 'incoming')
        .orderBy('timestamp_fb', 'desc')
        .orderBy('message_id', 'desc')
        .limit(1),
    )
    .where('is_read', '=', true)
    .execute()

/** Ends the snoozes whose time has come. Returns the number of conversations that came back. */
export async function endSnoozes(db: Db, now: number): Promise<number> {
  const ended = await inTransaction(db, (trx) =>
    trx
      .updateTable('conversations')
      .set({ ...notSnoozed, returned_at: new Date(now) })
      .where('snoozed_at', 'is not', null)
      .where('snoozed_until', '<=', new Date(now))
      .executeTakeFirstOrThrow(),
  )
  return Number(ended.numUpdatedRows)
}
