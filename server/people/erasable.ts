import { sql } from 'kysely'
import type { Erasable } from '../../src/schemas/person.ts'
import type { Db } from '../database/database.ts'

/** What an erasure of the conversation would delete, for the question to staff. Null if the conversation is unknown. */
export async function readErasable(db: Db, primaryUserId: string): Promise<Erasable | null> {
  const conversation = await db
    .selectFrom('conversations')
    .leftJoin('clients', 'clients.id', 'conversations.client_id')
    .select((select) => [
      'clients.id as clientId',
      'first_name',
      'last_name',
      'total_messages as messages',
      select
        .selectFrom('stored_files')
        .innerJoin('messages', 'messages.message_id', 'stored_files.message_id')
        .where('messages.primary_user_id', '=', primaryUserId)
        .select((files) => files.fn.countAll<number>().as('count'))
        .as('files'),
    ])
    .where('conversations.primary_user_id', '=', primaryUserId)
    .executeTakeFirst()
  if (conversation === undefined) return null
  const { clientId, first_name, last_name, messages, files } = conversation
  const counts = { messages: Number(messages), files: Number(files) }
  if (clientId === null) return { ...counts, client: null }
  const { rows } = await sql<{ orders: number; payments: number }>`
    select (select count(*) from orders where client_id = ${clientId})::integer as orders,
      (select count(*) from payments join orders on orders.id = order_id where client_id = ${clientId})::integer
        as payments`.execute(db)
  const name = `${first_name} ${last_name}`.trim()
  const isShared = await isClientOfOthers(db, clientId, [primaryUserId])
  return { ...counts, client: { name, orders: 0, payments: 0, ...rows[0], is_shared: isShared } }
}

/** Whether a person of another conversation is linked to the client. */
export async function isClientOfOthers(db: Db, clientId: string, primaryUserIds: readonly string[]): Promise<boolean> {
  const other = await db
    .selectFrom('fb_users')
    .select('id')
    .where('client_id', '=', clientId)
    .where('primary_user_id', 'not in', primaryUserIds)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
