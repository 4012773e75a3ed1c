import { clientNameOf } from '../../src/domain/client/client-linking.ts'
import type { Chats } from '../../src/schemas/chats.ts'
import type { Db } from './database.ts'
import { findPrimaryUserId } from './people.ts'

/** The chats of a conversation, the first one first, and the linked client; null if the conversation is unknown. */
export async function listChats(db: Db, id: string): Promise<Chats | null> {
  const primaryUserId = await findPrimaryUserId(db, id)
  if (primaryUserId === null) return null
  const client = await db
    .selectFrom('conversations')
    .innerJoin('clients', 'clients.id', 'conversations.client_id')
    .select(['clients.id', 'clients.first_name', 'clients.last_name', 'clients.company_name'])
    .where('primary_user_id', '=', primaryUserId)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('fb_users as identity')
    .innerJoin('pages', 'pages.page_id', 'identity.page_id')
    .select(['identity.id', 'identity.name', 'identity.platform', 'pages.page_name'])
    .select((query) =>
      query
        .selectFrom('messages')
        .select((select) => select.fn.countAll<string>().as('count'))
        .whereRef('messages.fb_user_id', '=', 'identity.id')
        .as('total_messages'),
    )
    .select((query) =>
      query
        .selectFrom('messages')
        .select((select) => select.fn.max('timestamp_fb').as('at'))
        .whereRef('messages.fb_user_id', '=', 'identity.id')
        .as('last_message_at'),
    )
    .where('identity.primary_user_id', '=', primaryUserId)
    .orderBy('identity.created_at')
    .orderBy('identity.id')
    .execute()
  const chats = rows.map(({ id, total_messages, last_message_at, ...row }) => ({
    ...row,
    fb_user_id: id,
    total_messages: Number(total_messages),
    last_message_at: last_message_at?.toISOString() ?? null,
    is_first: id === primaryUserId,
  }))
  return {
    client: client === undefined ? null : { id: client.id, name: clientNameOf(client) || (client.company_name ?? '') },
    chats: [...chats.filter(({ is_first }) => is_first), ...chats.filter(({ is_first }) => !is_first)],
  }
}
