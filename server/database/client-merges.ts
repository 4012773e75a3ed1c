import { sql, type Transaction } from 'kysely'
import type { MergeClientsBody } from '../../src/schemas/client-removal.ts'
import { readPhone } from '../phones.ts'
import {
  checked,
  linkAgain,
  lockClients,
  lockConversationOf,
  type RemovalContext,
  RemovalRefused,
  restoreDeleted,
  setClientOf,
  storeRemoval,
  unknownClient,
} from './client-removals.ts'
import type { Db } from './database.ts'
import { identitiesOf, lockConversations, lockIdentities, type MovedIdentity, mergeConversationsIn } from './groups.ts'
import { lockImports } from './import-lock.ts'
import type { DecidedState, MergeableRows, MergedFields, Removal } from './removal.ts'
import type { Row, Tables } from './tables.ts'
import { inTransaction } from './transaction.ts'

type Trx = Transaction<Tables>
type Merge = NonNullable<Removal['merge']>
type Joined = Pick<NonNullable<Merge['joined']>, 'state' | 'into_state' | 'joined_state'>

const fieldsOf = (row: Row<'clients'>): MergedFields => ({
  first_name: row.first_name,
  last_name: row.last_name,
  company_name: row.company_name,
  email: row.email,
  phone: row.phone,
  classification: row.classification,
  language: row.language,
  is_active: row.is_active,
})

/** The kept fields with those that are taken from the other client. */
const withTaken = (kept: MergedFields, other: MergedFields, take: readonly (keyof MergedFields)[]): MergedFields => ({
  ...kept,
  ...Object.fromEntries(take.map((field) => [field, other[field]])),
})

/**
 * Merges the client `other` into the client `id`: orders with payments, labels, the conversation, the external ids and the
 * chosen fields end at the kept client, and the other one is hidden. If both have conversations, these are joined. Can be
 * undone until `purgeRemovals`. Returns the identities of the changed conversation. Throws RemovalRefused.
 */
export async function mergeClients(
  db: Db,
  { id, other, version, other_version, take }: MergeClientsBody & { id: string },
  { now, by, country }: RemovalContext,
  onMerged: (trx: Db) => Promise<void>,
): Promise<MovedIdentity[]> {
  if (id === other) throw new RemovalRefused('conflict', 'Choose another client to merge.')
  return inTransaction(db, async (trx) => {
    await lockImports(trx)
    const conversation = await lockConversationOf(trx, id)
    const others = await lockConversationOf(trx, other)
    const clients = await lockClients(trx, [id, other])
    const kept = checked(clients.get(id), version)
    const removed = checked(clients.get(other), other_version)

    const before = fieldsOf(kept)
    const after = withTaken(before, fieldsOf(removed), take)
    const joined = await joinConversations(trx, { conversation, others, clientId: id })
    const orders = await moveOrders(trx, other, id)
    const labels = await addLabels(trx, id, other)
    const { external_id } = removed
    const aliases = await moveExternalIds(trx, removed, kept)
    await writeFields(trx, kept, after, country)
    await trx.updateTable('clients').set({ removed_at: now, external_id: null }).where('id', '=', other).execute()
    const merge = { before, after, external_id, aliases, orders, labels, joined }
    const row = { client_id: other, kept_id: id, removed_at: now, removed_by: by }
    await storeRemoval(trx, row, { conversation: others, merge })
    await onMerged(trx)
    const changed = conversation ?? others
    return changed === null ? [] : identitiesOf(trx, [changed])
  })
}

/**
 * Undoes a deletion or a merge. What was changed after a merge stays: a field that was edited since keeps its value, orders
 * made since stay with the kept client, and links that staff changed since stay. Returns the identities of the changed
 * conversations. Throws RemovalRefused.
 */
