import { sql } from 'kysely'
import type { AssignmentRules } from '../../src/schemas/assignment-rules.ts'
import type { BusinessHours } from '../../src/schemas/business-hours.ts'
import { type FaqMatching, usualFaqMatching } from '../../src/schemas/faq.ts'
import type { LiveSale } from '../../src/schemas/live-sale.ts'
import type { Db } from './database.ts'

/** The documents by name, before the first save. */
const emptySettings = {
  'business-hours': { pages: {} },
  'assignment-rules': { rules: [], assigns_first_answer: false },
  'faq-matching': usualFaqMatching,
  'live-sale': { is_on: false, post_id: null, keyword: 'mine', items: [] },
} satisfies BusinessSettings

type BusinessSettings = {
  'business-hours': BusinessHours
  'assignment-rules': AssignmentRules
  'faq-matching': FaqMatching
  'live-sale': LiveSale
}
type SettingsName = keyof BusinessSettings

type Saved<Name extends SettingsName> = { settings: BusinessSettings[Name]; version: number }

/** The settings and their version, which is 0 if none were saved. */
export async function findBusinessSettings<Name extends SettingsName>(db: Db, name: Name): Promise<Saved<Name>> {
  const { rows } = await sql<Saved<Name>>`
    select settings, version from business_settings where name = ${name}`.execute(db)
  return rows[0] ?? { settings: emptySettings[name], version: 0 }
}

/**
 * Stores the settings if the stored version is the one that they replace. A repeated write, whose answer was lost, counts as
 * saved. Returns the settings after the call; `before`: the settings that this call replaced, null if it changed nothing.
 */
export async function saveBusinessSettings<Name extends SettingsName>(
  db: Db,
  name: Name,
  { settings, replaces, now }: { settings: BusinessSettings[Name]; replaces: number; now: Date },
): Promise<{ isSaved: boolean; before: BusinessSettings[Name] | null; stored: Saved<Name> }> {
  // Makes concurrent writes wait for each other. Before the first write there is no row to lock.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`settings ${name}`}, 0))`.execute(db)
  const stored = await findBusinessSettings(db, name)
  const json = JSON.stringify(settings)
  const { rows } = await sql<{ is_same: boolean }>`
    select ${json}::jsonb = ${JSON.stringify(stored.settings)}::jsonb as is_same`.execute(db)
  if (rows[0]?.is_same === true) return { isSaved: true, before: null, stored }
  if (stored.version !== replaces) return { isSaved: false, before: null, stored }
  const version = stored.version + 1
  await sql`
    insert into business_settings (name, settings, version, updated_at) values (${name}, ${json}::jsonb, ${version}, ${now})
    on conflict (name) do update set settings = excluded.settings, version = excluded.version,
      updated_at = excluded.updated_at`.execute(db)
  return { isSaved: true, before: stored.settings, stored: { settings, version } }
}
