import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { type Graph, webhookFields } from '../graph/graph.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import type { PageTokens } from '../graph/page-tokens.ts'

export type ConnectedPage = { pageId: string; name: string; hasInstagram: boolean }

/** Reads the page that a token belongs to. Throws GraphError if the network rejects the token. */
export async function pageOfToken(
  { graph, normalizeUrl }: { graph: Graph; normalizeUrl: NormalizeUrl },
  token: string,
) {
  const page = await graph.me(token)
  return {
    pageId: page.id,
    name: page.name,
    instagramId: page.instagram_business_account?.id ?? null,
    username: page.username ?? null,
    category: page.category ?? null,
    picture: normalizeUrl.picture(await graph.picture(token, page.id)),
  }
}
export type PageOfToken = Awaited<ReturnType<typeof pageOfToken>>

/** The columns that come from the network and the token. */
export const pageColumns = (pageTokens: PageTokens, page: PageOfToken, token: string) => ({
  page_access_token_encrypted: pageTokens.encrypt(page.pageId, token),
  token_invalid_since: null,
  instagram_id: page.instagramId,
  page_username: page.username,
  page_category: page.category,
  page_profile_pic_url: page.picture,
})

/** What is noted of a page that was subscribed to the webhook. */
export const subscribed = { webhook_fields: webhookFields.join() }

/**
 * Connects the page that a token belongs to, or renews its token: reads the page, stores it with the encrypted token,
 * and subscribes the app to the page's webhooks. Throws GraphError if the network rejects the token.
 */
export async function connectPage(
  { db, graph, pageTokens, normalizeUrl }: { db: Db; graph: Graph; pageTokens: PageTokens; normalizeUrl: NormalizeUrl },
  token: string,
): Promise<ConnectedPage> {
  const page = await pageOfToken({ graph, normalizeUrl }, token)
  const row = { page_name: page.name, ...pageColumns(pageTokens, page, token) }
  await db
    .insertInto('pages')
    .values({ page_id: page.pageId, ...row })
    .onConflict((conflict) => conflict.column('page_id').doUpdateSet({ ...row, updated_at: sql`now()` }))
    .execute()
  // Subscribe after the insert: webhooks for an unknown page are not stored.
  await graph.subscribe(token, page.pageId)
  await db.updateTable('pages').set(subscribed).where('page_id', '=', page.pageId).execute()
  return { pageId: page.pageId, name: page.name, hasInstagram: page.instagramId !== null }
}
