import { sql, type Transaction } from 'kysely'
import type { PageDeletion } from '../../../src/schemas/page.ts'
import { type AuditActor, recordAudit } from '../../audit/audit.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { listedPages, listPages } from '../../database/pages.ts'
import type { Tables } from '../../database/tables.ts'
import { codeOf, inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import type { Erasures } from '../../people/erasures.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import { type PageCalls, PageUnusable } from '../graph/page-calls.ts'
import { PageRefused } from '../graph/page-refusals.ts'
import type { PageTokens } from '../graph/page-tokens.ts'
import { sendTimeout } from '../send/stored-sends.ts'
import { type PageOfToken, pageColumns, pageOfToken, subscribed } from './connect-page.ts'

export type PageManagement = ReturnType<typeof createPageManagement>

/** Milliseconds. Shorter than the browser waits for an answer. */
const maxDeletionWait = 10_000

const requiredScopes = ['pages_messaging']

/** Connects, changes and removes pages (spec section 2, Page Manager). Never returns a token. */
export function createPageManagement({
  db,
  graph,
  pageTokens,
  normalizeUrl,
  erasures,
  calls,
  appToken,
  clock,
  logger,
}: {
  db: Db
  graph: Graph
  pageTokens: PageTokens
  normalizeUrl: NormalizeUrl
  calls: Pick<PageCalls, 'call'>
  erasures: Pick<Erasures, 'beginPage' | 'run'>
  /** The app's own token, used to inspect page tokens. */
  appToken: string
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn'>
}) {
  /** Returns the page of a usable token. Throws GraphError, and PageRefused if the token is not a page token with the required scopes. */
  async function verifyToken(token: string): Promise<PageOfToken> {
    const page = await pageOfToken({ graph, normalizeUrl }, token).catch((error: unknown) => {
      throw isRefusedToken(error) ? tokenRefused() : error
    })
    const about = await graph.debugToken(appToken, token).catch((error: unknown) => {
      // An app cannot inspect another app's tokens. The token did read its page, so it is accepted.
      if (error instanceof GraphError && !error.uncertain) return null
      throw error
    })
    if (about === null) return page
    if (!about.is_valid) throw tokenRefused()
    if (about.type && about.type.toUpperCase() !== 'PAGE') throw notOfPage()
    const missing = about.scopes ? requiredScopes.filter((scope) => !about.scopes?.includes(scope)) : []
    if (missing.length > 0) throw scopesMissing(missing)
    return page
  }

  const getPage = async (pageId: string) => {
    const page = await listedPages(db).where('page_id', '=', pageId).executeTakeFirst()
    if (page === undefined) throw new PageUnusable('unknown')
    return page
  }

  async function whyNotCreated(trx: Transaction<Tables>, { pageId, name }: PageOfToken): Promise<PageRefused> {
    const existing = await trx
      .selectFrom('pages')
      .select('deletion_started_at')
      .where('page_id', '=', pageId)
      .executeTakeFirst()
    return existing?.deletion_started_at == null ? alreadyConnected(name) : stillDeleting(name)
  }

  async function unsubscribe(pageId: string, storedToken: string): Promise<void> {
    try {
      await graph.unsubscribe(pageTokens.decrypt(pageId, storedToken), pageId)
    } catch (error) {
      const code = error instanceof GraphError ? error.code : null
      logger.warn({ pageId, code }, 'unsubscribing a removed page from webhooks failed')
    }
  }

  /** Removes a page that was not connected after all, and records it. */
  async function deleteRecorded(trx: Transaction<Tables>, pageId: string, by: AuditActor): Promise<void> {
    const deleted = await trx
      .deleteFrom('pages')
      .where('page_id', '=', pageId)
      .returning('page_name')
      .executeTakeFirst()
    if (deleted === undefined) return
    await recordAudit(trx, {
      at: clock.now(),
      by,
      action: 'page.removed',
      row: { kind: 'page', id: pageId },
      details: { name: deleted.page_name },
    })
  }

  let isChecking = false

  return {
    /**
     * Asks the network about the token of each page, one after the other. A refused token is marked. Does nothing while a
     * check is running. Never throws.
     */
    async checkTokens(): Promise<void> {
      if (isChecking) return
      isChecking = true
      try {
        const pages = await listPages(db)
        for (const { page_id: pageId } of pages) {
          await calls
            .call(pageId, { paced: false }, (token) => graph.me(token))
            .catch((error: unknown) => {
              const code = error instanceof GraphError ? error.code : null
              logger.warn({ pageId, code }, 'the token of a page could not be checked')
            })
        }
      } catch (error) {
        logger.warn({ reason: codeOf(error) }, 'checking the tokens of the pages failed')
      } finally {
        isChecking = false
      }
    },

    /** Returns the page of a token, and whether that page is already connected. Throws GraphError and PageRefused. */
    async verify(token: string) {
      const page = await verifyToken(token)
      const existing = await db
        .selectFrom('pages')
        .select('page_id')
        .where('page_id', '=', page.pageId)
        .executeTakeFirst()
      return { ...page, isConnected: existing !== undefined }
    },

    /** Connects a page under the name that staff chose. Throws GraphError and PageRefused. */
    async create({ name, token, isActive }: { name: string; token: string; isActive: boolean }, by: AuditActor) {
      const page = await verifyToken(token)
      await inTransaction(db, async (trx) => {
        const created = await trx
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
        if (created === undefined) throw await whyNotCreated(trx, page)
        const row = { kind: 'page', id: page.pageId } as const
        await recordAudit(trx, { at: clock.now(), by, action: 'page.connected', row, details: { name } })
      })
      try {
        // Subscribe after the insert: webhooks for an unknown page are not stored.
        await graph.subscribe(token, page.pageId)
      } catch (error) {
        await inTransaction(db, (trx) => deleteRecorded(trx, page.pageId, by))
        throw error
      }
      await db.updateTable('pages').set(subscribed).where('page_id', '=', page.pageId).execute()
      logger.info({ pageId: page.pageId }, 'a page was connected')
      return getPage(page.pageId)
    },

    /** Changes a page; omitted fields stay. A new token must belong to the same page. Throws like `create`. */
    async update(
      pageId: string,
      {
        name,
        token,
        isActive,
        showsTyping,
        showsSeen,
      }: {
        name: string
        token?: string | undefined
        isActive?: boolean | undefined
        /** Whether customers see that staff write, and that staff have read. */
        showsTyping?: boolean | undefined
        showsSeen?: boolean | undefined
      },
      by: AuditActor,
    ) {
      await getPage(pageId)
      let renewed = {}
      if (token !== undefined) {
        const page = await verifyToken(token)
        if (page.pageId !== pageId) throw ofAnotherPage(page.name)
        await graph.subscribe(token, pageId)
        renewed = { ...pageColumns(pageTokens, page, token), ...subscribed }
      }
      await inTransaction(db, async (trx) => {
        const changed = await trx
          .updateTable('pages')
          .set({
            page_name: name,
            ...(isActive === undefined ? {} : { is_active: isActive }),
            ...(showsTyping === undefined ? {} : { shows_typing: showsTyping }),
            ...(showsSeen === undefined ? {} : { shows_seen: showsSeen }),
            ...renewed,
            updated_at: sql`now()`,
          })
          .where('page_id', '=', pageId)
          .returning('is_active')
          .executeTakeFirst()
        if (changed === undefined) return
        const entry = { at: clock.now(), by, row: { kind: 'page', id: pageId } } as const
        await recordAudit(trx, { ...entry, action: 'page.changed', details: { name, active: changed.is_active } })
        if (token !== undefined) await recordAudit(trx, { ...entry, action: 'token.entered', details: { name } })
      })
      return getPage(pageId)
    },

    /** Counts what would be deleted with a page. Throws PageUnusable if the page is not connected. */
    async deletion(pageId: string): Promise<PageDeletion> {
      await getPage(pageId)
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
      if (row === undefined) throw new Error('an aggregate without GROUP BY returned no row')
      return row
    },

    /**
     * Deletes a page with its messages, its part of each conversation, the texts of its sends and its stored webhook
     * bodies. Returns when all is deleted, or after `maxDeletionWait`; then the deletion continues, and the page is not listed
     * any more. Deleting a missing page is not an error. Throws PageRefused while a message is being sent from the page.
     */
    async remove(pageId: string, by: AuditActor): Promise<void> {
      const page = await db
        .selectFrom('pages')
        .select('page_access_token_encrypted')
        .where('page_id', '=', pageId)
        .executeTakeFirst()
      const erasure = await erasures.beginPage(pageId, {
        by,
        check: async (trx) => {
          const sending = await trx
            .selectFrom('sends')
            .select('idempotency_key')
            .where('page_id', '=', pageId)
            .where('state', '=', 'sending')
            .where('updated_at', '>', new Date(clock.now() - sendTimeout))
            .executeTakeFirst()
          if (sending !== undefined) throw stillSending()
        },
      })
      if (page === undefined || erasure === null) return
      const { promise: isTimeUp, resolve } = Promise.withResolvers<void>()
      const cancelTimer = clock.after(maxDeletionWait, resolve)
      await Promise.race([erasures.run(erasure), isTimeUp])
      cancelTimer()
      await unsubscribe(pageId, page.page_access_token_encrypted)
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

const stillDeleting = (name: string) =>
  new PageRefused({
    status: 409,
    code: 'PAGE_BEING_DELETED',
    text: `${name} is still being deleted. Try again in a few minutes.`,
  })

const stillSending = () =>
  new PageRefused({
    status: 409,
    code: 'STILL_SENDING',
    text: 'A message is being sent from this page. Try again in a moment.',
  })
