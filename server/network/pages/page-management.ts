import { sql } from 'kysely'
import type { PageDeletion } from '../../../src/schemas/page.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { listedPages } from '../../database/pages.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import type { KeepAddress } from '../graph/addresses.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import { PageUnusable } from '../graph/page-calls.ts'
import { PageRefused } from '../graph/page-refusals.ts'
import type { PageTokens } from '../graph/page-tokens.ts'
import { abandonedAfter } from '../send/sending.ts'
import { type PageOfToken, pageColumns, pageOfToken } from './connect-page.ts'

export type PageManagement = ReturnType<typeof createPageManagement>

/** Without these a page can be neither read nor answered for. */
const neededScopes = ['pages_messaging']

/** Connects, changes and removes pages (spec section 2, Page Manager). Tokens go in and never come out. */
export function createPageManagement({
  db,
  graph,
  pageTokens,
  keep,
  appToken,
  clock,
  logger,
}: {
  db: Db
  graph: Graph
  pageTokens: PageTokens
  keep: KeepAddress
  /** The app's own, with which a token is inspected. */
  appToken: string
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn'>
}) {
  /** The page of a token that is good for the inbox. Throws GraphError, and PageRefused for a token of another kind. */
  async function verified(token: string): Promise<PageOfToken> {
    const page = await pageOfToken({ graph, keep }, token).catch((error: unknown) => {
      throw isRefusedToken(error) ? tokenRefused() : error
    })
    const about = await graph.debugToken(appToken, token).catch((error: unknown) => {
      // An app may not inspect another app's tokens; that a page answered to it is enough.
      if (error instanceof GraphError && !error.uncertain) return null
      throw error
    })
    if (about === null) return page
    if (!about.is_valid) throw tokenRefused()
    if (about.type && about.type.toUpperCase() !== 'PAGE') throw notOfPage()
    const missing = about.scopes ? neededScopes.filter((scope) => !about.scopes?.includes(scope)) : []
    if (missing.length > 0) throw scopesMissing(missing)
    return page
  }

  const listed = async (pageId: string) => {
    const page = await listedPages(db).where('page_id', '=', pageId).executeTakeFirst()
    if (page === undefined) throw new PageUnusable('unknown')
    return page
  }

  async function unsubscribe(pageId: string, storedToken: string): Promise<void> {
    try {
      await graph.unsubscribe(pageTokens.decrypt(pageId, storedToken), pageId)
    } catch (error) {
      const code = error instanceof GraphError ? error.code : null
      logger.warn({ pageId, code }, 'the network could not be told that a page was removed')
    }
  }

  return {
    /** To which page a token belongs, and whether it is connected already. Throws GraphError and PageRefused. */
    async verify(token: string) {
      const page = await verified(token)
      const known = await db.selectFrom('pages').select('page_id').where('page_id', '=', page.pageId).executeTakeFirst()
      return { ...page, isConnected: known !== undefined }
    },

    /** Connects a page under a name of staff's own. Throws GraphError and PageRefused. */
    async create({ name, token, isActive }: { name: string; token: string; isActive: boolean }) {
      const page = await verified(token)
      const made = await db
        .insertInto('pages')
        .values({
          page_id: page.pageId,
          page_name: name,
          is_active: isActive,
          ...pageColumns(pageTokens, page, token),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('page_id')
        .executeTakeFirst()
      if (made === undefined) throw alreadyConnected(page.name)
      try {
        // Only now: what the network posts of a page that is not here yet would be filed as nobody's.
        await graph.subscribe(token, page.pageId)
      } catch (error) {
        await db.deleteFrom('pages').where('page_id', '=', page.pageId).execute()
        throw error
      }
      logger.info({ pageId: page.pageId }, 'a page was connected')
      return listed(page.pageId)
    },

    /** Changes a page; what is left out stays. A new token must be of the same page. Throws as `create` does. */
    async update(
      pageId: string,
      { name, token, isActive }: { name: string; token?: string | undefined; isActive?: boolean | undefined },
    ) {
      await listed(pageId)
      let renewed = {}
      if (token !== undefined) {
        const page = await verified(token)
        if (page.pageId !== pageId) throw ofAnotherPage(page.name)
        await graph.subscribe(token, pageId)
        renewed = pageColumns(pageTokens, page, token)
      }
      await db
        .updateTable('pages')
        .set({
          page_name: name,
          ...(isActive === undefined ? {} : { is_active: isActive }),
          ...renewed,
          updated_at: sql`now()`,
        })
        .where('page_id', '=', pageId)
        .execute()
      return listed(pageId)
    },

    /** What goes with a page that is removed. Throws PageUnusable for one that is not connected. */
    async deletion(pageId: string): Promise<PageDeletion> {
      await listed(pageId)
      const { rows } = await sql<PageDeletion>`
        select
          count(*) filter (where not elsewhere)::integer as conversations,
          count(*) filter (where elsewhere)::integer as shared_conversations,
          coalesce(sum(total_messages), 0)::integer as messages,
          (select count(*) from sends where page_id = ${pageId} and state in ('sending', 'unknown'))::integer as unsent_messages
        from (
          select here.total_messages, exists (
            select from conversation_pages other
            where other.primary_user_id = here.primary_user_id and other.page_id <> here.page_id
          ) as elsewhere
          from conversation_pages here where here.page_id = ${pageId}
        ) conversations`.execute(db)
      const [row] = rows
      if (row === undefined) throw new Error('An aggregate without groups answers one row')
      return row
    },

    /**
     * Removes a page with its messages and its part of each conversation; one that is gone already is no error. Throws
     * PageRefused while a message of it is being sent.
     */
    async remove(pageId: string): Promise<void> {
      const storedToken = await inTransaction(db, async (trx) => {
        const page = await trx
          .selectFrom('pages')
          .select('page_access_token_encrypted')
          .where('page_id', '=', pageId)
          .forUpdate()
          .executeTakeFirst()
        if (page === undefined) return null
        const beingSent = await trx
          .selectFrom('sends')
          .select('idempotency_key')
          .where('page_id', '=', pageId)
          .where('state', '=', 'sending')
          .where('updated_at', '>', new Date(clock.now() - abandonedAfter))
          .executeTakeFirst()
        if (beingSent !== undefined) throw stillSending()
        await trx.deleteFrom('pages').where('page_id', '=', pageId).execute()
        return page.page_access_token_encrypted
      })
      if (storedToken === null) return
      logger.info({ pageId }, 'a page was removed')
      await unsubscribe(pageId, storedToken)
    },
  }
}

const isRefusedToken = (error: unknown) => error instanceof GraphError && error.refusal === 'reconnectPage'

const tokenRefused = () =>
  new PageRefused({
    status: 422,
    code: 'TOKEN_REFUSED',
    text: 'The network does not accept this token. It may be incomplete, expired or revoked.',
  })

const notOfPage = () =>
  new PageRefused({
    status: 422,
    code: 'TOKEN_NOT_OF_PAGE',
    text: 'This token belongs to a person or an app, not to a page.',
  })

const scopesMissing = (scopes: string[]) =>
  new PageRefused({
    status: 422,
    code: 'TOKEN_SCOPES_MISSING',
    text: `This token lacks the permission ${scopes.join(', ')}.`,
  })

const ofAnotherPage = (name: string) =>
  new PageRefused({ status: 422, code: 'TOKEN_OF_ANOTHER_PAGE', text: `This token belongs to another page, ${name}.` })

const alreadyConnected = (name: string) =>
  new PageRefused({
    status: 409,
    code: 'PAGE_EXISTS',
    text: `${name} is connected already. Edit it in the list to give it a new token.`,
  })

const stillSending = () =>
  new PageRefused({
    status: 409,
    code: 'STILL_SENDING',
    text: 'A message is being sent from this page. Try again in a moment.',
  })
