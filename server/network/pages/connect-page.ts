import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import type { KeepAddress } from '../graph/addresses.ts'
import type { Graph } from '../graph/graph.ts'
import type { PageTokens } from '../graph/page-tokens.ts'

export type ConnectedPage = { pageId: string; name: string; hasInstagram: boolean }

/** What the network says of the page to which a token belongs. Throws GraphError when it does not accept the token. */
export async function pageOfToken({ graph, keep }: { graph: Graph; keep: KeepAddress }, token: string) {
  const page = await graph.me(token)
  return {
    pageId: page.id,
    name: page.name,
    instagramId: page.instagram_business_account?.id ?? null,
    username: page.username ?? null,
    category: page.category ?? null,
    picture: keep.picture(await graph.picture(token, page.id)),
  }
}
export type PageOfToken = Awaited<ReturnType<typeof pageOfToken>>

/** What is kept of a page and its token. */
export const pageColumns = (pageTokens: PageTokens, page: PageOfToken, token: string) => ({
  page_access_token_encrypted: pageTokens.encrypt(page.pageId, token),
  token_invalid_since: null,
  instagram_id: page.instagramId,
  page_username: page.username,
  page_category: page.category,
  page_profile_pic_url: page.picture,
})

/**
 * Connects the page to which a token belongs, or renews its token: asks the network who it is, has it post the page's
 * messages here, and keeps the token encrypted. Throws GraphError when the network does not accept the token.
 */
export async function connectPage(
  { db, graph, pageTokens, keep }: { db: Db; graph: Graph; pageTokens: PageTokens; keep: KeepAddress },
  token: string,
): Promise<ConnectedPage> {
  const page = await pageOfToken({ graph, keep }, token)
  const row = { page_name: page.name, ...pageColumns(pageTokens, page, token) }
  await db
    .insertInto('pages')
    .values({ page_id: page.pageId, ...row })
    .onConflict((conflict) => conflict.column('page_id').doUpdateSet({ ...row, updated_at: sql`now()` }))
    .execute()
  // Only now: what the network posts of a page that is not here yet would be filed as nobody's.
  await graph.subscribe(token, page.pageId)
  return { pageId: page.pageId, name: page.name, hasInstagram: page.instagramId !== null }
}
