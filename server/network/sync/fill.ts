import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import type { KeepAddress } from '../graph/addresses.ts'
import type { Graph } from '../graph/graph.ts'
import type { PageTokens } from '../graph/page-tokens.ts'
import { connectPage } from '../pages/connect-page.ts'
import type { ProfileLookups } from '../store/profile-lookups.ts'
import type { Sync } from './sync.ts'

/** More than a page has: the first fill takes them all. */
const everyConversation = 10_000

/**
 * Fills an empty inbox through the same calls that a real page would use: connects each page, reads its history, and
 * waits for the profiles, so that the inbox is first seen with names and pictures. The lookups must be started.
 */
export async function fillFromNetwork({
  db,
  graph,
  pageTokens,
  keep,
  sync,
  lookups,
  tokens,
  logger,
}: {
  db: Db
  graph: Graph
  pageTokens: PageTokens
  keep: KeepAddress
  sync: Sync
  lookups: Pick<ProfileLookups, 'settled'>
  /** Page access tokens. */
  tokens: readonly string[]
  logger: Logger
}): Promise<void> {
  for (const token of tokens) {
    const page = await connectPage({ db, graph, pageTokens, keep }, token)
    await sync.history(page.pageId, 'messenger', everyConversation)
    if (page.hasInstagram) await sync.history(page.pageId, 'instagram', everyConversation)
    logger.info({ pageId: page.pageId, name: page.name }, 'page connected')
  }
  await lookups.settled()
}
