import { sql, type Transaction } from 'kysely'
import { clientNameOf } from '../../src/domain/client/client-linking.ts'
import type { Tables } from '../database/tables.ts'
import type { GivenClient } from './batch.ts'

type Trx = Transaction<Tables>

/** A stored client with the email address or the phone number of a row. */
type Match = {
  external_id: string
  id: string
  name: string
  hasExternalId: boolean
  isSameName: boolean
  isSameEmail: boolean
  isSamePhone: boolean
}

export type Recognition = { joins?: string; note: string }

/** Of a contact that many clients have, two are enough to see that it names none. */
const looked = 2

const asJson = (clients: readonly GivenClient[]) =>
  JSON.stringify(
    clients.map(({ external_id, first_name, last_name, email, phoneNumber, joins }) => ({
      external_id,
      name: `${first_name} ${last_name}`,
      email: email ? email.toLowerCase() : null,
      phone: phoneNumber ?? null,
      joins: joins ?? null,
    })),
  )
const given = (clients: readonly GivenClient[]) => sql`
  jsonb_to_recordset(${asJson(clients)}::jsonb) as given (external_id text, name text, email text, phone text, joins text)`

/**
 * Recognizes clients that were made here among rows whose external ids are not known. A row joins the only client with its
 * email address or phone number, if that client has no external id and also the name of the row, or both contacts. `taken`:
 * the clients that rows before change. Other rows make a client of their own, with a note.
 */
export async function recognizeClients(
  trx: Trx,
  clients: readonly GivenClient[],
  taken: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Map<string, Recognition>> {
  if (clients.length === 0) return new Map()
  const { rows } = await sql<Omit<Match, 'name'> & { first_name: string; last_name: string }>`
    select distinct given.external_id, known.id, known.first_name, known.last_name,
      known.external_id is not null as "hasExternalId",
      search_form(known.first_name || ' ' || known.last_name) = search_form(given.name) as "isSameName",
      coalesce(lower(known.email) = given.email, false) as "isSameEmail",
      coalesce(known.phone_e164 = given.phone and known.phone is not distinct from known.phone_read, false)
        as "isSamePhone"
    from ${given(clients)}
    cross join lateral (
      (select * from clients where removed_at is null and lower(email) = given.email order by id limit ${looked})
      union all
      (select * from clients where removed_at is null and phone_e164 = given.phone and phone is not distinct from phone_read
        order by id limit ${looked})
    ) known`.execute(trx)
  const matches = new Map<string, Match[]>()
  for (const { first_name, last_name, ...row } of rows) {
    const match = { ...row, name: clientNameOf({ first_name, last_name }) }
    matches.set(row.external_id, [...(matches.get(row.external_id) ?? []), match])
  }
  const joined = new Set(await taken(rows.map(({ id }) => id)))
  const found = new Map<string, Recognition>()
  for (const { external_id } of clients) {
    const [only, ...others] = matches.get(external_id) ?? []
    if (only === undefined) continue
    const isUnclear = others.length > 0 || only.hasExternalId || joined.has(only.id)
    if (isUnclear || !(only.isSameName || (only.isSameEmail && only.isSamePhone))) {
      found.set(external_id, { note: others.length > 0 ? severalNote : likeNote(only) })
      continue
    }
    joined.add(only.id)
    found.set(external_id, { joins: only.id, note: joinNote(only) })
  }
  return found
}

const contactOf = ({ isSameEmail, isSamePhone }: Match): string =>
  [...(isSameEmail ? ['email address'] : []), ...(isSamePhone ? ['phone number'] : [])].join(' and ')

const joinNote = (match: Match): string =>
  `Will be joined with ${match.name}, who was added here and has the same ${contactOf(match)}.`
const likeNote = (match: Match): string =>
  `${match.name} has the same ${contactOf(match)}. If they are one person, merge them after the import.`
const severalNote =
  'Several clients have this email address or phone number. If the row is one of them, merge them after the import.'

/** Why a row is refused whose client changed between the check and the run. */
export const joinLost =
  'The client that this row was to be joined with was changed after the check. Choose the file again.'

/**
 * Gives the clients that the check has found the external ids of their rows. Returns the external ids of the rows whose
 * client is no longer what the check found.
 */
export async function joinClients(trx: Trx, clients: readonly GivenClient[]): Promise<Set<string>> {
  const joining = clients.filter(({ joins }) => joins != null)
  if (joining.length === 0) return new Set()
  const { rows } = await sql<{ external_id: string }>`
    update clients set external_id = given.external_id from ${given(joining)}
    where clients.id = given.joins and clients.external_id is null and clients.removed_at is null
      and (lower(clients.email) = given.email or clients.phone_e164 = given.phone)
      and (search_form(clients.first_name || ' ' || clients.last_name) = search_form(given.name)
        or (lower(clients.email) = given.email and clients.phone_e164 = given.phone))
      and not exists (select from clients other where other.external_id = given.external_id)
      and not exists (select from client_aliases alias where alias.external_id = given.external_id)
    returning clients.external_id`.execute(trx)
  const joined = new Set(rows.map(({ external_id }) => external_id))
  return new Set(joining.map(({ external_id }) => external_id).filter((id) => !joined.has(id)))
}
