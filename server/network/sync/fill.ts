import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import type { Graph } from '../graph/graph.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import type { PageTokens } from '../graph/page-tokens.ts'
import { connectPage } from '../pages/connect-page.ts'
import type { ProfileLookups } from '../store/profile-lookups.ts'
import type { Sync } from './sync.ts'

/** More than any page of the sandbox has. */
const allConversations = 10_000

/**
 * Fills an empty inbox with the calls that a real page would use: connects each page, reads its history, and waits for
 * the profiles, so that names and pictures are there from the start. The lookups must be running.
 */
export async function fillFromNetwork({
  db,
  graph,
  pageTokens,
  normalizeUrl,
  sync,
  lookups,
  tokens,
  logger,
}: {
  db: Db
  graph: Graph
  pageTokens: PageTokens
  normalizeUrl: NormalizeUrl
  sync: Sync
  lookups: Pick<ProfileLookups, 'settled'>
  /** Page access tokens. */
  tokens: readonly string[]
  logger: Logger
}): Promise<void> {
  for (const token of tokens) {
    const page = await connectPage({ db, graph, pageTokens, normalizeUrl }, token)
    await sync.history(page.pageId, 'messenger', allConversations)
    if (page.hasInstagram) await sync.history(page.pageId, 'instagram', allConversations)
    logger.info({ pageId: page.pageId, name: page.name }, 'page connected')
  }
  await lookups.settled()
}
