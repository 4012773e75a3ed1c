import { sql } from 'kysely'
import type { SaveNotificationSettingsBody } from '../../src/schemas/notification-settings.ts'
import type { Db } from './database.ts'
import type { Row } from './tables.ts'

type Stored = Pick<Row<'notification_settings'>, 'settings' | 'version'>

/** The settings of a staff member; undefined if none were saved. */
export const findNotificationSettings = (db: Db, staffId: string): Promise<Stored | undefined> =>
  db
    .selectFrom('notification_settings')
    .select(['settings', 'version'])
    .where('staff_id', '=', staffId)
    .executeTakeFirst()

/**
 * Stores the settings of a staff member if the stored version is the one that they replace; 0 is the version of no
 * settings. A repeated write, whose answer was lost, counts as saved. Returns the settings after the call.
 */
export async function saveNotificationSettings(
  db: Db,
  { staffId, settings, replaces, now }: SaveNotificationSettingsBody & { staffId: string; now: Date },
): Promise<{ isSaved: boolean; stored: Stored | undefined }> {
  const json = JSON.stringify(settings)
  const { rows } = await sql<Stored>`
    insert into notification_settings as stored (staff_id, settings, version, updated_at)
    select ${staffId}, ${json}::jsonb, 1, ${now}
    where ${replaces}::int = 0 or exists (select from notification_settings where staff_id = ${staffId})
    on conflict (staff_id) do update set
      settings = excluded.settings, version = stored.version + 1, updated_at = excluded.updated_at
      where stored.version = ${replaces}::int and stored.settings <> excluded.settings
    returning settings, version`.execute(db)
  const written = rows[0]
  if (written !== undefined) return { isSaved: true, stored: written }
  const { rows: kept } = await sql<Stored & { is_same: boolean }>`
    select settings, version, settings = ${json}::jsonb as is_same
    from notification_settings where staff_id = ${staffId}`.execute(db)
  if (kept[0] === undefined) return { isSaved: false, stored: undefined }
  const { is_same: isSaved, ...stored } = kept[0]
  return { isSaved, stored }
}
