import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { KeepAddress } from './addresses.ts'
import type { Graph } from './graph.ts'
import type { PageTokens } from './page-tokens.ts'

export type ConnectedPage = { pageId: string; name: string; hasInstagram: boolean }

/**
 * Connects the page to which a token belongs, or renews its token: asks the network who it is, has it post the page's
 * messages here, and keeps the token encrypted. Throws GraphError when the network does not accept the token.
 */
export async function connectPage(
  { db, graph, pageTokens, keep }: { db: Db; graph: Graph; pageTokens: PageTokens; keep: KeepAddress },
  token: string,
): Promise<ConnectedPage> {
  const page = await graph.me(token)
  const picture = keep.picture(await graph.picture(token, page.id))
  const row = {
    page_name: page.name,
    page_access_token_encrypted: pageTokens.encrypt(page.id, token),
    instagram_id: page.instagram_business_account?.id ?? null,
    page_username: page.username ?? null,
    page_category: page.category ?? null,
    page_profile_pic_url: picture,
  }
  await db
    .insertInto('pages')
    .values({ page_id: page.id, ...row })
    .onConflict((conflict) => conflict.column('page_id').doUpdateSet({ ...row, updated_at: sql`now()` }))
    .execute()
  // Only now: what the network posts of a page that is not here yet would be filed as nobody's.
  await graph.subscribe(token, page.id)
  return { pageId: page.id, name: page.name, hasInstagram: row.instagram_id !== null }
}
