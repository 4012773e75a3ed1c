import type { Transaction } from 'kysely'
import { closedSince } from '../../../src/domain/pages/business-hours.ts'
import { findBusinessSettings } from '../../database/business-settings.ts'
import type { Row, Tables } from '../../database/tables.ts'

type Question = Pick<Row<'messages'>, 'primary_user_id' | 'timestamp_fb'> &
  Pick<Row<'fb_users'>, 'page_id'> &
  Pick<Row<'conversations'>, 'muted_at'>

/**
 * The beginning of the closed period, and the away answer of the page; null if the page is open or has no hours. `now`:
 * milliseconds. `timeZone`: of the business.
 */
export async function closedPeriodAt(
  trx: Transaction<Tables>,
  pageId: string,
  { now, timeZone }: { now: number; timeZone: string },
) {
  const { settings } = await findBusinessSettings(trx, 'business-hours')
  const hours = settings.pages[pageId]
  if (hours === undefined || !hours.is_on) return null
  const since = closedSince(hours, now, timeZone)
  return since === null ? null : { since: new Date(since), text: hours.text }
}

/**
 * The text of the page's away answer to a message that was written in the current closed period. Null if the page is open
 * or has no hours, if the person is muted, or if the person got an away answer in this period.
 */
export async function awayAnswer(
  trx: Transaction<Tables>,
  asked: Question,
  at: { now: number; timeZone: string },
): Promise<string | null> {
  const closed = asked.muted_at === null ? await closedPeriodAt(trx, asked.page_id, at) : null
  if (closed === null || asked.timestamp_fb < closed.since) return null
  const earlier = await trx
    .selectFrom('away_answers')
    .innerJoin('fb_users', 'fb_users.id', 'away_answers.fb_user_id')
    .select('away_answers.message_id')
    .where('fb_users.primary_user_id', '=', asked.primary_user_id)
    .where('decided_at', '>=', closed.since)
    .limit(1)
    .executeTakeFirst()
  if (earlier !== undefined) return null
  // An away answer may have been sent after the backup was made.
  const restored = await trx
    .selectFrom('restores')
    .select('restored_at')
    .where('restored_at', '>=', closed.since)
    .limit(1)
    .executeTakeFirst()
  return restored === undefined ? closed.text : null
}
