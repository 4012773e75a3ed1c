import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { automaticKeyStart } from '../../../src/domain/faq/automatic.ts'
import { type AnsweringFaq, answererOf, claimsOf, type FaqVerdict } from '../../../src/domain/faq/faq-answers.ts'
import { questionForm } from '../../../src/domain/faq/questions.ts'
import {
  type FaqDryRunCursor,
  type FaqDryRunOutcome,
  type FaqDryRunPart,
  type FaqDryRunSample,
  type faqDryRunBody,
  faqDryRunLimits,
  faqLimits,
  unsavedFaqId,
} from '../../../src/schemas/faq.ts'
import { CallerGone } from '../../busy.ts'
import type { Db } from '../../database/database.ts'
import { readFaqRules } from '../../database/faq.ts'
import { nextTurn } from '../../next-turn.ts'
import { autoReplyTimes } from './auto-reply.ts'

/** Messages of one part. */
const batchSize = 1_000
/** Messages that are matched before other requests of the process get their turn. */
const sliceSize = 50
const day = 24 * 60 * 60_000

type Unsaved = z.output<typeof faqDryRunBody>['entry']
type Asked = {
  id: number
  message_id: string
  primary_user_id: string
  page_id: string
  timestamp_fb: Date
  text: string
}

/** The entries or the setting changed while a dry run was under way. */
export class FaqChanged extends Error {
  override readonly name = 'FaqChanged'
}

/**
 * One part of a dry run: what the FAQ entries of today would have answered of the incoming messages of the last 30 days, in
 * the order in which they were stored. Sends and stores nothing. Holds one batch of messages at a time; what goes on from one
 * part to the next is in the cursor. Throws FaqChanged, and CallerGone if the caller has left.
 */
export async function dryRunPart(
  db: Db,
  { entry, next, now, signal }: { entry: Unsaved; next: FaqDryRunCursor | null; now: number; signal: AbortSignal },
): Promise<FaqDryRunPart> {
  const rules = await readFaqRules(db)
  const entries = withUnsaved(rules.entries, entry)
  const version = versionOf(entries, rules.leastScore)
  const cursor = next ?? { ...(await firstCursor(db, now)), version }
  if (cursor.version !== version) throw new FaqChanged()

  const messages = await readMessages(db, cursor)
  const answerTo = answererOf(entries)
  const verdicts: FaqVerdict[] = []
  for (const [index, { text, page_id }] of messages.entries()) {
    if (index % sliceSize === 0) await nextTurn()
    if (signal.aborted) throw new CallerGone()
    verdicts.push(answerTo(text, { pageId: page_id, leastScore: rules.leastScore }))
  }
  const answerable = messages.filter((_, index) => verdicts[index]?.answerId != null)
  const afterStaff = await thoseAfterStaff(db, answerable)

  const recent = new Map(cursor.recent.map(({ person, at }) => [person, Date.parse(at)]))
  const part = emptyPart(cursor, messages.length)
  const counts = new Map<string, { id: string; title: string; count: number }>()
  for (const [index, asked] of messages.entries()) {
    const verdict = verdicts[index]
    if (verdict === undefined) continue
    const outcome = outcomeOf(asked, verdict, afterStaff, recent)
    part.outcomes[outcome] += 1
    const claims = claimsOf(verdict)
    if (claims.length > 1) part.contested += 1
    const first = claims.find(({ id }) => id === verdict.answerId)
    if (outcome === 'answered' && first !== undefined) {
      const { id, title } = first
      counts.set(id, { id, title, count: (counts.get(id)?.count ?? 0) + 1 })
      recent.delete(asked.primary_user_id)
      recent.set(asked.primary_user_id, asked.timestamp_fb.getTime())
    }
    addSample(part, asked, verdict, outcome, claims.length > 1)
  }
  const last = messages.at(-1)
  part.entries = [...counts.values()]
  part.next =
    last === undefined || messages.length < batchSize
      ? null
      : {
          ...cursor,
          after: last.id,
          done: part.done,
          recent: recentOf(recent, last.timestamp_fb.getTime()),
        }
  if (part.next === null) part.done = part.total
  return part
}

function withUnsaved(saved: readonly (AnsweringFaq & { id: string })[], entry: Unsaved): readonly AnsweringFaq[] {
  if (entry === null) return saved
  const id = entry.id ?? unsavedFaqId
  const known = saved.find((one) => one.id === id)
  const { title, keywords, priority, is_active } = entry
  const page_ids = entry.page_ids === undefined ? (known?.page_ids ?? null) : entry.page_ids
  const others = saved.filter((one) => one.id !== id)
  return is_active ? [...others, { id, title, category_name: null, keywords, priority, page_ids }] : others
}

/** Differs if anything that decides about an answer differs. */
const versionOf = (entries: readonly AnsweringFaq[], leastScore: number | null): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        leastScore,
        entries
          .map(({ id, keywords, priority, page_ids }) => [id, keywords, priority, page_ids ?? null])
          .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
      ]),
    )
    .digest('base64url')

