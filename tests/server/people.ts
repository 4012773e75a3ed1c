import type { Db } from '../../server/database/database.ts'
import type { NewMessage } from '../../server/database/tables.ts'

/** `at(5)` is five minutes after noon. */
export const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 15, 12, minutes))

export async function addPage(db: Db, pageId: string, values: { name?: string; active?: boolean } = {}): Promise<void> {
  await db
    .insertInto('pages')
    .values({
      page_id: pageId,
      page_name: values.name ?? `Page ${pageId}`,
      page_access_token_encrypted: 'encrypted',
      is_active: values.active ?? true,
      created_at: at(0),
      updated_at: at(0),
    })
    .execute()
}

/** Adds an identity; `in` is the existing conversation that it joins. */
export async function addIdentity(
  db: Db,
  id: string,
  values: { page: string; name?: string; in?: string; platform?: 'messenger' | 'instagram'; minute?: number },
): Promise<void> {
  await db
    .insertInto('fb_users')
    .values({
      id,
      page_id: values.page,
      psid: `psid-${id}`,
      platform: values.platform ?? 'messenger',
      name: values.name ?? null,
      ...(values.in === undefined ? {} : { primary_user_id: values.in }),
      created_at: at(values.minute ?? 0),
    })
    .execute()
}

/** Adds a message, by default incoming and unread. */
export async function addMessage(
  db: Db,
  id: string,
  fbUserId: string,
  minute: number,
  values: Partial<NewMessage> = {},
): Promise<void> {
  await db
    .insertInto('messages')
    .values({
      message_id: id,
      fb_user_id: fbUserId,
      message_text: `text of ${id}`,
      direction: 'incoming',
      created_at: at(minute),
      timestamp_fb: at(minute),
      ...values,
    })
    .execute()
}
