import { sql, type Transaction } from 'kysely'
import { keptClientOf } from './client-removals.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/**
 * Remembers to which client and conversation these identities of a page belong, before they are deleted with the page.
 * An identity alone in its conversation without a client leaves nothing.
 */
export async function rememberIdentities(
  trx: Transaction<Tables>,
  ids: readonly string[],
  hashOf: (pageId: string, psid: string) => string,
): Promise<void> {
  const { rows } = await sql<{
    page_id: string
    psid: string
    client_id: string | null
    conversation_id: string
    members: string[]
  }>`
    select * from (
      select page_id, psid, client_id, primary_user_id as conversation_id,
        array(
          select other.id from fb_users other
          where other.primary_user_id = one.primary_user_id and other.id <> one.id order by other.id
        ) as members
      from fb_users one where one.id = any(${ids})
    ) found
    where client_id is not null or cardinality(members) > 0
      or exists (select from former_identities former where former.conversation_id = found.conversation_id)`.execute(
    trx,
  )
  if (rows.length === 0) return
  await trx
    .insertInto('former_identities')
    .values(rows.map(({ psid, ...row }) => ({ ...row, person_hash: hashOf(row.page_id, psid) })))
    .onConflict((conflict) =>
      conflict.column('person_hash').doUpdateSet((excluded) => ({
        client_id: excluded.ref('excluded.client_id'),
        conversation_id: excluded.ref('excluded.conversation_id'),
        members: excluded.ref('excluded.members'),
      })),
    )
    .execute()
}

/** Where an identity that comes back belongs. `clientId` is a client without a conversation. */
export type FormerPlace =
  | { conversationId: string; clientId: string | null }
  | { conversationId: null; clientId: string }

/**
 * The place of a person who wrote to this page before it was removed, with its conversation locked; null if there is none.
 * What staff decided meanwhile counts: the other identities lead to the conversation that they belong to now. People of
 * one former conversation take turns, so that two who come back at once find each other.
 */
export async function formerPlaceOf(trx: Transaction<Tables>, personHash: string): Promise<FormerPlace | null> {
  const group = await trx
    .selectFrom('former_identities')
    .select(['person_hash', 'client_id', 'members'])
    .where('conversation_id', '=', (query) =>
      query.selectFrom('former_identities').select('conversation_id').where('person_hash', '=', personHash),
    )
    .orderBy('person_hash')
    .forUpdate()
    .execute()
  const former = group.find((one) => one.person_hash === personHash)
  if (former === undefined) return null
  const clientId = former.client_id === null ? null : await livingClient(trx, former.client_id)
  const { rows } = await sql<{ conversationId: string; clientId: string | null }>`
    select primary_user_id as "conversationId", client_id as "clientId" from conversations
    where primary_user_id = coalesce(
      (select primary_user_id from fb_users where id = any(${former.members}) order by id limit 1),
      (select primary_user_id from conversations where client_id = ${clientId})
    ) for update`.execute(trx)
  return rows[0] ?? (clientId === null ? null : { conversationId: null, clientId })
}

/** Links an identity that came back, with the conversation that it started, to its client. */
export async function linkReturned(trx: Transaction<Tables>, id: string, clientId: string): Promise<void> {
  await trx.updateTable('conversations').set({ client_id: clientId }).where('primary_user_id', '=', id).execute()
  await trx.updateTable('fb_users').set({ client_id: clientId }).where('id', '=', id).execute()
}

/** A client that is not deleted: this one, or the one that it was merged into. */
async function livingClient(trx: Transaction<Tables>, id: string): Promise<string | null> {
  const client = await trx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return client?.id ?? (await keptClientOf(trx, id))
}

/** The identity is back: others of its former conversation find it. */
export async function identityReturned(trx: Transaction<Tables>, personHash: string, id: string): Promise<void> {
  const former = await trx
    .deleteFrom('former_identities')
    .where('person_hash', '=', personHash)
    .returning('conversation_id')
    .executeTakeFirst()
  if (former === undefined) return
  await sql`
    update former_identities set members = members || ${id}::text
    where conversation_id = ${former.conversation_id}`.execute(trx)
}

/** Forgets the former identities of an erased person. */
export async function forgetFormerIdentities(
  db: Db,
  { hashes, identities, conversations }: { hashes: string[]; identities: string[]; conversations: string[] },
): Promise<void> {
  await sql`
    delete from former_identities
    where person_hash = any(${hashes}) or conversation_id = any(${conversations}) or members && ${identities}::text[]`.execute(
    db,
  )
}

/** Forgets the people whom the network knows by these ids. */
export async function forgetFormerPeople(
  trx: Transaction<Tables>,
  psids: readonly string[],
  hashOf: (pageId: string, psid: string) => string,
): Promise<void> {
  const pages = await trx.selectFrom('former_identities').select('page_id').distinct().execute()
  const hashes = pages.flatMap(({ page_id }) => psids.map((psid) => hashOf(page_id, psid)))
  if (hashes.length > 0) await trx.deleteFrom('former_identities').where('person_hash', 'in', hashes).execute()
}
