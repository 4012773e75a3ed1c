import { sql, type Transaction } from 'kysely'
import { clientNameOf } from '../../src/domain/client/client-linking.ts'
import type { RemovedClient } from '../../src/schemas/client-removal.ts'
import { removalLimits } from '../../src/schemas/client-removal.ts'
import { batchSize } from './batches.ts'
import type { Db } from './database.ts'
import { identitiesOf, lockConversations, lockIdentities, type MovedIdentity } from './groups.ts'
import { lockImports } from './import-lock.ts'
import type { Removal } from './removal.ts'
import type { Row, Tables } from './tables.ts'
import { inTransaction } from './transaction.ts'
import { retryRowsThatWait } from './waiting-rows.ts'

type Trx = Transaction<Tables>

/** Who removes or restores a client, and when. */
export type RemovalContext = {
  now: Date
  /** The name that the list of removals shows. */
  by: string | null
  /** Of phone numbers without a country code. */
  country: string
}

/** A removal, a merge or its undo is not possible. The message is shown to staff. */
export class RemovalRefused extends Error {
  override name = 'RemovalRefused'
  readonly reason: 'unknown' | 'changed' | 'conflict'

  constructor(reason: 'unknown' | 'changed' | 'conflict', message: string) {
    super(message)
    this.reason = reason
  }
}

export const unknownClient = () => new RemovalRefused('unknown', 'Client not found')
const changedClient = () =>
  new RemovalRefused('changed', 'Somebody changed this client meanwhile. Look at it again before you go on.')

/** The clients by id, locked. Removed clients are among them. */
export async function lockClients(trx: Trx, ids: readonly string[]): Promise<Map<string, Row<'clients'>>> {
  const rows = await trx.selectFrom('clients').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Throws RemovalRefused if the client is unknown, removed, or has another version. */
export function checked(row: Row<'clients'> | undefined, version: number): Row<'clients'> {
  if (row === undefined || row.removed_at !== null) throw unknownClient()
  if (Number(row.version) !== version) throw changedClient()
  return row
}

/** The conversation of a client, locked with its identities; null if it has none. */
export async function lockConversationOf(trx: Trx, clientId: string): Promise<string | null> {
  const found = await trx
    .selectFrom('conversations')
    .select('primary_user_id')
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (found === undefined) return null
  await lockIdentities(trx, [found.primary_user_id])
  const clients = await lockConversations(trx, [found.primary_user_id])
  return clients.get(found.primary_user_id) === clientId ? found.primary_user_id : null
}

/** Links a conversation to a client, or to none. */
export async function setClientOf(trx: Trx, conversation: string, clientId: string | null): Promise<void> {
  await trx
    .updateTable('conversations')
    .set({ client_id: clientId })
    .where('primary_user_id', '=', conversation)
    .execute()
  await trx.updateTable('fb_users').set({ client_id: clientId }).where('primary_user_id', '=', conversation).execute()
}

/**
 * Deletes a client: it is hidden with its orders and payments, and its conversation is unlinked. Can be undone until
 * `purgeRemovals` deletes the rows. Returns the identities of the conversation. Throws RemovalRefused.
 */
export async function removeClient(
  db: Db,
  { id, version }: { id: string; version: number },
  { now, by }: RemovalContext,
  onRemoved: (trx: Db) => Promise<void>,
): Promise<MovedIdentity[]> {
  return inTransaction(db, async (trx) => {
    await lockImports(trx)
    const conversation = await lockConversationOf(trx, id)
    checked((await lockClients(trx, [id])).get(id), version)
    if (conversation !== null) await setClientOf(trx, conversation, null)
    await trx.updateTable('clients').set({ removed_at: now }).where('id', '=', id).execute()
    await storeRemoval(
      trx,
      { client_id: id, kept_id: null, removed_at: now, removed_by: by },
      { conversation, merge: null },
    )
    await onRemoved(trx)
    return conversation === null ? [] : identitiesOf(trx, [conversation])
  })
}

export async function storeRemoval(
  trx: Trx,
  row: Omit<Row<'client_removals'>, 'record'>,
  record: Removal,
): Promise<void> {
  await trx
    .insertInto('client_removals')
    .values({ ...row, record: JSON.stringify(record) })
    .execute()
}

/**
 * Makes a deleted client visible again, with its orders and payments. The conversation is linked again if it exists and has
 * no client. Returns its identities. The caller has locked the imports.
 */
export async function restoreDeleted(trx: Trx, id: string, { conversation }: Removal): Promise<MovedIdentity[]> {
  const linked = conversation === null ? null : await linkAgain(trx, conversation, id)
  await trx.updateTable('clients').set({ removed_at: null }).where('id', '=', id).execute()
  await trx.deleteFrom('client_removals').where('client_id', '=', id).execute()
  await retryRowsThatWait(trx, ['orders'])
  return linked === null ? [] : identitiesOf(trx, [linked])
}

/** Links the conversation that now has the identity or the id to the client. Null if it is gone or has a client. */
export async function linkAgain(trx: Trx, conversation: string, clientId: string): Promise<string | null> {
  const group = (await lockIdentities(trx, [conversation])).get(conversation)
  if (group === undefined || (await lockConversations(trx, [group])).get(group) != null) return null
  await setClientOf(trx, group, clientId)
  return group
}

/**
 * Makes deleted clients visible again that an import names by these external ids; a dry run only finds them. Returns their
 * ids.
 */
export async function restoreImported(
  trx: Trx,
  externalIds: readonly string[],
  { isDryRun }: { isDryRun: boolean },
): Promise<string[]> {
  if (externalIds.length === 0) return []
  const removed = await trx
    .selectFrom('clients')
    .innerJoin('client_removals', 'client_removals.client_id', 'clients.id')
    .select(['clients.id', 'client_removals.record'])
    .where('clients.external_id', 'in', externalIds)
    .orderBy('clients.id')
    .execute()
  if (!isDryRun) for (const { id, record } of removed) await restoreDeleted(trx, id, record)
  return removed.map(({ id }) => id)
}

/** The deleted and merged clients that can be restored, newest removal first. */
export async function listRemovals(db: Db): Promise<RemovedClient[]> {
  const rows = await db
    .selectFrom('client_removals as removal')
    .innerJoin('clients as client', 'client.id', 'removal.client_id')
    .leftJoin('clients as kept', 'kept.id', 'removal.kept_id')
    .select([
      'client.id',
      'client.first_name',
      'client.last_name',
      'client.company_name',
      'removal.kept_id',
      'kept.first_name as kept_first_name',
      'kept.last_name as kept_last_name',
      'removal.removed_at',
      'removal.removed_by',
    ])
    .orderBy('removal.removed_at', 'desc')
    .orderBy('client.id')
    .limit(removalLimits.listed)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: clientNameOf(row) || (row.company_name ?? ''),
    kept:
      row.kept_id === null
        ? null
        : { id: row.kept_id, name: clientNameOf({ first_name: row.kept_first_name, last_name: row.kept_last_name }) },
    removed_at: row.removed_at.toISOString(),
    removed_by: row.removed_by,
    undo_until: new Date(row.removed_at.getTime() + removalLimits.days * 86_400_000).toISOString(),
  }))
}

