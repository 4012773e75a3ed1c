import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { claimIn } from '../../../src/domain/comments/claims.ts'
import { recordAudit, serverActor } from '../../audit/audit.ts'
import type { Clock } from '../../clock.ts'
import { findBusinessSettings } from '../../database/business-settings.ts'
import { makeOrder } from '../../database/chat-orders.ts'
import { lockPosts } from '../../database/comments.ts'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { retryRowsThatWait } from '../../database/waiting-rows.ts'
import type { Logger } from '../../logger.ts'
import { createWorkLoop } from '../../work-loop.ts'
import { refreshThreadsOf } from './store-comments.ts'

type Trx = Transaction<Tables>

const pollInterval = 5_000

/**
 * Stores the claims of new comments, first come first served by the time of the comment. The posts are locked, so two
 * processes never give away the last piece twice. A comment claims once.
 */
export async function takeClaims(trx: Trx, commentIds: readonly string[], now: Date): Promise<void> {
  if (commentIds.length === 0) return
  const { settings: sale } = await findBusinessSettings(trx, 'live-sale')
  if (!sale.is_on) return
  const { rows } = await sql<{ id: string; post_id: string; message: string }>`
    select comments.id, post_id, comments.message from comments join posts on posts.id = comments.post_id
    where comments.id = any(${[...commentIds]}::text[]) and not by_page and removed_at is null
      and comments.message is not null
      and ${sale.post_id === null ? sql`posts.is_live` : sql`posts.id = ${sale.post_id}`}
    order by comments.created_at, comments.id`.execute(trx)
  for (const { id, post_id, message } of rows) {
    const claim = claimIn(message, sale.keyword)
    const item = claim && sale.items.find(({ number }) => number === claim.number)
    if (claim === null || !item) continue
    const { number, name, price, stock } = item
    const { rows: claimed } = await sql<{ quantity: number }>`
      select coalesce(sum(quantity), 0)::integer as quantity from live_sale_claims
      where post_id = ${post_id} and number = ${number} and state <> 'soldOut'`.execute(trx)
    const isLeft = stock === null || (claimed[0]?.quantity ?? 0) + claim.quantity <= stock
    await trx
      .insertInto('live_sale_claims')
      .values({
        comment_id: id,
        post_id,
        number,
        name,
        quantity: claim.quantity,
        price,
        state: isLeft ? 'open' : 'soldOut',
        order_id: null,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('comment_id').doNothing())
      .execute()
  }
}

/** Makes the orders of open claims once their person is linked to a client. Processes share the claims. */
export function createLiveSales({
  db,
  clock,
  logger,
}: {
  db: Db
  clock: Clock
  logger: Pick<Logger, 'error' | 'warn'>
}) {
  async function orderDue(isRunning: () => boolean): Promise<void> {
    while (isRunning() && (await orderNext()));
  }

  /** False if no claim can be ordered. */
  const orderNext = (): Promise<boolean> =>
    inTransaction(db, async (trx) => {
      const { rows } = await sql<{
        comment_id: string
        post_id: string
        name: string
        quantity: number
        price: number
        client_id: string
      }>`
        select claims.comment_id, claims.post_id, claims.name, quantity, price, clients.id as client_id
        from live_sale_claims claims
        join comments on comments.id = claims.comment_id
        join comment_threads threads on threads.post_id = comments.post_id and threads.author_id = comments.author_id
        join fb_users on fb_users.page_id = comments.page_id
          and fb_users.psid = coalesce(threads.psid, comments.author_id)
        join clients on clients.id = fb_users.client_id and clients.removed_at is null
        where claims.state = 'open' order by claims.created_at, claims.comment_id
        limit 1 for update of claims skip locked`.execute(trx)
      const [claim] = rows
      if (claim === undefined) return false
      const now = new Date(clock.now())
      const order = {
        id: randomUUID(),
        client_id: claim.client_id,
        message_id: null,
        attachment: null,
        items: [{ name: claim.name, quantity: claim.quantity, unit_price: claim.price }],
        discount: 0,
        delivery_fee: 0,
      }
      const made = await makeOrder(trx, order, { staffId: null, now })
      if (made.result !== 'made') {
        logger.warn({ result: made.result }, 'a claim of a live sale could not be ordered')
        return false
      }
      await trx
        .updateTable('live_sale_claims')
        .set({ state: 'ordered', order_id: order.id })
        .where('comment_id', '=', claim.comment_id)
        .execute()
      await recordAudit(trx, {
        at: now.getTime(),
        by: serverActor,
        action: 'order.created',
        row: { kind: 'client', id: claim.client_id },
        details: { order: made.orderNumber, total: made.total / 100 },
      })
      await retryRowsThatWait(trx, ['payments'])
      await lockPosts(trx, [claim.post_id])
      await refreshThreadsOf(trx, [claim.comment_id])
      return true
    })

  return createWorkLoop({
    work: orderDue,
    sweep: async () => undefined,
    pollInterval,
    failureMessage: 'ordering the claims of a live sale failed',
    clock,
    logger,
  })
}
