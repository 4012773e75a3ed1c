import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import type { PageCalls } from '../graph/page-calls.ts'
import { subscribed } from './connect-page.ts'

/**
 * Subscribes pages again whose webhooks lack fields that this release reads. The next start tries again for those that
 * the network refuses.
 */
export async function renewSubscriptions({
  db,
  graph,
  calls,
  logger,
}: {
  db: Db
  graph: Pick<Graph, 'subscribe'>
  calls: Pick<PageCalls, 'call'>
  logger: Pick<Logger, 'warn'>
}): Promise<void> {
  const pages = await db
    .selectFrom('pages')
    .select('page_id')
    .where('deletion_started_at', 'is', null)
    .where('token_invalid_since', 'is', null)
    .where('webhook_fields', 'is distinct from', subscribed.webhook_fields)
    .orderBy('page_id')
    .execute()
  for (const { page_id: pageId } of pages) {
    try {
      await calls.call(pageId, { paced: false }, (token) => graph.subscribe(token, pageId))
      await db.updateTable('pages').set(subscribed).where('page_id', '=', pageId).execute()
    } catch (error) {
      const code = error instanceof GraphError ? error.code : null
      logger.warn({ pageId, code }, 'the webhooks of a page could not be renewed')
    }
  }
}