export async function undoRemoval(
  db: Db,
  id: string,
  { country }: Pick<RemovalContext, 'country'>,
  onRestored: (trx: Db, keptId: string | null) => Promise<void>,
): Promise<MovedIdentity[]> {
  return inTransaction(db, async (trx) => {
    await lockImports(trx)
    const removal = await trx
      .selectFrom('client_removals')
      .selectAll()
      .where('client_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (removal === undefined) throw unknownClient()
    const { kept_id, record, removed_at } = removal
    const moved =
      kept_id === null || record.merge === null
        ? await restoreDeleted(trx, id, record)
        : await separate(trx, { id, keptId: kept_id, record, merge: record.merge, since: removed_at }, country)
    await onRestored(trx, kept_id)
    return moved
  })
}

type Separation = { id: string; keptId: string; record: Removal; merge: Merge; since: Date }

async function separate(trx: Trx, { id, keptId, record, merge, since }: Separation, country: string) {
  const conversation = await lockConversationOf(trx, keptId)
  const kept = (await lockClients(trx, [id, keptId])).get(keptId)
  if (kept === undefined) throw unknownClient()
  if (kept.removed_at !== null)
    throw new RemovalRefused(
      'conflict',
      'The client that this one was merged into was deleted or merged since. Restore that client first.',
    )
  const restored = await separateConversations(trx, { keptId, conversation, record, merge, since })
  await trx.updateTable('clients').set({ removed_at: null }).where('id', '=', id).execute()
  await restoreExternalIds(trx, id, keptId, merge)
  await writeFields(trx, kept, restoredFields(fieldsOf(kept), merge), country)
  if (merge.orders.length > 0)
    await trx
      .updateTable('orders')
      .set({ client_id: id })
      .where('client_id', '=', keptId)
      .where('id', 'in', merge.orders)
      .execute()
  if (merge.labels.length > 0)
    await sql`update client_labels set version = version + 1,
        label_ids = array(select label from unnest(label_ids) with ordinality as had (label, place)
          where label <> all(${merge.labels}::text[]) order by place)
      where client_id = ${keptId} and label_ids && ${merge.labels}::text[]`.execute(trx)
  const own = restored === null ? null : await linkAgain(trx, restored, id)
  await trx.deleteFrom('client_removals').where('client_id', '=', id).execute()
  const changed = [...new Set([conversation, restored, own].filter((one) => one !== null))]
  return changed.length === 0 ? [] : identitiesOf(trx, changed)
}

/** The fields of the kept client after an undo: what the merge changed and nobody changed since. */
function restoredFields(now: MergedFields, { before, after }: Merge): MergedFields {
  const unchanged = (Object.keys(before) as (keyof MergedFields)[]).filter((field) => now[field] === after[field])
  return withTaken(now, before, unchanged)
}

/** Writes the fields that differ, the phone number with its one form. */
async function writeFields(trx: Trx, row: Row<'clients'>, fields: MergedFields, country: string): Promise<void> {
  const { phone, ...others } = fields
  const values = { ...others, ...(phone === row.phone ? {} : readPhone(phone, country)) }
  const isSame = Object.entries(fields).every(([field, value]) => row[field as keyof MergedFields] === value)
  if (!isSame) await trx.updateTable('clients').set(values).where('id', '=', row.id).execute()
}

/** Joins the conversations of both clients, or moves the only one. Null if nothing was joined. */
async function joinConversations(
  trx: Trx,
  { conversation, others, clientId }: { conversation: string | null; others: string | null; clientId: string },
): Promise<Merge['joined']> {
  if (others === null) return null
  await setClientOf(trx, others, null)
  if (conversation === null) {
    await setClientOf(trx, others, clientId)
    return null
  }
  const identities = (await identitiesOf(trx, [others])).map((row) => row.id)
  const known = await sql<{
    notes: string[]
  }>`select notes_of(${others}) as notes`.execute(trx)
  const [own, before] = [await stateOf(trx, others), await stateOf(trx, conversation)]
  await mergeConversationsIn(trx, conversation, others)
  const joined = await stateOf(trx, conversation)
  return {
    into: conversation,
    identities,
    notes: known.rows[0]?.notes ?? [],
    state: own.state,
    into_state: before.state,
    joined_state: joined.state,
    rows: { own: own.rows, into: before.rows, joined: joined.rows },
  }
}

async function stateOf(trx: Trx, conversation: string): Promise<{ state: DecidedState; rows: MergeableRows }> {
  const found = await sql<{
    state: DecidedState
    rows: MergeableRows
  }>`select decided_state(${conversation}) as state, mergeable_rows(${conversation}) as rows`.execute(trx)
  return found.rows[0] ?? { state: {}, rows: {} }
}

/**
 * Gives the removed client its conversation back, without a client. Identities that staff moved elsewhere since stay there.
 * Null if the client had no conversation, or if its conversation has another client by now.
 */
async function separateConversations(
  trx: Trx,
  {
    keptId,
    conversation,
    record,
    merge,
    since,
  }: Pick<Separation, 'keptId' | 'record' | 'merge' | 'since'> & { conversation: string | null },
): Promise<string | null> {
  if (record.conversation === null) return null
  const group = (await lockIdentities(trx, [record.conversation])).get(record.conversation)
  if (merge.joined === null) {
    if (group === undefined) return null
    if ((await lockConversations(trx, [group])).get(group) === keptId) await setClientOf(trx, group, null)
    return group
  }
  const { into, identities, notes, state, into_state, joined_state, rows } = merge.joined
  const current = (await lockIdentities(trx, [into])).get(into) ?? conversation
  const together = current === null ? [] : await identitiesOf(trx, [current])
  const own = together.filter((row) => identities.includes(row.id)).map((row) => row.id)
  // Split off by hand since, or erased.
  if (current === null || own.length === 0) return group ?? null
  // All that is left of both: nothing to separate.
  if (own.length === together.length) {
    await lockConversations(trx, [current])
    await setClientOf(trx, current, null)
    return current
  }
  const target = own.includes(record.conversation) ? record.conversation : (own[0] ?? record.conversation)
  if (target === current) {
    await lockConversations(trx, [current])
    return null
  }
  await trx.insertInto('conversations').values({ primary_user_id: target }).execute()
  await trx.updateTable('messages').set({ primary_user_id: target }).where('fb_user_id', 'in', own).execute()
  await lockConversations(trx, [current, target])
  await trx.updateTable('fb_users').set({ primary_user_id: target, client_id: null }).where('id', 'in', own).execute()
  await sql`select move_notes(${notes}::text[], ${current}, ${target})`.execute(trx)
  const both = [current, target].sort()
  await sql`select restore_state(${target}, ${JSON.stringify(state)}::jsonb, ${since}::timestamptz)`.execute(trx)
  const own_state = restoredState((await stateOf(trx, current)).state, { state, into_state, joined_state })
  await sql`select restore_state(${current}, ${JSON.stringify(own_state)}::jsonb, ${since}::timestamptz)`.execute(trx)
  if (rows !== undefined)
    await sql`select divide_merged_rows(${current}, ${target}, ${JSON.stringify(rows.into)}::jsonb,
      ${JSON.stringify(rows.own)}::jsonb, ${JSON.stringify(rows.joined)}::jsonb, ${since}::timestamptz)`.execute(trx)
  await sql`select recount_conversations(${both}::text[]), refresh_names(${both}::text[])`.execute(trx)
  return target
}

/** What staff decided about the kept conversation: what was decided since the merge stays, also its labels. */
function restoredState(now: DecidedState, { state, into_state, joined_state }: Joined): DecidedState {
  const isUnchanged = (key: string) => JSON.stringify(now[key]) === JSON.stringify(joined_state[key])
  const restored = Object.keys(now).map((key) => [key, isUnchanged(key) ? into_state[key] : now[key]] as const)
  const [own, others] = [labelsIn(into_state), labelsIn(state)]
  const label_ids = isUnchanged('label_ids')
    ? own
    : labelsIn(now).filter((label) => own.includes(label) || !others.includes(label))
  return { ...Object.fromEntries(restored), label_ids }
}

const labelsIn = ({ label_ids }: DecidedState): string[] => (Array.isArray(label_ids) ? label_ids.map(String) : [])

/** Moves the orders of a client and returns their ids. */
async function moveOrders(trx: Trx, from: string, to: string): Promise<string[]> {
  const moved = await trx
    .updateTable('orders')
    .set({ client_id: to })
    .where('client_id', '=', from)
    .returning('id')
    .execute()
  return moved.map((row) => row.id).sort()
}

/** Gives a client the labels of another one, whose own stay. Returns those that the client did not have. */
async function addLabels(trx: Trx, to: string, from: string): Promise<string[]> {
  const rows = await trx.selectFrom('client_labels').selectAll().where('client_id', 'in', [to, from]).execute()
  const [own, others] = [to, from].map((id) => rows.find((row) => row.client_id === id)?.label_ids ?? [])
  const added = (others ?? []).filter((label) => !own?.includes(label))
  if (added.length === 0) return []
  const label_ids = [...(own ?? []), ...added]
  await trx
    .insertInto('client_labels')
    .values({ client_id: to, label_ids })
    .onConflict((conflict) =>
      conflict.column('client_id').doUpdateSet({ label_ids, version: sql`client_labels.version + 1` }),
    )
    .execute()
  return added
}

/**
 * Lets the external ids of a removed client name the kept one, which gets an external id of its own if it has none: aliases
 * of a client without one would name nothing for imports. Returns the aliases that moved.
 */
async function moveExternalIds(trx: Trx, removed: Row<'clients'>, kept: Row<'clients'>): Promise<string[]> {
  const moved = await trx
    .updateTable('client_aliases')
    .set({ client_id: kept.id })
    .where('client_id', '=', removed.id)
    .returning('external_id')
    .execute()
  const { external_id } = removed
  if (external_id !== null) {
    await trx.updateTable('clients').set({ external_id: null }).where('id', '=', removed.id).execute()
    if (kept.external_id === null)
      await trx.updateTable('clients').set({ external_id }).where('id', '=', kept.id).execute()
    else await trx.insertInto('client_aliases').values({ external_id, client_id: kept.id }).execute()
  }
  return moved.map((row) => row.external_id).sort()
}

async function restoreExternalIds(
  trx: Trx,
  id: string,
  keptId: string,
  { external_id, aliases }: Merge,
): Promise<void> {
  if (aliases.length > 0)
    await trx
      .updateTable('client_aliases')
      .set({ client_id: id })
      .where('client_id', '=', keptId)
      .where('external_id', 'in', aliases)
      .execute()
  if (external_id === null) return
  await trx.deleteFrom('client_aliases').where('external_id', '=', external_id).execute()
  await trx
    .updateTable('clients')
    .set({ external_id: null })
    .where('id', '=', keptId)
    .where('external_id', '=', external_id)
    .execute()
  await trx.updateTable('clients').set({ external_id }).where('id', '=', id).execute()
  await promoteAlias(trx, keptId)
}

/** A client with aliases has an external id. */
async function promoteAlias(trx: Trx, id: string): Promise<void> {
  const known = await trx.selectFrom('clients').select('external_id').where('id', '=', id).executeTakeFirst()
  if (known?.external_id !== null) return
  const alias = await trx
    .selectFrom('client_aliases')
    .select('external_id')
    .where('client_id', '=', id)
    .orderBy('external_id')
    .limit(1)
    .executeTakeFirst()
  if (alias === undefined) return
  await trx.deleteFrom('client_aliases').where('external_id', '=', alias.external_id).execute()
  await trx.updateTable('clients').set({ external_id: alias.external_id }).where('id', '=', id).execute()
}
