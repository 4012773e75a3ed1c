import { sql, type Transaction } from 'kysely'
import { automaticKeyStart } from '../../src/domain/faq/automatic.ts'
import { type FaqWrongAnswers, mostWrongAnswers } from '../../src/schemas/faq.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/** The unresolved wrong answers, newest first, with the question that each answered. */
export async function listWrongAnswers(db: Db): Promise<FaqWrongAnswers> {
  type Found = Omit<FaqWrongAnswers['answers'][number], 'marked_at'> & { marked_at: Date; total: number }
  const { rows } = await sql<Found>`
    select wrong.message_id, answer.primary_user_id as conversation_id, answer.page_id,
      question.message_text as question, answer.message_text as answer, wrong.faq_id, wrong.faq_title,
      coalesce(staff.name, staff.email) as marked_by_name, wrong.marked_at, wrong.total
    from (
      select *, (count(*) over ())::integer as total from faq_wrong_answers where resolved_at is null
      order by marked_at desc, message_id limit ${mostWrongAnswers}
    ) wrong
    join messages answer on answer.message_id = wrong.message_id
    left join messages question
      on question.message_id = substr(answer.idempotency_key, ${automaticKeyStart.length + 1}::integer)
        and question.primary_user_id = answer.primary_user_id
    left join staff on staff.id = wrong.marked_by
    order by wrong.marked_at desc, wrong.message_id`.execute(db)
  return {
    answers: rows.map(({ total: _, marked_at, ...row }) => ({ ...row, marked_at: marked_at.toISOString() })),
    total: rows[0]?.total ?? 0,
  }
}

/** The FAQ entry of an automatic answer: its id, if the entry still exists, and its title. */
export type AnsweringEntry = { faq_id: string | null; title: string }

/**
 * The FAQ entry that gave an automatic answer; null if there is no such message, or if it is none of a FAQ entry. Locks the
 * person's identity in the common order, so that a concurrent merge cannot deadlock.
 */
export async function findAnsweringEntry(trx: Transaction<Tables>, messageId: string): Promise<AnsweringEntry | null> {
  const { rows } = await sql<AnsweringEntry>`
    select entry.id as faq_id, m.author ->> 'title' as title
    from messages m
    join fb_users person on person.id = m.fb_user_id
    left join lateral (
      select id from faq_entries
      where case when m.author ? 'faq_id' then id = m.author ->> 'faq_id' else title = m.author ->> 'title' end
      order by id limit 1
    ) entry on true
    where m.message_id = ${messageId} and m.author ->> 'kind' = 'automatic' and m.author ->> 'title' is not null
    for key share of person`.execute(trx)
  return rows[0] ?? null
}

/** Marks an automatic answer wrong. False if it is marked already: the first mark stays. */
export async function markAnswerWrong(
  trx: Transaction<Tables>,
  messageId: string,
  { faq_id, title }: AnsweringEntry,
  { staffId, now }: { staffId: string; now: Date },
): Promise<boolean> {
  const marked = await trx
    .insertInto('faq_wrong_answers')
    .values({ message_id: messageId, faq_id, faq_title: title, marked_by: staffId, marked_at: now, resolved_by: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('message_id')
    .executeTakeFirst()
  return marked !== undefined
}

/** Takes the mark back, also a resolved one. False if there is none. */
export async function unmarkAnswer(trx: Transaction<Tables>, messageId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('faq_wrong_answers')
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return numDeletedRows > 0
}

/** Takes an answer off the list; its mark stays in the thread. Undefined if it is not on the list. */
export const resolveWrongAnswer = (trx: Transaction<Tables>, messageId: string, by: { staffId: string; now: Date }) =>
  trx
    .updateTable('faq_wrong_answers')
    .set({ resolved_by: by.staffId, resolved_at: by.now })
    .where('message_id', '=', messageId)
    .where('resolved_at', 'is', null)
    .returning(['faq_id', 'faq_title as title'])
    .executeTakeFirst()
