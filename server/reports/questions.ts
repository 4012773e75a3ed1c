import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { answererOf, claimsOf } from '../../src/domain/faq/faq-answers.ts'
import { questionForm } from '../../src/domain/faq/questions.ts'
import { faqLimits } from '../../src/schemas/faq.ts'
import type { QuestionGroup, Report } from '../../src/schemas/report.ts'
import type { Db } from '../database/database.ts'
import { readFaqRules } from '../database/faq.ts'
import { inTransaction } from '../database/transaction.ts'

/** The most frequent forms that are compared with the FAQ entries. */
const comparedForms = 2_000
/** Groups that each part of the report shows. */
const shownGroups = 50
/** Characters of an example, and of the text that is compared. */
const exampleLength = 300
const comparedLength = faqLimits.message

/** The same for equal forms. The database stores no text: a hash and the id of the message. */
const hashOf = (form: string): string => createHash('sha256').update(form).digest().readBigInt64BE().toString()

/**
 * Looks at the next messages, at most `batch`, and stores which of them ask something. Messages younger than a minute
 * wait, because one with a lower id may not be committed yet. Returns whether more follow.
 */
export async function collectQuestions(db: Db, { now, batch }: { now: number; batch: number }): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const progress = await trx
      .selectFrom('report_progress')
      .select('questions_after')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (progress === undefined) return false
    const next = await trx
      .selectFrom('messages')
      .select(['id', 'message_id', 'page_id', 'direction', 'timestamp_fb', 'created_at'])
      .select(sql<string | null>`written_text(message_text, content)`.as('text'))
      .where('id', '>', progress.questions_after)
      .orderBy('id')
      .limit(batch)
      .execute()
    const young = next.findIndex(({ created_at }) => created_at.getTime() > now - commitTime)
    const settled = young === -1 ? next : next.slice(0, young)
    const last = settled.at(-1)
    if (last === undefined) return false
    const questions = settled.flatMap(({ message_id, page_id, direction, text, timestamp_fb }) => {
      const form = direction === 'incoming' && text !== null ? questionForm(text) : null
      return form === null ? [] : [{ message_id, page_id, asked_at: timestamp_fb, form_hash: hashOf(form) }]
    })
    if (questions.length > 0) {
      // A message that is deleted meanwhile is left out; the lock keeps the others.
      await sql`
        insert into message_questions (message_id, page_id, asked_at, form_hash)
        select given.* from json_to_recordset(${JSON.stringify(questions)}::json)
          as given (message_id text, page_id text, asked_at timestamptz, form_hash bigint)
        join messages on messages.message_id = given.message_id
        for key share of messages
        on conflict do nothing`.execute(trx)
    }
    await trx.updateTable('report_progress').set({ questions_after: last.id }).execute()
    return settled.length === batch
  })
}

/** Longer than a transaction that stores messages. Milliseconds. */
const commitTime = 60_000

type Group = { example: string | null; count: number; asked_at: Date; conversation_id: string; page_id: string }

/** Compares the questions of a range with the FAQ entries that are active now. */
export async function readQuestions(
  db: Db,
  { start, end, pageId }: { start: RawBuilder<Date>; end: RawBuilder<Date>; pageId: string | undefined },
): Promise<Pick<Report & { report: 'questions' }, 'total' | 'unanswered' | 'conflicts'>> {
  const ofPage = pageId === undefined ? sql`` : sql`and page_id = ${pageId}`
  const { rows } = await sql<Group & { asked: number }>`
    with forms as materialized (
      select form_hash, count(*)::integer as count, max(asked_at) as last_at, (sum(count(*)) over ())::integer as asked
      from message_questions where asked_at >= ${start} and asked_at < ${end} ${ofPage}
      group by form_hash order by count desc, form_hash limit ${comparedForms}
    )
    select forms.count, forms.asked, forms.last_at as asked_at, left(last.text, ${comparedLength}) as example,
      last.primary_user_id as conversation_id, last.page_id
    from forms cross join lateral (
      select written_text(m.message_text, m.content) as text, m.primary_user_id, m.page_id
      from message_questions q join messages m using (message_id)
      where q.form_hash = forms.form_hash and q.asked_at = forms.last_at ${pageId === undefined ? sql`` : sql`and q.page_id = ${pageId}`}
      order by q.message_id limit 1
    ) last
    order by forms.count desc, forms.form_hash`.execute(db)
  const { entries, leastScore } = await readFaqRules(db)
  const answerTo = answererOf(entries)
  const total = { asked: rows[0]?.asked ?? 0, compared: 0, answered: 0 }
  const unanswered: QuestionGroup[] = []
  const conflicts: QuestionGroup[] = []
  for (const { example, count, asked_at, conversation_id, page_id } of rows) {
    const text = example ?? ''
    const verdict = answerTo(text, { pageId: page_id, leastScore })
    const claims = claimsOf(verdict)
    total.compared += count
    if (verdict.answerId !== null) total.answered += count
    const group = {
      text: text.slice(0, exampleLength),
      count,
      asked_at: asked_at.toISOString(),
      conversation_id,
      entries: claims.map(({ id, title }) => ({ id, title })),
    }
    if (claims.length === 0 && unanswered.length < shownGroups) unanswered.push(group)
    if (claims.length > 1 && conflicts.length < shownGroups) conflicts.push(group)
  }
  return { total, unanswered, conflicts }
}
