import { sql, type Transaction } from 'kysely'
import { isSameList, withLabels } from '../../src/domain/list/label-lists.ts'
import { type Label, type LabelColour, type LabelUsage, labelNameKey } from '../../src/schemas/label.ts'
import { type ClientLabels, type LabelChange, labelLimits } from '../../src/schemas/labels-of-row.ts'
import { cleanText } from '../clean-text.ts'
import { batchSize } from './batches.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'
import { codeOf, inTransaction } from './transaction.ts'

/** All labels, sorted by name. */
export const listLabels = (db: Db): Promise<Label[]> =>
  db
    .selectFrom('labels')
    .select((labels) => ['id', 'name', labels.ref('colour').$castTo<LabelColour>().as('colour'), 'keywords'])
    .where('deleted_at', 'is', null)
    .orderBy('name_key')
    .execute()

export type LabelValues = Pick<Label, 'name' | 'colour' | 'keywords'>

/** 'taken': another label has the name. */
type LabelRefusal = 'taken' | 'full' | 'unknown'

const uniqueViolation = '23505'

const stored = ({ name, colour, keywords }: LabelValues) => {
  const clean = cleanText(name)
  return { name: clean, name_key: labelNameKey(clean), colour, keywords: keywords.map(cleanText) }
}

/** `inTransaction` retries no unique violation. */
async function unlessTaken<T>(write: Promise<T>): Promise<T | 'taken'> {
  try {
    return await write
  } catch (error) {
    if (codeOf(error) === uniqueViolation) return 'taken'
    throw error
  }
}

type Written = (trx: Transaction<Tables>, id: string) => Promise<unknown>

/** `onWritten` runs in the transaction of the change. */
export const createLabel = (
  db: Db,
  values: LabelValues,
  onWritten: Written,
): Promise<{ id: string } | Exclude<LabelRefusal, 'unknown'>> =>
  unlessTaken(
    inTransaction(db, async (trx) => {
      // Two labels at the same time count one after the other.
      await sql`lock table labels in share row exclusive mode`.execute(trx)
      const { count } = await trx
        .selectFrom('labels')
        .select((labels) => labels.fn.countAll<number>().as('count'))
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (Number(count) >= labelLimits.labels) return 'full'
      const created = await trx.insertInto('labels').values(stored(values)).returning('id').executeTakeFirstOrThrow()
      await onWritten(trx, created.id)
      return created
    }),
  )

export const updateLabel = (
  db: Db,
  id: string,
  values: LabelValues,
  onWritten: Written,
): Promise<{ id: string } | Exclude<LabelRefusal, 'full'>> =>
  unlessTaken(
    inTransaction(db, async (trx) => {
      const changed = await trx
        .updateTable('labels')
        .set(stored(values))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (changed === undefined) return 'unknown'
      await onWritten(trx, id)
      return changed
    }),
  )

/** Idempotent. `removeDeletedLabels` takes the label off conversations and clients. */
export const deleteLabel = (
  db: Db,
  id: string,
  at: Date,
  onDeleted: (trx: Transaction<Tables>, name: string) => Promise<unknown>,
): Promise<void> =>
  inTransaction(db, async (trx) => {
    // Waits for changes that put the label on (`lockLabels`).
    const deleted = await trx
      .updateTable('labels')
      .set({ deleted_at: at })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (deleted !== undefined) await onDeleted(trx, deleted.name)
  })

/** How many conversations and clients have the label. */
export async function countLabelUse(db: Db, id: string): Promise<LabelUsage> {
  const { rows } = await sql<LabelUsage>`
    select
      (select count(*) from conversations where label_ids @> array[${id}] and label_ids <> '{}')::integer as conversations,
      (select count(*) from client_labels where label_ids @> array[${id}])::integer as clients`.execute(db)
  return rows[0] ?? { conversations: 0, clients: 0 }
}

/**
 * Locks labels that are about to be put on, so that none is deleted meanwhile. False if one does not exist. Lock labels
 * before a conversation.
 */
export async function lockLabels(trx: Transaction<Tables>, ids: readonly string[]): Promise<boolean> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return true
  const known = await trx
    .selectFrom('labels')
    .select('id')
    .where('id', 'in', wanted)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return known.length === wanted.length
}

/** `changed`: the labels are others than before. */
export async function changeClientLabels(
  trx: Transaction<Tables>,
  clientId: string,
  change: LabelChange,
): Promise<{ labels: ClientLabels; changed: boolean } | 'unknown' | 'unknown_label' | 'too_many_labels'> {
  if (!(await lockLabels(trx, change.add))) return 'unknown_label'
  // Two changes of one client follow one another, also if it has no row yet.
  const client = await trx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', clientId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (client === undefined) return 'unknown'
  const before = await trx
    .selectFrom('client_labels')
    .select(['version', 'label_ids'])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  const labelIds = withLabels(before?.label_ids ?? [], change)
  if (labelIds.length > labelLimits.ofRow) return 'too_many_labels'
  if (isSameList(before?.label_ids ?? [], labelIds))
    return { labels: before ?? { version: 0, label_ids: [] }, changed: false }
  const labels = await trx
    .insertInto('client_labels')
    .values({ client_id: clientId, label_ids: labelIds })
    .onConflict((conflict) =>
      conflict.column('client_id').doUpdateSet({ label_ids: labelIds, version: sql`client_labels.version + 1` }),
    )
    .returning(['version', 'label_ids'])
    .executeTakeFirstOrThrow()
  return { labels: { ...labels, version: Number(labels.version) }, changed: true }
}

/** Takes deleted labels off conversations and clients, in batches, and deletes them. */
export async function removeDeletedLabels(db: Db, isRunning: () => boolean = () => true): Promise<void> {
  const deleted = await db.selectFrom('labels').select('id').where('deleted_at', 'is not', null).execute()
  for (const { id } of deleted) {
    const label = sql`array[${id}]::text[]`
    while (isRunning()) {
      const { numAffectedRows = 0n } = await inTransaction(db, (trx) =>
        sql`update conversations set label_ids = array_remove(label_ids, ${id}) where primary_user_id in (
          select primary_user_id from conversations where label_ids @> ${label} and label_ids <> '{}'
          order by primary_user_id limit ${batchSize} for no key update
        )`.execute(trx),
      )
      if (numAffectedRows < batchSize) break
    }
    if (!isRunning()) return
    await sql`update client_labels set label_ids = array_remove(label_ids, ${id}), version = version + 1
      where label_ids @> ${label}`.execute(db)
    await db.deleteFrom('labels').where('id', '=', id).execute()
  }
}
