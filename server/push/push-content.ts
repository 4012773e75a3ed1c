import { pauseAfterNews } from '../../src/domain/list/comment-news.ts'
import { commentsPushNotice, type PushFacts, pushNotice } from '../../src/domain/list/push-notices.ts'
import type { PushPayload } from '../../src/schemas/web-push.ts'
import type { Db } from '../database/database.ts'
import type { Row } from '../database/tables.ts'
import type { Delivery } from './push-deliveries.ts'
import { findWatchingStaff } from './subscriptions.ts'

/** The threads that a notification about comments counts. */
const maxThreads = 1_000

type Content = Pick<Row<'push_subscriptions'>, 'endpoint' | 'p256dh' | 'auth'> & {
  content: PushPayload
  /** Milliseconds without further notifications about comments. */
  pause: number
}

/** The content of a delivery and where it goes; null if nothing is to be told any more. */
export async function findContent(db: Db, delivery: Delivery, showsNames: boolean): Promise<Content | null> {
  const { kind, primary_user_id, comments_since, subscription_id } = delivery
  if (kind !== 'comments') {
    return primary_user_id === null ? null : findConversation(db, { ...delivery, kind, primary_user_id }, showsNames)
  }
  return comments_since === null ? null : findComments(db, { subscription_id, comments_since }, showsNames)
}

/** The new comments that still need an answer. */
async function findComments(
  db: Db,
  { subscription_id, comments_since }: { subscription_id: string; comments_since: Date },
  showsNames: boolean,
): Promise<Content | null> {
  const found = await db
    .selectFrom('push_subscriptions as s')
    .leftJoin('notification_settings as n', 'n.staff_id', 's.staff_id')
    .select(['s.endpoint', 's.p256dh', 's.auth', 's.staff_id', 'n.settings'])
    .where('s.id', '=', subscription_id)
    .executeTakeFirst()
  if (found === undefined || (await findWatchingStaff(db)).has(found.staff_id)) return null
  const threads = await db
    .selectFrom('comment_threads as t')
    .innerJoin('pages as p', 'p.page_id', 't.page_id')
    .select(['t.id', 't.author_name', 't.waiting_text', 'p.page_name'])
    .where('t.waiting_since', 'is not', null)
    .where('t.news_at', '>=', comments_since)
    .orderBy('t.news_at')
    .limit(maxThreads)
    .execute()
  const news = threads.map(({ id: threadId, author_name: name, waiting_text: line }) => ({ threadId, name, line }))
  const pages = new Set(threads.map(({ page_name }) => page_name))
  const content = commentsPushNotice(news, {
    page: pages.size === 1 ? (threads[0]?.page_name ?? null) : null,
    showsNames,
    showsText: found.settings?.showsText ?? false,
  })
  return content === null ? null : { ...found, content, pause: pauseAfterNews(news) }
}

async function findConversation(
  db: Db,
  {
    subscription_id,
    primary_user_id,
    ...event
  }: Delivery & { kind: Row<'due_pushes'>['kind']; primary_user_id: string },
  showsNames: boolean,
): Promise<Content | null> {
  const found = await db
    .selectFrom('push_subscriptions as s')
    .innerJoin('conversations as c', (join) => join.on('c.primary_user_id', '=', primary_user_id))
    .leftJoin('messages as m', (join) => join.on('m.message_id', '=', event.message_id))
    .leftJoin('pages as p', (join) =>
      join.on((on) => on('p.page_id', '=', on.fn.coalesce('m.page_id', 'c.last_message_page_id'))),
    )
    .leftJoin('staff as by', (join) => join.on('by.id', '=', event.written_by))
    .leftJoin('notification_settings as n', 'n.staff_id', 's.staff_id')
    .select(['s.endpoint', 's.p256dh', 's.auth', 'c.unified_name', 'm.message_text', 'm.is_read', 'p.page_name'])
    .select(['by.name as written_by_name', 'n.settings', 's.staff_id'])
    .where('s.id', '=', subscription_id)
    .executeTakeFirst()
  if (found === undefined) return null
  // The message was removed, or somebody has read it.
  if (event.kind === 'message' && found.is_read !== false) return null
  if ((await findWatchingStaff(db)).has(found.staff_id)) return null
  const about = { conversationId: primary_user_id, page: found.page_name, name: found.unified_name }
  const facts: PushFacts =
    event.kind === 'message'
      ? { ...about, kind: event.kind, text: found.message_text }
      : event.kind === 'mention'
        ? { ...about, kind: event.kind, by: found.written_by_name }
        : { ...about, kind: event.kind }
  const content = pushNotice(facts, { showsNames, showsText: found.settings?.showsText ?? false })
  return { ...found, content, pause: 0 }
}
