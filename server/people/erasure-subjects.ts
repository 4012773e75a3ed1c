import type { Transaction } from 'kysely'
import * as z from 'zod/mini'
import type { Tables } from '../database/tables.ts'
import { isClientOfOthers } from './erasable.ts'
import type { ErasedPeople } from './erased-people.ts'

/** The client cannot be erased with the person, because another person is linked to it. The message is for staff. */
export class ClientShared extends Error {
  constructor() {
    super('Another person is linked to the same client, so the client record cannot be erased.')
  }
}

const identity = z.object({ id: z.string(), pageId: z.string(), psid: z.string() })
/** Whom the erasure of a person is about. */
export const personSubject = z.object({
  identities: z.array(identity),
  conversationIds: z.array(z.string()),
  clientId: z.nullable(z.string()),
})
export type PersonSubject = z.infer<typeof personSubject>

export const pageSubject = z.object({ pageId: z.string() })
export type PageSubject = z.infer<typeof pageSubject>

/** The subject of a request of a person who is not known. */
export const nobody: PersonSubject = { identities: [], conversationIds: [], clientId: null }

/**
 * Locks the identities of conversations and remembers them as erased. Null if there are none; the id of a running erasure
 * if all of them are being erased already. Throws ClientShared.
 */
export async function subjectOfPeople(
  trx: Transaction<Tables>,
  {
    primaryUserIds,
    withClient,
    erasedPeople,
    now,
  }: { primaryUserIds: string[]; withClient: boolean; erasedPeople: ErasedPeople; now: Date },
): Promise<PersonSubject | string | null> {
  if (primaryUserIds.length === 0) return null
  const all = await trx
    .selectFrom('fb_users')
    .select(['id', 'page_id as pageId', 'psid', 'client_id as clientId'])
    .where('primary_user_id', 'in', primaryUserIds)
    .orderBy('id')
    .forUpdate()
    .execute()
  const running = await findRunning(trx, all)
  const identities = all.filter(({ id }) => !running.has(id))
  if (identities.length === 0) return [...running.values()][0] ?? null
  const clientId = withClient ? (identities.find((one) => one.clientId !== null)?.clientId ?? null) : null
  if (clientId !== null && (await isClientOfOthers(trx, clientId, primaryUserIds))) throw new ClientShared()
  await trx
    .insertInto('erased_people')
    .values(
      identities.map(({ pageId, psid }) => ({
        person_hash: erasedPeople.hashOf(pageId, psid),
        erased_at: now,
        completed_at: null,
      })),
    )
    .onConflict((conflict) => conflict.column('person_hash').doUpdateSet({ erased_at: now, completed_at: null }))
    .execute()
  return {
    identities: identities.map(({ id, pageId, psid }) => ({ id, pageId, psid })),
    conversationIds: primaryUserIds,
    clientId,
  }
}

/** The running erasures of these identities, by the identity's id. */
async function findRunning(trx: Transaction<Tables>, identities: { id: string }[]): Promise<Map<string, string>> {
  const running = await trx
    .selectFrom('erasures')
    .select(['id', 'subject'])
    .where('kind', '=', 'person')
    .where('state', '=', 'running')
    .execute()
  const asked = new Set(identities.map(({ id }) => id))
  return new Map(
    running.flatMap(({ id, subject }) =>
      personSubject.parse(subject).identities.flatMap((one) => (asked.has(one.id) ? [[one.id, id] as const] : [])),
    ),
  )
}
