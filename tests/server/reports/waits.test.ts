import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { mayAnswer } from '../../../server/auth/roles.ts'
import { systemClock } from '../../../server/clock.ts'
import { changeStates } from '../../../server/database/conversation-states.ts'
import type { Db } from '../../../server/database/database.ts'
import { mergeConversations } from '../../../server/database/groups.ts'
import { collectReports } from '../../../server/reports/collect.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { type PlainDone, type PlainMessage, plainOpening, plainWaits } from './plain-reports.ts'

const answer = { direction: 'outgoing' } as const
const automatic = { direction: 'outgoing', idempotency_key: 'auto-reply:q' } as const

describeOnDatabase('The waits of people', (open) => {
  let db: Db

  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['waits', 'resolutions', 'conversation_events', 'pages', 'staff'] as const)
      await db.deleteFrom(table).execute()
    await sql`delete from removed_pages`.execute(db)
    await addPage(db, 'p1')
    await addPage(db, 'p2')
    await db.insertInto('staff').values({ id: 'ana', email: 'ana@example.com', name: 'Ana', role: 'agent' }).execute()
    await addIdentity(db, 'u1', { page: 'p1' })
  })

  const minuteOf = (date: Date | null): number | null =>
    date === null ? null : (date.getTime() - at(0).getTime()) / 60_000

  const waitsOf = async (id: string | null = 'u1') => {
    const rows = await db
      .selectFrom('waits')
      .selectAll()
      .where('primary_user_id', id === null ? 'is' : '=', id)
      .orderBy('began_at')
      .orderBy('ended_at')
      .orderBy('first_id')
      .execute()
    return rows.map((row) => ({
      began: minuteOf(row.began_at),
      ended: row.ended,
      endedAt: row.ended === 'removed' ? null : minuteOf(row.ended_at),
      endedBy: row.ended_by,
      automaticAt: minuteOf(row.automatic_at),
    }))
  }

  const decide = async (done: boolean, minute: number, id = 'u1') => {
    const row = await db
      .selectFrom('conversations')
      .select(['state_version', 'last_message_at'])
      .where('primary_user_id', '=', id)
      .executeTakeFirstOrThrow()
    const seen_message_at = row.last_message_at?.toISOString() ?? null
    const change = { id, version: row.state_version, seen_message_at, decision: { done } }
    const [result] = await changeStates(db, { changes: [change], staffId: 'ana', now: at(minute).getTime(), mayAnswer })
    expect(result?.refusal).toBeNull()
  }

  const wait = { ended: null, endedAt: null, endedBy: null, automaticAt: null }

  it('begin with the first message that nobody answered, and end with the answer', async () => {
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u1', 2)
    expect(await waitsOf()).toEqual([{ ...wait, began: 1 }])
    await addMessage(db, 'auto', 'u1', 3, automatic)
    await addMessage(db, 'm3', 'u1', 5, answer)
    await addMessage(db, 'm4', 'u1', 6, answer)
    expect(await waitsOf()).toEqual([{ began: 1, ended: 'answered', endedAt: 5, endedBy: 'outside', automaticAt: 3 }])
  })

  it('name the member of staff when the key of the send arrives after its echo', async () => {
    await db
      .insertInto('sends')
      .values({
        idempotency_key: 'k1',
        staff_id: 'ana',
        page_id: 'p1',
        psid: 'psid-u1',
        message_text: 'x',
        state: 'sent',
      })
      .execute()
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u1', 2, answer)
    await db.updateTable('messages').set({ idempotency_key: 'k1' }).where('message_id', '=', 'm2').execute()
    expect(await waitsOf()).toEqual([{ ...wait, began: 1, ended: 'answered', endedAt: 2, endedBy: 'staff:ana' }])
    const volumes = await sql`select writer, sum(messages)::integer as messages from current_message_volumes
      where page_id = 'p1' group by writer having sum(messages) <> 0 order by writer`.execute(db)
    expect(volumes.rows).toEqual(expect.arrayContaining([{ writer: 'staff:ana', messages: 1 }]))
    expect(volumes.rows).not.toContainEqual(expect.objectContaining({ writer: 'outside', messages: 1 }))
    await db.deleteFrom('sends').execute()
    await db.deleteFrom('messages').execute()
    await sql`delete from message_volume_changes`.execute(db)
  })

  it('continue if the answer turns out to be automatic', async () => {
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u1', 2, answer)
    await db.updateTable('messages').set({ idempotency_key: 'auto-reply:m1' }).where('message_id', '=', 'm2').execute()
    expect(await waitsOf()).toEqual([{ ...wait, began: 1, automaticAt: 2 }])
  })

  it('end by Done, continue if Done is taken back, and stay ended if the person writes again', async () => {
    await addMessage(db, 'm1', 'u1', 1)
    await decide(true, 5)
    expect(await waitsOf()).toEqual([{ ...wait, began: 1, ended: 'done', endedAt: 5, endedBy: 'staff:ana' }])
    await decide(false, 6)
    expect(await waitsOf()).toEqual([{ ...wait, began: 1 }])
    expect(await db.selectFrom('resolutions').selectAll().execute()).toEqual([])
    await decide(true, 7)
    await addMessage(db, 'm2', 'u1', 8)
    expect(await waitsOf()).toEqual([
      { ...wait, began: 1, ended: 'done', endedAt: 7, endedBy: 'staff:ana' },
      { ...wait, began: 8 },
    ])
    const closed = await db.selectFrom('resolutions').selectAll().execute()
    expect(closed).toMatchObject([{ opened_at: at(1), closed_at: at(7), closed_by: 'ana', page_id: 'p1' }])
  })

  describe('after removals', () => {
    it('stay as numbers when messages, the person or the page are removed', async () => {
      await addMessage(db, 'm1', 'u1', 1)
      await addMessage(db, 'm2', 'u1', 3, answer)
      await addMessage(db, 'm3', 'u1', 4)
      await decide(true, 5)
      await addMessage(db, 'm4', 'u1', 6)
      await db.deleteFrom('messages').where('message_id', 'in', ['m1', 'm2']).execute()
      const kept = [
        { ...wait, began: 1, ended: 'answered', endedAt: 3, endedBy: 'outside' },
        { ...wait, began: 4, ended: 'done', endedAt: 5, endedBy: 'staff:ana' },
      ]
      expect(await waitsOf()).toEqual([...kept, { ...wait, began: 6 }])
      await db.deleteFrom('fb_users').execute()
      expect(await waitsOf(null)).toEqual([...kept, { ...wait, began: 6, ended: 'removed' }])
      expect(await db.selectFrom('resolutions').select(['primary_user_id', 'closed_by']).execute()).toEqual([
        { primary_user_id: null, closed_by: 'ana' },
      ])
    })

    it('count the history of a page that is connected again once', async () => {
      await addMessage(db, 'm1', 'u1', 1)
      await addMessage(db, 'm2', 'u1', 3, answer)
      const countAll = async () =>
        (
          await sql<{
            total: number
          }>`select coalesce(sum(messages), 0)::integer as total from current_message_volumes`.execute(db)
        ).rows[0]?.total
      const counted = await countAll()
      await db.deleteFrom('pages').where('page_id', '=', 'p1').execute()
      await addPage(db, 'p1')
      await addIdentity(db, 'u9', { page: 'p1' })
      await addMessage(db, 'm1', 'u9', 1, { is_historical: true })
      await addMessage(db, 'm2', 'u9', 3, { ...answer, is_historical: true })
      expect(await countAll()).toBe(counted)
      expect(await waitsOf('u9')).toEqual([])
      expect(await waitsOf(null)).toHaveLength(1)
    })

    it('continue from the first message when only that is removed', async () => {
      await addMessage(db, 'm1', 'u1', 1)
      await addMessage(db, 'm2', 'u1', 2)
      await db.deleteFrom('messages').where('message_id', '=', 'm1').execute()
      await addMessage(db, 'm3', 'u1', 9, answer)
      expect(await waitsOf()).toEqual([{ ...wait, began: 1, ended: 'answered', endedAt: 9, endedBy: 'outside' }])
    })
  })

  it('of merged conversations are kept, and the longest goes on', async () => {
    await addIdentity(db, 'u2', { page: 'p2' })
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u1', 2, answer)
    await addMessage(db, 'm3', 'u1', 6)
    await addMessage(db, 'n1', 'u2', 5)
    await mergeConversations(db, 'u1', 'u2')
    expect(await waitsOf()).toEqual([
      { ...wait, began: 1, ended: 'answered', endedAt: 2, endedBy: 'outside' },
      { ...wait, began: 5 },
    ])
    await addMessage(db, 'm4', 'u1', 8, answer)
    expect((await waitsOf())[1]).toEqual({ ...wait, began: 5, ended: 'answered', endedAt: 8, endedBy: 'outside' })
  })

  it('are those of a plain computation, in whatever order and grouping messages and Dones arrive', async () => {
    const message = fc.record({
      at: fc.integer({ min: 0, max: 20 }).map((half) => half * 2),
      kind: fc.constantFrom('question', 'question', 'answer', 'automatic'),
      isHistorical: fc.boolean(),
    })
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.array(message, { minLength: 1, maxLength: 4 }) },
      { weight: 2, arbitrary: fc.constant('done' as const) },
      { weight: 1, arbitrary: fc.constant('reopen' as const) },
    )
    let round = 0
    const story = async (steps: (Omit<PlainMessage, 'number'>[] | 'done' | 'reopen')[], backfilled: boolean) => {
      round += 1
      const id = `history-${round}`
      await addIdentity(db, id, { page: 'p1' })
      const messages: PlainMessage[] = []
      const dones: PlainDone[] = []
      const openings: (number | null)[] = []
      // Messages have even minutes, Dones odd ones.
      let minute = 11
      for (const one of steps) {
        const { done_at } = await db
          .selectFrom('conversations')
          .select('done_at')
          .where('primary_user_id', '=', id)
          .executeTakeFirstOrThrow()
        minute += 4
        if (one === 'done') {
          if (done_at !== null || messages.length === 0) continue
          await decide(true, minute, id)
          const questions = messages.filter(({ kind }) => kind === 'question').map(({ at: when }) => when)
          openings.push(plainOpening(messages, dones.at(-1), minute))
          dones.push({
            at: minute,
            upTo: messages.length,
            newestQuestion: questions.length === 0 ? null : Math.max(...questions),
            by: 'ana',
          })
        } else if (one === 'reopen') {
          if (done_at === null) continue
          await decide(false, minute, id)
          dones.pop()
          openings.pop()
        } else {
          const values = one.map((given) => {
            messages.push({ ...given, number: messages.length + 1 })
            const name = `${id}-${messages.length}`
            return {
              message_id: name,
              fb_user_id: id,
              message_text: 'text',
              direction: given.kind === 'question' ? ('incoming' as const) : ('outgoing' as const),
              idempotency_key: given.kind === 'automatic' ? `auto-reply:${name}` : null,
              is_historical: given.isHistorical,
              timestamp_fb: at(given.at),
            }
          })
          await db.insertInto('messages').values(values).execute()
        }
      }
      if (backfilled) {
        await db.deleteFrom('waits').where('primary_user_id', '=', id).execute()
        await db.updateTable('report_progress').set({ conversations_after: '' }).execute()
        await collectReports({ db, clock: systemClock })
      }
      const byTime = (one: { began: number | null; endedAt: number | null }) =>
        (one.began ?? 0) * 1000 + (one.endedAt ?? 999)
      const sorted = <Wait extends { began: number | null; endedAt: number | null }>(waits: Wait[]) =>
        waits.toSorted((one, other) => byTime(one) - byTime(other))
      const derived = await waitsOf(id)
      expect(sorted(derived)).toEqual(sorted(plainWaits(messages, dones)))
      const { waiting_since } = await db
        .selectFrom('conversations')
        .select('waiting_since')
        .where('primary_user_id', '=', id)
        .executeTakeFirstOrThrow()
      expect(derived.filter(({ ended }) => ended === null).map(({ began }) => began)).toEqual(
        waiting_since === null ? [] : [minuteOf(waiting_since)],
      )
      const closed = await db
        .selectFrom('resolutions')
        .select(['opened_at', 'closed_at'])
        .where('primary_user_id', '=', id)
        .orderBy('closed_at')
        .execute()
      expect(closed.map(({ opened_at, closed_at }) => [minuteOf(opened_at), minuteOf(closed_at)])).toEqual(
        dones.map((done, index) => [openings[index] ?? null, done.at]),
      )
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean(), story), {
      numRuns: 80,
      seed: 17,
    })
  }, 120_000)
})