/** The number of orders and payments of a client. */
export async function countOrders(db: Db, clientId: string): Promise<{ orders: number; payments: number }> {
  const { rows } = await sql<{ orders: number; payments: number }>`
    select (select count(*) from orders where client_id = ${clientId})::integer as orders,
      (select count(*) from payments join orders on orders.id = order_id where client_id = ${clientId})::integer
        as payments`.execute(db)
  return rows[0] ?? { orders: 0, payments: 0 }
}

/** The ids of the clients that were merged into this one, and into those. */
export async function mergedInto(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive merged (id) as (
      select client_id from client_removals where kept_id = ${id}
      union select r.client_id from client_removals r join merged on r.kept_id = merged.id
    )
    select id from merged order by id`.execute(db)
  return rows.map((row) => row.id)
}

/** The client that now has the orders and the conversation of a merged one; null if the client was not merged. */
export async function keptClientOf(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with recursive kept (id) as (
      select kept_id from client_removals where client_id = ${id}
      union select r.kept_id from client_removals r join kept on r.client_id = kept.id
    )
    select clients.id from kept join clients using (id) where removed_at is null`.execute(db)
  return rows[0]?.id ?? null
}

/** The ids of the deleted clients that these conversations were linked to. */
export async function deletedClientsOf(db: Db, conversations: readonly string[]): Promise<string[]> {
  if (conversations.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select client_id as id from client_removals
    where kept_id is null and record ->> 'conversation' = any(${[...conversations]}::text[]) order by id`.execute(db)
  return rows.map((row) => row.id)
}

/** Deletes a batch of clients that were removed before `before`, with what is left of them. Returns their number. */
export async function purgeRemovals(db: Db, before: Date): Promise<number> {
  return inTransaction(db, async (trx) => {
    await lockImports(trx)
    const old = await trx
      .selectFrom('client_removals')
      .select('client_id')
      .where('removed_at', '<', before)
      .orderBy('removed_at')
      .orderBy('client_id')
      .limit(batchSize)
      .execute()
    if (old.length === 0) return 0
    await trx
      .deleteFrom('clients')
      .where(
        'id',
        'in',
        old.map(({ client_id }) => client_id),
      )
      .execute()
    return old.length
  })
}
