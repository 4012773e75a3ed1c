import { type Selectable, sql, type Transaction } from 'kysely'
import { automaticKeyOf, automaticKeyStart } from '../../../src/domain/faq/automatic.ts'
import { matchesOf } from '../../../src/domain/faq/faq-matching.ts'
import { replyOf } from '../../../src/domain/faq/faq-reply.ts'
import { fitsInMessage } from '../../../src/domain/send/text-limit.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { listActiveFaqEntries } from '../../database/faq.ts'
import type { SendsTable, Tables } from '../../database/tables.ts'
import { codeOf, inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { createWorkLoop } from '../../work-loop.ts'
import { SendRefused } from '../send/send-refusals.ts'
import type { Sending } from '../send/sending.ts'
import type { Database } from '../store/store.ts'

/** Milliseconds. */
export const replyTimes = {
  /** Staff who wrote to a person within this are in the conversation: nothing answers in their place. */
  staffQuiet: 60 * 60_000,
  /** A person gets no second automatic answer within this. */
  coolDown: 10 * 60_000,
  /** The network takes answers for a day; what is decided this late would arrive after it. */
  window: 24 * 60 * 60_000 - 60_000,
  /** An answer to somebody whose profile is being read for the first time waits this long for the name. */
  nameWait: 3_000,
  /** An answer that the network refused for this long is dropped. An unconfirmed answer is looked for this long. */
  givenUpAfter: 15 * 60_000,
} as const

/** Under whose name automatic answers are remembered among the sends. */
const automaticSender = 'automatic'

const batch = 10
const idlePause = 2_000
/** Longer than a send takes. */
const takenFor = 60_000
const longestPause = 2 * 60_000
/** The network repeats a delivery for a day and a half. */
const keepFor = 3 * 24 * 60 * 60_000

export type AutoReply = ReturnType<typeof createAutoReply>

/**
 * Answers incoming messages from the FAQ entries (spec section 3, FAQ entry). By itself an answer leaves at most once,
 * with however many processes and restarts: the decision is stored before the request, and after a request whose result
 * is unknown there is no second one. Such an answer is looked for on the network for a quarter of an hour and stands in
 * the thread as unconfirmed (`messages.unconfirmed_reply`), until an echo settles it or a person decides
 * (`unconfirmed-replies.ts`). After a refusal that proves that nothing was delivered the answer is sent again.
 */
export function createAutoReply({
  db,
  sending,
  clock,
  logger,
}: {
  db: Db
  sending: Pick<Sending, 'sendOnce'>
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  async function workOff(isRunning: () => boolean): Promise<void> {
    for (;;) {
      const now = new Date(clock.now())
      const due = await db
        .selectFrom('auto_replies')
        .select('message_id')
        .where('state', 'in', ['due', 'sending'])
        .where('due_at', '<=', now)
        .orderBy('created_at')
        .limit(batch)
        .execute()
      await Promise.all(due.map(({ message_id }) => work(message_id)))
      if (!isRunning() || due.length < batch) return
    }
  }

  async function work(messageId: string): Promise<void> {
    try {
      if (!(await take(messageId))) return
      const answer = await inTransaction(db, (trx) => decide(trx, messageId))
      if (answer !== null) await give(messageId, answer)
    } catch (error) {
      // It is due again when nobody holds it any more.
      logger.error({ messageId, reason: codeOf(error) }, 'an automatic answer failed')
    }
  }

  /** Whether the message is this process's to look at. */
  async function take(messageId: string): Promise<boolean> {
    const now = clock.now()
    const taken = await db
      .updateTable('auto_replies')
      .set((row) => ({ due_at: new Date(now + takenFor), attempts: row('attempts', '+', 1) }))
      .where('message_id', '=', messageId)
      .where('state', 'in', ['due', 'sending'])
      .where('due_at', '<=', new Date(now))
      .returning('message_id')
      .executeTakeFirst()
    return taken !== undefined
  }

  /** What the message is answered with, as it was decided before or is now; null where it is not. */
  async function decide(trx: Transaction<Tables>, messageId: string): Promise<Answer | null> {
    const asked = await questionOf(trx, messageId)
    if (asked === undefined) return settle(trx, messageId, 'none')
    // Two messages of one person, looked at in two processes, would each not know of the other's answer.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`auto-reply ${asked.primary_user_id}`}, 0))`.execute(trx)
    const now = clock.now()
    const isLate = asked.decided_at !== null && now - asked.decided_at.getTime() >= replyTimes.givenUpAfter
    if (asked.state === 'sending' && asked.reply !== null && mayHaveArrived(asked.send_state)) {
      // A send whose process was killed is still 'sending'; looking for the answer makes it unconfirmed.
      const isSettled = asked.send_state !== 'sending' && (isLate || asked.send_state !== 'unknown')
      return isSettled ? settle(trx, messageId, 'sent') : { ...asked, reply: asked.reply }
    }
    if (!asked.is_active || now - asked.timestamp_fb.getTime() >= replyTimes.window) {
      return settle(trx, messageId, 'none')
    }
    if (await hasBeenAnswered(trx, asked, now)) return settle(trx, messageId, 'none')
    if (asked.state === 'sending' && asked.reply !== null) {
      return isLate ? settle(trx, messageId, 'failed') : { ...asked, reply: asked.reply }
    }
    const [match] = matchesOf(asked.message_text ?? '', await listActiveFaqEntries(trx))
    if (match === undefined || (await isCoolingDown(trx, asked.primary_user_id, now))) {
      return settle(trx, messageId, 'none')
    }
    const entry = await trx
      .selectFrom('faq_entries')
      .select(['id', 'response'])
      .where('id', '=', match.id)
      .executeTakeFirst()
    const reply = entry === undefined ? '' : replyOf(entry.response, asked.first_name ?? asked.name)
    if (reply === '' || !fitsInMessage(reply, asked.platform)) {
      logger.warn({ messageId, faqId: match.id }, 'the response of a FAQ entry fits in no message')
      return settle(trx, messageId, 'none')
    }
    await trx
      .updateTable('auto_replies')
      .set({ state: 'sending', faq_id: match.id, reply, decided_at: new Date(now) })
      .where('message_id', '=', messageId)
      .execute()
    return { ...asked, reply }
  }

  /** The message, where it was not taken back; with what was decided about it before. */
  const questionOf = (trx: Transaction<Tables>, messageId: string) =>
    trx
      .selectFrom('auto_replies as due')
      .innerJoin('messages', 'messages.message_id', 'due.message_id')
      .innerJoin('fb_users as person', 'person.id', 'messages.fb_user_id')
      .innerJoin('pages', 'pages.page_id', 'person.page_id')
      .leftJoin('sends', (join) => join.on('sends.idempotency_key', '=', automaticKeyOf(messageId)))
      .select([
        'due.state',
        'sends.state as send_state',
        'due.reply',
        'due.decided_at',
        'messages.message_text',
        'messages.timestamp_fb',
        'messages.primary_user_id',
        'person.page_id',
        'person.psid',
        'person.platform',
        'person.name',
        'person.first_name',
        'pages.is_active',
      ])
      .where('due.message_id', '=', messageId)
      .executeTakeFirst()

  /** Whether a person wrote to them lately or since, or is about to. */
  async function hasBeenAnswered(trx: Transaction<Tables>, asked: Question, now: number): Promise<boolean> {
    const since = new Date(Math.min(asked.timestamp_fb.getTime(), now - replyTimes.staffQuiet))
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
    const underWay = await trx
      .selectFrom('sends')
      .select('idempotency_key')
      .where('page_id', '=', asked.page_id)
      .where('psid', '=', asked.psid)
      .where('state', 'in', ['sending', 'unknown'])
      .where('staff_id', '!=', automaticSender)
      .where('created_at', '>=', since)
      .limit(1)
      .executeTakeFirst()
    return underWay !== undefined
  }

  async function isCoolingDown(trx: Transaction<Tables>, primaryUserId: string, now: number): Promise<boolean> {
    const earlier = await trx
      .selectFrom('auto_replies')
      .innerJoin('fb_users', 'fb_users.id', 'auto_replies.fb_user_id')
      .select('auto_replies.message_id')
      .where('fb_users.primary_user_id', '=', primaryUserId)
      .where('auto_replies.state', 'in', ['sending', 'sent'])
      .where('auto_replies.decided_at', '>', new Date(now - replyTimes.coolDown))
      .limit(1)
      .executeTakeFirst()
    return earlier !== undefined
  }

  async function give(messageId: string, { page_id, psid, reply }: Answer): Promise<void> {
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
      logger.warn({ messageId, code: error.code }, 'an automatic answer was not given')
      if (error.status >= 429) await putOff(messageId)
      else await settle(db, messageId, 'failed')
    }
  }

  async function settle(at: Database, messageId: string, state: 'sent' | 'none' | 'failed'): Promise<null> {
    await at.updateTable('auto_replies').set({ state }).where('message_id', '=', messageId).execute()
    return null
  }

  /** The next time the answer is sent where it was refused, and looked for where it may have arrived. */
  async function putOff(messageId: string): Promise<void> {
    const row = await db
      .selectFrom('auto_replies')
      .select('attempts')
      .where('message_id', '=', messageId)
      .executeTakeFirst()
    const pause = Math.min(2_000 * 2 ** Math.min((row?.attempts ?? 1) - 1, 10), longestPause)
    await db
      .updateTable('auto_replies')
      .set({ due_at: new Date(clock.now() + pause) })
      .where('message_id', '=', messageId)
      .where('state', '=', 'sending')
      .execute()
  }

  async function sweep(): Promise<void> {
    await db
      .deleteFrom('auto_replies')
      .where('created_at', '<', new Date(clock.now() - keepFor))
      .execute()
  }

  const loop = createWorkLoop({
    work: workOff,
    sweep,
    idlePause,
    failure: 'the messages to answer could not be read',
    clock,
    logger,
  })

  return {
    /**
     * Notes an incoming message in the transaction that stores it, where there are answers at all. Once is enough, and
     * more changes nothing.
     */
    async note(trx: Database, incoming: { messageId: string; fbUserId: string }): Promise<void> {
      const now = new Date(clock.now())
      await trx
        .insertInto('auto_replies')
        .columns(['message_id', 'fb_user_id', 'due_at', 'created_at'])
        .expression(sql`
          select ${incoming.messageId}::text, ${incoming.fbUserId}::text,
            greatest(${now}::timestamptz, (
              select lookup.created_at + ${`${replyTimes.nameWait} milliseconds`}::interval
              from profile_lookups lookup join fb_users person on person.id = lookup.fb_user_id
              where lookup.fb_user_id = ${incoming.fbUserId} and lookup.failures = 0 and person.name is null
            )),
            ${now}::timestamptz
          where exists (select from faq_entries where is_active)`)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    /** The name of a person is known, or will not be soon: answers that waited for it are due. */
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

/** Whether the answer may have left, by what is remembered of its send; null where there is none. */
const mayHaveArrived = (send: SendState | null) => send !== null && send !== 'failed'

type SendState = Selectable<SendsTable>['state']
type Question = { primary_user_id: string; page_id: string; psid: string; timestamp_fb: Date }
type Answer = { page_id: string; psid: string; reply: string }
