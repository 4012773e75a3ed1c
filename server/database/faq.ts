import type * as z from 'zod/mini'
import type { faqEntryBody } from '../../src/schemas/faq.ts'
import { findBusinessSettings } from './business-settings.ts'
import type { Db } from './database.ts'
import { codeOf, foreignKeyViolation } from './transaction.ts'

/** The FAQ categories, sorted by position (spec section 7, GET /faq/categories). */
export const listFaqCategories = (db: Db) =>
  db.selectFrom('faq_categories').select(['id', 'name']).orderBy('position').orderBy('name').execute()

const shown = (db: Db) =>
  db
    .selectFrom('faq_entries as entry')
    .leftJoin('faq_categories as category', 'category.id', 'entry.category_id')
    .leftJoin('staff', 'staff.id', 'entry.created_by')
    .select([
      'entry.id',
      'entry.title',
      'entry.category_id',
      'category.name as category_name',
      'entry.keywords',
      'entry.response',
      'entry.is_active',
      'entry.priority',
      'staff.name as created_by_name',
      'entry.created_at',
      'entry.page_ids',
    ])

/** All FAQ entries, highest priority first (spec section 7, GET /faq/entries). */
export const listFaqEntries = (db: Db) =>
  shown(db).orderBy('entry.priority', 'desc').orderBy('entry.title').orderBy('entry.id').execute()

export const findFaqEntry = (db: Db, id: string) => shown(db).where('entry.id', '=', id).executeTakeFirst()

const listActiveFaqEntries = (db: Db) => shown(db).where('entry.is_active', '=', true).execute()

/** The active entries, and the score that near matches need to reply; null if they never do. */
export async function readFaqRules(db: Db) {
  const [entries, { settings }] = [await listActiveFaqEntries(db), await findBusinessSettings(db, 'faq-matching')]
  return { entries, leastScore: settings.least_score }
}

export type FaqValues = z.output<typeof faqEntryBody>

export class CategoryUnknown extends Error {
  override readonly name = 'CategoryUnknown'
}

/** Without `page_ids`, the pages of an existing entry stay as they are. */
const valuesOf = ({ page_ids, ...values }: FaqValues) => (page_ids === undefined ? values : { ...values, page_ids })

/** Returns the new entry's id. Throws CategoryUnknown. */
export async function createFaqEntry(db: Db, values: FaqValues, staffId: string | null): Promise<string> {
  const { id } = await withCategory(
    db
      .insertInto('faq_entries')
      .values({ ...valuesOf(values), created_by: staffId })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

/** False if there is no such entry. Throws CategoryUnknown. */
export async function updateFaqEntry(db: Db, id: string, values: FaqValues, now: Date): Promise<boolean> {
  const changed = await withCategory(
    db
      .updateTable('faq_entries')
      .set({ ...valuesOf(values), updated_at: now })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst(),
  )
  return changed !== undefined
}

async function withCategory<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (codeOf(error) === foreignKeyViolation) throw new CategoryUnknown()
    throw error
  }
}

/** Idempotent. Returns the deleted entry's title, undefined if there was none. */
export const deleteFaqEntry = (db: Db, id: string) =>
  db.deleteFrom('faq_entries').where('id', '=', id).returning('title').executeTakeFirst()
