import { sql, type Transaction } from 'kysely'
import { automaticKeyOf, automaticKeyStart } from '../../../src/domain/faq/automatic.ts'
import { answererOf } from '../../../src/domain/faq/faq-answers.ts'
import { replyOf } from '../../../src/domain/faq/faq-reply.ts'
import { limits } from '../../../src/domain/limits.ts'
import { fitsInMessage } from '../../../src/domain/send/text-limit.ts'
import type { Clock } from '../../clock.ts'
import { deleteOlder } from '../../database/batches.ts'
import type { Db } from '../../database/database.ts'
import { readFaqRules } from '../../database/faq.ts'
import type { Row, Tables } from '../../database/tables.ts'
import { codeOf, inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { createWorkLoop } from '../../work-loop.ts'
import { SendRefused } from '../send/send-refusals.ts'
import type { Sending } from '../send/sending.ts'
import type { Database } from '../store/store.ts'
import { awayAnswer, closedPeriodAt } from './away-answer.ts'

/** Milliseconds. */
export const autoReplyTimes = {
  /** No automatic reply for this long after staff wrote to the person. */
  staffActiveWindow: 60 * 60_000,
  /** Minimum time between two automatic replies to one person. */
  cooldown: 10 * 60_000,
  /** Messages older than this get no reply. The minute leaves time to send before the network's window closes. */
  replyWindow: limits.replyWindows.standard - 60_000,
  /** How long a reply waits for the name of a person whose profile is being read for the first time. */
  nameTimeout: 3_000,
  /** A refused reply is dropped after this. */
  maxAge: 15 * 60_000,
} as const

/** The `staff_id` of automatic replies in `sends`. */
const automaticSender = 'automatic'

const batchSize = 10
const pollInterval = 2_000
/** Longer than a send takes. */
const leaseDuration = 60_000
const maxBackoff = 2 * 60_000
/** Longer than the day and a half for which the network redelivers webhooks. */
const retention = 3 * 24 * 60 * 60_000

export type AutoReply = ReturnType<typeof createAutoReply>

/**
 * The auto-reply worker: answers incoming messages from FAQ entries (spec section 3, FAQ entry). Outside of the business
 * hours of the page, a message that no entry matches gets the away answer. Each person gets the away answer once in a
 * closed period. A reply is sent at most once, across processes and restarts: the decision is stored before the request,
 * and a request with an unknown result is never repeated automatically. Such a reply is shown in the thread as unconfirmed
 * (`messages.unconfirmed_reply`), until an echo confirms it or staff decide (`unconfirmed-replies.ts`). A definitely
 * refused reply is retried.
 */
export function createAutoReply({
  db,
  sending,
  timeZone,
  clock,
  logger,
}: {
  db: Db
  sending: Pick<Sending, 'sendOnce'>
  /** Of the business. */
  timeZone: string
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  async function processDue(isRunning: () => boolean): Promise<void> {
    for (;;) {
      const now = new Date(clock.now())
      const due = await db
        .selectFrom('auto_replies')
        .select('message_id')
        .where('state', 'in', ['due', 'sending'])
        .where('due_at', '<=', now)
        .orderBy('created_at')
        .limit(batchSize)
        .execute()
      await Promise.all(due.map(({ message_id }) => process(message_id)))
      if (!isRunning() || due.length < batchSize) return
    }
  }

  async function process(messageId: string): Promise<void> {
    try {
      if (!(await claim(messageId))) return
      const reply = await inTransaction(db, (trx) => decide(trx, messageId))
      if (reply !== null) await send(messageId, reply)
    } catch (error) {
      // Retried when the lease expires.
      logger.error({ messageId, reason: codeOf(error) }, 'an automatic reply failed')
    }
  }

  /** False if another process holds the message or has settled it. */
  async function claim(messageId: string): Promise<boolean> {
    const now = clock.now()
    const claimed = await db
      .updateTable('auto_replies')
      .set((row) => ({ due_at: new Date(now + leaseDuration), attempts: row('attempts', '+', 1) }))
      .where('message_id', '=', messageId)
      .where('state', 'in', ['due', 'sending'])
      .where('due_at', '<=', new Date(now))
      .returning('message_id')
      .executeTakeFirst()
    return claimed !== undefined
  }

  /** Returns the reply to send: the stored one, or a new one. Null if there is none. */
  async function decide(trx: Transaction<Tables>, messageId: string): Promise<Reply | null> {
    const asked = await readQuestion(trx, messageId)
    if (asked === undefined) return settle(trx, messageId, 'none')
    // Without this lock, two processes could each answer one message of the same person within the cooldown.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`auto-reply ${asked.primary_user_id}`}, 0))`.execute(trx)
    const now = clock.now()
    const isLate = asked.decided_at !== null && now - asked.decided_at.getTime() >= autoReplyTimes.maxAge
    if (asked.state === 'sending' && asked.reply !== null && mayHaveArrived(asked.send_state)) {
      // A send whose process died is still 'sending'. `sendOnce` marks it as unconfirmed.
      return asked.send_state === 'sending' ? { ...asked, reply: asked.reply } : settle(trx, messageId, 'sent')
    }
    const isTooOld = now - asked.timestamp_fb.getTime() >= autoReplyTimes.replyWindow
    if (!asked.is_active || isTooOld || asked.precedes_restore) {
      return settle(trx, messageId, 'none')
    }
    if (await hasBeenAnswered(trx, asked, now)) return settle(trx, messageId, 'none')
    if (asked.state === 'sending' && asked.reply !== null) {
      if (asked.is_away && (await closedPeriodAt(trx, asked.page_id, { now, timeZone })) === null)
        return settle(trx, messageId, 'none')
      return isLate ? settle(trx, messageId, 'failed') : { ...asked, reply: asked.reply }
    }
    const { entries, leastScore } = await readFaqRules(trx)
    const { answerId } = answererOf(entries)(asked.message_text ?? '', { pageId: asked.page_id, leastScore })
    const response =
      answerId === null ? await awayAnswer(trx, asked, { now, timeZone }) : await responseOf(trx, answerId)
    if (response === null || (await isInCooldown(trx, asked.primary_user_id, now))) {
      return settle(trx, messageId, 'none')
    }
    const reply = replyOf(response, asked.first_name ?? asked.name)
    if (reply === '' || !fitsInMessage(reply, asked.platform)) {
      logger.warn({ messageId, faqId: answerId }, 'the text of an automatic reply is empty or too long')
      return settle(trx, messageId, 'none')
    }
    const decidedAt = new Date(now)
    await trx
      .updateTable('auto_replies')
      .set({ state: 'sending', faq_id: answerId, reply, decided_at: decidedAt })
      .where('message_id', '=', messageId)
      .execute()
    if (answerId === null) {
      const given = { message_id: messageId, decided_at: decidedAt }
      await trx
        .insertInto('away_answers')
        .values({ fb_user_id: asked.fb_user_id, ...given })
        .onConflict((conflict) => conflict.column('fb_user_id').doUpdateSet(given))
        .execute()
    }
    return { ...asked, reply }
  }

  async function responseOf(trx: Transaction<Tables>, faqId: string): Promise<string | null> {
    const entry = await trx.selectFrom('faq_entries').select('response').where('id', '=', faqId).executeTakeFirst()
    return entry?.response ?? null
  }

  /** The incoming message with its stored decision; undefined if the person deleted it. */
  const readQuestion = (trx: Transaction<Tables>, messageId: string) =>
    trx
      .selectFrom('auto_replies as due')
      .innerJoin('messages', 'messages.message_id', 'due.message_id')
      .innerJoin('fb_users as person', 'person.id', 'messages.fb_user_id')
      .innerJoin('pages', 'pages.page_id', 'person.page_id')
      .innerJoin('conversations', 'conversations.primary_user_id', 'messages.primary_user_id')
      .leftJoin('away_answers', 'away_answers.message_id', 'due.message_id')
      .leftJoin('sends', (join) => join.on('sends.idempotency_key', '=', automaticKeyOf(messageId)))
      .select([
        'due.state',
        'sends.state as send_state',
        'due.reply',
        'due.decided_at',
        sql<string | null>`written_text(messages.message_text, messages.content)`.as('message_text'),
        'messages.timestamp_fb',
        'messages.primary_user_id',
        'messages.fb_user_id',
        'conversations.muted_at',
        sql<boolean>`away_answers.message_id is not null`.as('is_away'),
        'person.page_id',
        'person.psid',
        'person.platform',
        'person.name',
        'person.first_name',
        'pages.is_active',
      ])
      .select(({ exists, selectFrom }) =>
        // It may have been answered after the backup was made.
        exists(selectFrom('restores').select('restored_at').whereRef('restored_at', '>=', 'messages.timestamp_fb')).as(
          'precedes_restore',
        ),
      )
      .where('due.message_id', '=', messageId)
      .executeTakeFirst()

  /** Whether staff have written recently or after the message, or are sending now. */
  async function hasBeenAnswered(trx: Transaction<Tables>, asked: Question, now: number): Promise<boolean> {
    const since = new Date(Math.min(asked.timestamp_fb.getTime(), now - autoReplyTimes.staffActiveWindow))
    const written = await trx
      .selectFrom('messages')
      .select('message_id')
      .where('primary_user_id', '=', asked.primary_user_id)
      .where('timestamp_fb', '>=', since)
      .where('direction', '=', 'outgoing')
      .where((is) =>
        is.or([is('idempotency_key', 'is', null), is('idempotency_key', 'not like', `${automaticKeyStart}%`)]),
      )
      .limit(1)
      .executeTakeFirst()
    if (written !== undefined) return true
    const pending = await trx
      .selectFrom('sends')
      .select('idempotency_key')
      .where('page_id', '=', asked.page_id)
      .where('psid', '=', asked.psid)
      .where('state', 'in', ['sending', 'unknown'])
      .where('staff_id', '!=', automaticSender)
      .where('created_at', '>=', since)
      .limit(1)
      .executeTakeFirst()
    return pending !== undefined
  }

  async function isInCooldown(trx: Transaction<Tables>, primaryUserId: string, now: number): Promise<boolean> {
    const earlier = await trx
      .selectFrom('auto_replies')
      .innerJoin('fb_users', 'fb_users.id', 'auto_replies.fb_user_id')
      .select('auto_replies.message_id')
      .where('fb_users.primary_user_id', '=', primaryUserId)
      .where('auto_replies.state', 'in', ['sending', 'sent'])
      .where('auto_replies.decided_at', '>', new Date(now - autoReplyTimes.cooldown))
      .limit(1)
      .executeTakeFirst()
    return earlier !== undefined
  }

  async function send(messageId: string, { page_id, psid, reply }: Reply): Promise<void> {
    try {
      await sending.sendOnce({
        key: automaticKeyOf(messageId),
        staffId: automaticSender,
        pageId: page_id,
        psid,
        text: reply,
      })
      await settle(db, messageId, 'sent')
    } catch (error) {
      if (!(error instanceof SendRefused)) throw error
      logger.warn({ messageId, code: error.code }, 'an automatic reply was not sent')
      if (error.status >= 429) await reschedule(messageId)
      else await settle(db, messageId, 'failed')
    }
  }

  /** An away answer that was not sent leaves no record, so that the next message may get one. */
  async function settle(at: Database, messageId: string, state: 'sent' | 'none' | 'failed'): Promise<null> {
    await at
      .with('unsent', (write) =>
        write.deleteFrom('away_answers').where('message_id', '=', messageId).where(sql<boolean>`${state} <> 'sent'`),
      )
      .updateTable('auto_replies')
      .set({ state })
      .where('message_id', '=', messageId)
      .execute()
    return null
  }

  /** A refused reply is then sent again; one that may have arrived is settled. */
  async function reschedule(messageId: string): Promise<void> {
    const row = await db
      .selectFrom('auto_replies')
      .select('attempts')
      .where('message_id', '=', messageId)
      .executeTakeFirst()
    const backoff = Math.min(2_000 * 2 ** Math.min((row?.attempts ?? 1) - 1, 10), maxBackoff)
    await db
      .updateTable('auto_replies')
      .set({ due_at: new Date(clock.now() + backoff) })
      .where('message_id', '=', messageId)
      .where('state', '=', 'sending')
      .execute()
  }

  const sweep = (isRunning: () => boolean) =>
    deleteOlder(db, isRunning, {
      table: 'auto_replies',
      column: 'created_at',
      before: new Date(clock.now() - retention),
    })

  const loop = createWorkLoop({
    work: processDue,
    sweep,
    pollInterval,
    failureMessage: 'reading the due automatic replies failed',
    clock,
    logger,
  })

  return {
    /**
     * Queues incoming messages, in the transaction that stores them, if any FAQ entry is active or their page has
     * business hours. Idempotent.
     */
    async enqueue(
      trx: Database,
      incoming: readonly { messageId: string; fbUserId: string; hasText: boolean }[],
    ): Promise<void> {
      if (incoming.length === 0) return
      const now = new Date(clock.now())
      const messageIds = incoming.map(({ messageId }) => messageId)
      const fbUserIds = incoming.map(({ fbUserId }) => fbUserId)
      const texts = incoming.map(({ hasText }) => hasText)
      await trx
        .insertInto('auto_replies')
        .columns(['message_id', 'fb_user_id', 'due_at', 'created_at'])
        .expression(sql`
          select incoming.message_id, incoming.fb_user_id,
            greatest(${now}::timestamptz, (
              select lookup.created_at + ${`${autoReplyTimes.nameTimeout} milliseconds`}::interval
              from profile_lookups lookup join fb_users person on person.id = lookup.fb_user_id
              where lookup.fb_user_id = incoming.fb_user_id and lookup.failures = 0 and person.name is null
            )),
            ${now}::timestamptz
          from unnest(${messageIds}::text[], ${fbUserIds}::text[], ${texts}::boolean[])
            as incoming (message_id, fb_user_id, has_text)
          where (has_text and exists (select from faq_entries where is_active))
            or exists (
              select from business_settings stored join fb_users person on person.id = incoming.fb_user_id
              where stored.name = 'business-hours'
                and stored.settings #>> array['pages', person.page_id, 'is_on'] = 'true'
            )`)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    /** Makes replies due that wait for the person's name. */
    async stopWaitingForName(fbUserId: string): Promise<void> {
      const now = new Date(clock.now())
      await db
        .updateTable('auto_replies')
        .set({ due_at: now })
        .where('fb_user_id', '=', fbUserId)
        .where('state', '=', 'due')
        .where('attempts', '=', 0)
        .where('due_at', '>', now)
        .execute()
      loop.wake()
    },

    ...loop,
  }
}

/** Whether the reply may have been delivered. `send` is the state in `sends`, null if there is no row. */
const mayHaveArrived = (send: SendState | null) => send !== null && send !== 'failed'

type SendState = Row<'sends'>['state']
type Question = Pick<Row<'messages'>, 'primary_user_id' | 'timestamp_fb'> & Pick<Row<'fb_users'>, 'page_id' | 'psid'>
type Reply = Pick<Row<'fb_users'>, 'page_id' | 'psid'> & { reply: string }
