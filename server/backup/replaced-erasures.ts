import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { commandLineActor } from '../audit/audit.ts'
import { erasedPeopleKey, hashPeople } from '../people/erased-people.ts'
import type { Keyring } from '../secrets.ts'
import { readStoredKey } from '../stored-keys.ts'
import type { SqlSession } from './session.ts'

const batchSize = 2_000

/** The erasures that the replaced database knew. Rows as JSON. */
export type ReplacedErasures = {
  /** People who were erased after the backup was made. */
  later: number
  people: string
  /** The hashes of erased clients, which no import stores again. */
  clients: string
  /** Completed erasures of people, so that their confirmation codes stay valid. */
  completed: string
  /** The encrypted key of the hashes; null if there is none. */
  sealedKey: string | null
}

/** Reads the erasures of a database that is about to be replaced. Null if it is too old to have any. */
export async function readErasures(session: SqlSession, backupCreated: string): Promise<ReplacedErasures | null> {
  const [[hasKeys, hasClients] = []] = await session.rows(
    `select to_regclass('public.stored_keys')::text, to_regclass('public.erased_clients')::text`,
  )
  if (!hasKeys) return null
  const [[later, people, completed] = []] = await session.rows(
    `select (select count(*) from erased_people where erased_at > $1::timestamptz)::text,
      (select coalesce(json_agg(source), '[]') from erased_people source)::text,
      (select coalesce(json_agg(source), '[]') from erasures source where kind = 'person' and state = 'completed')::text`,
    [backupCreated],
  )
  const [[clients] = []] = hasClients
    ? await session.rows(`select coalesce(json_agg(source), '[]')::text from erased_clients source`)
    : []
  return {
    later: Number(later),
    people: people ?? '[]',
    clients: clients ?? '[]',
    completed: completed ?? '[]',
    sealedKey: await keyIn(session),
  }
}

/**
 * Brings the erasures of the replaced database into the restored one, and restarts those whose person is in the backup;
 * the server completes them at its start. Returns the number of these people, or null if the hashes cannot be compared:
 * the databases have different keys, or a key cannot be read.
 */
export async function eraseAgain(
  session: SqlSession,
  { sealedKey, people: hashes, clients, completed }: ReplacedErasures,
  keyring: () => Keyring,
): Promise<number | null> {
  if (sealedKey === null) return 0
  const keyOf = (sealed_key: string) => readStoredKey(keyring(), { purpose: erasedPeopleKey, sealed_key })
  const key = keyOf(sealedKey)
  if (key === null) return null
  const restoredKey = await keyIn(session)
  if (restoredKey === null) {
    await session.rows('insert into stored_keys (purpose, sealed_key) values ($1, $2)', [erasedPeopleKey, sealedKey])
  } else {
    const other = keyOf(restoredKey)
    if (other === null || !Buffer.from(key).equals(other)) return null
  }

  const later = await session.rows(
    `insert into erased_people select * from json_populate_recordset(null::erased_people, $1::json)
      on conflict (person_hash) do update set erased_at = excluded.erased_at, completed_at = excluded.completed_at
        where excluded.erased_at > erased_people.erased_at
      returning person_hash`,
    [hashes],
  )
  await session.rows(
    `insert into erasures select * from json_populate_recordset(null::erasures, $1::json) on conflict do nothing`,
    [completed],
  )
  await session.rows(
    `insert into erased_clients select * from json_populate_recordset(null::erased_clients, $1::json)
      on conflict do nothing`,
    [clients],
  )
  const found = await findPeople(session, key, new Set(later.map(([hash]) => hash ?? '')))
  await session.rows(
    `update erased_people set completed_at =
        case when person_hash = any($1::text[]) then null else coalesce(completed_at, now()) end
      where person_hash = any($2::text[])`,
    [found.map(({ hash }) => hash), later.map(([hash]) => hash ?? '')],
  )
  const people = Map.groupBy(found, ({ conversationId }) => conversationId)
  for (const [conversationId, identities] of people) {
    const subject = {
      identities: identities.map(({ id, pageId, psid }) => ({ id, pageId, psid })),
      conversationIds: [conversationId],
      clientId: null,
    }
    await session.rows(
      `insert into erasures (id, kind, subject, requested_by, due_at, created_at)
        values ($1, 'person', $2::jsonb, $3, now(), now())`,
      [randomBytes(16).toString('hex'), JSON.stringify(subject), commandLineActor.name],
    )
  }
  return people.size
}

async function keyIn(session: SqlSession): Promise<string | null> {
  const [[sealedKey] = []] = await session.rows('select sealed_key from stored_keys where purpose = $1', [
    erasedPeopleKey,
  ])
  return sealedKey ?? null
}

const identityRow = z.tuple([z.string(), z.string(), z.string(), z.string()])

/** The identities whose hash is one of `hashes`. */
async function findPeople(session: SqlSession, key: Uint8Array, hashes: ReadonlySet<string>) {
  const hashOf = hashPeople(key)
  const found: { id: string; pageId: string; psid: string; conversationId: string; hash: string }[] = []
  for (let after = ''; hashes.size > 0; ) {
    const rows = await session.rows(
      `select id, page_id, psid, primary_user_id from fb_users where id > $1 order by id limit ${batchSize}`,
      [after],
    )
    for (const row of rows) {
      const [id, pageId, psid, conversationId] = identityRow.parse(row)
      const hash = hashOf(pageId, psid)
      if (hashes.has(hash)) found.push({ id, pageId, psid, conversationId, hash })
      after = id
    }
    if (rows.length < batchSize) break
  }
  return found
}