async function firstCursor(db: Db, now: number): Promise<Omit<FaqDryRunCursor, 'version'>> {
  const since = new Date(now - faqDryRunLimits.days * day)
  const { rows } = await sql<{ first: number | null; last: number | null; total: number }>`
    select min(id) as first, max(id) as last, count(*)::integer as total from messages
    where timestamp_fb >= ${since} and direction = 'incoming' and written_text(message_text, content) is not null`.execute(
    db,
  )
  const { first, last, total } = rows[0] ?? { first: null, last: null, total: 0 }
  return {
    after: Math.max(0, Number(first ?? 1) - 1),
    last: Number(last ?? 0),
    since: since.toISOString(),
    total,
    done: 0,
    recent: [],
  }
}

async function readMessages(db: Db, { after, last, since }: FaqDryRunCursor): Promise<readonly Asked[]> {
  const { rows } = await sql<Asked>`
    select id, message_id, primary_user_id, page_id, timestamp_fb, 
      left(written_text(message_text, content), ${faqLimits.message}) as text
    from messages
    where id > ${after} and id <= ${last} and timestamp_fb >= ${since}::timestamptz
      and direction = 'incoming' and written_text(message_text, content) is not null
    order by id limit ${batchSize}`.execute(db)
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}

/** The ids of messages before which staff wrote to the person within the hour. */
async function thoseAfterStaff(db: Db, asked: readonly Asked[]): Promise<ReadonlySet<string>> {
  if (asked.length === 0) return new Set()
  const ids = asked.map(({ message_id }) => message_id)
  const { rows } = await sql<{ message_id: string }>`
    select m.message_id from messages m
    where m.message_id = any(${ids}::text[]) and exists (
      select from messages written
      where written.primary_user_id = m.primary_user_id and written.direction = 'outgoing'
        and written.timestamp_fb <= m.timestamp_fb
        and written.timestamp_fb > m.timestamp_fb - ${`${autoReplyTimes.staffActiveWindow} milliseconds`}::interval
        and (written.idempotency_key is null or written.idempotency_key not like ${`${automaticKeyStart}%`})
    )`.execute(db)
  return new Set(rows.map(({ message_id }) => message_id))
}

function outcomeOf(
  { message_id, primary_user_id, timestamp_fb }: Asked,
  { answerId, near }: FaqVerdict,
  afterStaff: ReadonlySet<string>,
  recent: ReadonlyMap<string, number>,
): FaqDryRunOutcome {
  if (answerId === null) return near.length > 0 ? 'doubtful' : 'none'
  if (afterStaff.has(message_id)) return 'staff'
  const before = recent.get(primary_user_id)
  const isRecent = before !== undefined && Math.abs(timestamp_fb.getTime() - before) < autoReplyTimes.cooldown
  return isRecent ? 'recent' : 'answered'
}

/** Those whose last answer may still prevent one, the newest at most. */
const recentOf = (recent: ReadonlyMap<string, number>, at: number): FaqDryRunCursor['recent'] =>
  [...recent]
    .filter(([, answered]) => Math.abs(at - answered) < autoReplyTimes.cooldown)
    .slice(-faqDryRunLimits.recent)
    .map(([person, answered]) => ({ person, at: new Date(answered).toISOString() }))

const emptyPart = ({ total, done }: FaqDryRunCursor, read: number): FaqDryRunPart => ({
  total,
  // A message that was stored later may have an earlier time.
  done: Math.min(total, done + read),
  outcomes: { answered: 0, staff: 0, recent: 0, doubtful: 0, none: 0 },
  contested: 0,
  entries: [],
  answered: [],
  several: [],
  unanswered: [],
  next: null,
})

function addSample(
  part: FaqDryRunPart,
  asked: Asked,
  verdict: FaqVerdict,
  outcome: FaqDryRunOutcome,
  isContested: boolean,
): void {
  const add = (samples: FaqDryRunSample[]) => {
    if (samples.length < faqDryRunLimits.samples) samples.push(sampleOf(asked, verdict, outcome))
  }
  if (isContested) add(part.several)
  if (outcome === 'answered') add(part.answered)
  if ((outcome === 'none' || outcome === 'doubtful') && questionForm(asked.text) !== null) add(part.unanswered)
}

/** The maximum number of entries that a sample names. */
const shownEntries = 3

function sampleOf(asked: Asked, verdict: FaqVerdict, outcome: FaqDryRunOutcome): FaqDryRunSample {
  const exact = verdict.matches.map(({ id, title, matched_keywords: [keyword = ''] }) => ({
    id,
    title,
    keyword,
    score: 1,
    reasons: [],
  }))
  const near = verdict.near.map(({ id, title, keyword, score, reasons }) => ({ id, title, keyword, score, reasons }))
  return {
    message_id: asked.message_id,
    conversation_id: asked.primary_user_id,
    page_id: asked.page_id,
    text: asked.text.slice(0, faqDryRunLimits.text),
    written_at: asked.timestamp_fb.toISOString(),
    outcome,
    doubt: verdict.doubt,
    entries: (exact.length > 0 ? exact : near).slice(0, shownEntries),
  }
}
