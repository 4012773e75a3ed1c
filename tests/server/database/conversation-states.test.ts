import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { mayAnswer } from '../../../server/auth/roles.ts'
import { listConversations } from '../../../server/database/conversation-list.ts'
import { changeStates, endSnoozes } from '../../../server/database/conversation-states.ts'
import type { Db } from '../../../server/database/database.ts'
import { mergeConversations } from '../../../server/database/groups.ts'
import { readStats } from '../../../server/database/totals.ts'
import {
  type ConversationView,
  conversationEventRow,
  conversationState,
  type StateDecision,
} from '../../../src/schemas/conversation-state.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'

const automatic = { direction: 'outgoing', idempotency_key: 'auto-reply:q' } as const
const answer = { direction: 'outgoing' } as const

describeOnDatabase('The states of conversations', (open) => {
  let db: Db

  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['conversation_events', 'pages', 'staff'] as const) await db.deleteFrom(table).execute()
    await addPage(db, 'p1')
    await addPage(db, 'p2')
    for (const id of ['ana', 'ben'])
      await db
        .insertInto('staff')
        .values({ id, email: `${id}@example.com`, name: id, role: 'agent' })
        .execute()
    await db.insertInto('staff').values({ id: 'vic', email: 'vic@example.com', name: 'vic', role: 'viewer' }).execute()
    await addIdentity(db, 'u1', { page: 'p1' })
  })

  const rowOf = async (id = 'u1') => {
    const row = await db
      .selectFrom('conversations')
      .selectAll()
      .where('primary_user_id', '=', id)
      .executeTakeFirstOrThrow()
    return row
  }
  const waitingSince = async (id?: string) => (await rowOf(id)).waiting_since

  /** Decides with the version and the last message that the database holds now, unless `seen` says otherwise. */
  const decide = async (
    decision: StateDecision,
    {
      id = 'u1',
      staffId = 'ana',
      minute = 60,
      ...seen
    }: Partial<{
      id: string
      staffId: string
      minute: number
      version: number
      seen_message_at: string | null
    }> = {},
  ) => {
    const row = await rowOf(id)
    const change = {
      id,
      version: row.state_version,
      seen_message_at: row.last_message_at?.toISOString() ?? null,
      decision,
      ...seen,
    }
    const [result] = await changeStates(db, { changes: [change], staffId, now: at(minute).getTime(), mayAnswer })
    if (result === undefined) throw new Error('a change has no result')
    return result
  }

  const view = async (name: ConversationView, { staffId = 'ana', minute = 60, page = 1, limit = 20 } = {}) => {
    const found = await listConversations(
      db,
      { page, limit, view: name },
      { staffId, now: at(minute).getTime(), country: 'PH', seesAmounts: true },
    )
    return { ids: found.rows.map((row) => row.primary_user_id), total: found.total }
  }

  const countViews = async (of: { pageId: string | undefined; now: number }) => (await readStats(db, of)).views

  describe('waiting', () => {
    it('begins with the first message that nobody answered, and reading does not end it', async () => {
      await addMessage(db, 'm1', 'u1', 1)
      await addMessage(db, 'm2', 'u1', 2, { is_read: true })
      await db.updateTable('messages').set({ is_read: true }).execute()
      expect(await waitingSince()).toEqual(at(1))
    })

    it('ends with an answer of staff or of Business Suite, not with an automatic answer', async () => {
      await addMessage(db, 'm1', 'u1', 1)
      await addMessage(db, 'auto', 'u1', 2, automatic)
      expect(await waitingSince()).toEqual(at(1))
      await addMessage(db, 'm2', 'u1', 3, answer)
      expect(await waitingSince()).toBeNull()
      await addMessage(db, 'm3', 'u1', 4)
      await addMessage(db, 'm4', 'u1', 5, { ...answer, idempotency_key: 'key' })
      expect(await waitingSince()).toBeNull()
    })

    it('continues if an answer turns out to be automatic', async () => {
      await addMessage(db, 'm1', 'u1', 1)
      await addMessage(db, 'm2', 'u1', 2, answer)
      await db
        .updateTable('messages')
        .set({ idempotency_key: 'auto-reply:m1' })
        .where('message_id', '=', 'm2')
        .execute()
      expect(await waitingSince()).toEqual(at(1))
    })

    it('continues if the answer is deleted, and ends if the question is', async () => {
      await addMessage(db, 'm1', 'u1', 1)
      await addMessage(db, 'm2', 'u1', 2, answer)
      await db.deleteFrom('messages').where('message_id', '=', 'm2').execute()
      expect(await waitingSince()).toEqual(at(1))
      await db.deleteFrom('messages').where('message_id', '=', 'm1').execute()
      expect(await waitingSince()).toBeNull()
    })

    it('is the same in whatever order and grouping the messages are stored', async () => {
      const message = fc.record({
        minute: fc.integer({ min: 0, max: 9 }),
        kind: fc.constantFrom('question', 'answer', 'automatic'),
      })
      const groups = fc.array(fc.array(message, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 })
      let round = 0
      await fc.assert(
        fc.asyncProperty(groups, async (batches) => {
          round += 1
          const id = `property-${round}`
          await addIdentity(db, id, { page: 'p1' })
          let number = 0
          for (const batch of batches) {
            await db
              .insertInto('messages')
              .values(
                batch.map(({ minute, kind }) => {
                  number += 1
                  return {
                    message_id: `${id}-${number}`,
                    fb_user_id: id,
                    message_text: 'text',
                    direction: kind === 'question' ? ('incoming' as const) : ('outgoing' as const),
                    idempotency_key: kind === 'automatic' ? `auto-reply:${id}-${number}` : null,
                    timestamp_fb: at(minute),
                  }
                }),
              )
              .execute()
          }
          const all = batches.flat()
          const minutesOf = (wanted: string) => all.flatMap(({ kind, minute }) => (kind === wanted ? [minute] : []))
          const answered = Math.max(Number.NEGATIVE_INFINITY, ...minutesOf('answer'))
          const unanswered = minutesOf('question').filter((minute) => minute >= answered)
          expect(await waitingSince(id)).toEqual(unanswered.length === 0 ? null : at(Math.min(...unanswered)))
        }),
        { numRuns: 40, seed: 17 },
      )
    })
  })

  describe('decisions of staff', () => {
    beforeEach(() => addMessage(db, 'm1', 'u1', 1))

    it('close a conversation, and a new message of the person opens it again', async () => {
      expect(await decide({ done: true })).toMatchObject({
        refusal: null,
        state: { waiting_since: null, done_by: 'ana' },
      })
      expect(await rowOf()).toMatchObject({ done_at: at(60), waiting_since: null })
      await addMessage(db, 'auto', 'u1', 61, automatic)
      expect(await rowOf()).toMatchObject({ done_at: at(60) })
      await addMessage(db, 'm2', 'u1', 62)
      expect(await rowOf()).toMatchObject({ done_at: null, done_by: null, waiting_since: at(62) })
    })

    it('keep a conversation closed when a historical sync stores older messages', async () => {
      await decide({ done: true })
      await addMessage(db, 'm0', 'u1', 0, { is_historical: true })
      expect(await rowOf()).toMatchObject({ done_at: at(60), waiting_since: null })
      // A deletion derives the state again from all messages.
      await db.deleteFrom('messages').where('message_id', '=', 'm1').execute()
      expect(await rowOf()).toMatchObject({ done_at: at(60), waiting_since: null })
    })

    it('open a closed conversation as it was before', async () => {
      await decide({ done: true })
      expect(await decide({ done: false })).toMatchObject({ refusal: null })
      expect(await rowOf()).toMatchObject({ done_at: null, done_by: null, settled_up_to: null, waiting_since: at(1) })
    })

    it('open a closed conversation for a message that was written before and arrives late', async () => {
      await addMessage(db, 'm3', 'u1', 3)
      await decide({ done: true })
      await addMessage(db, 'm2', 'u1', 2)
      expect(await rowOf()).toMatchObject({ done_at: null, waiting_since: at(2) })
    })

    it.each([
      ['until a time', { until: at(90).toISOString() }, at(90)],
      ['until the person writes', { until: 'message' }, null],
      ['until one hour before the reply window closes', { until: 'window' }, at(1 + 23 * 60)],
    ] as const)('snooze %s', async (_title, snooze, until) => {
      expect((await decide({ snooze })).refusal).toBeNull()
      expect(await rowOf()).toMatchObject({ snoozed_at: at(60), snoozed_until: until, waiting_since: at(1) })
      expect((await view('waiting')).ids).toEqual([])
      await addMessage(db, 'm2', 'u1', 61)
      expect(await rowOf()).toMatchObject({ snoozed_at: null, snoozed_until: null, returned_at: null })
      expect((await view('waiting')).ids).toEqual(['u1'])
    })

    it('bring a snoozed conversation back at its time, marked until an answer', async () => {
      await decide({ snooze: { until: at(90).toISOString() } })
      expect(await endSnoozes(db, at(89).getTime())).toBe(0)
      expect(await endSnoozes(db, at(90).getTime())).toBe(1)
      expect(await endSnoozes(db, at(91).getTime())).toBe(0)
      expect(await rowOf()).toMatchObject({ snoozed_at: null, returned_at: at(90), waiting_since: at(1) })
      await addMessage(db, 'm2', 'u1', 92, answer)
      expect(await rowOf()).toMatchObject({ returned_at: null, waiting_since: null })
    })

    it('mark the last message of the person as unread', async () => {
      await addMessage(db, 'm2', 'u1', 2)
      await addMessage(db, 'm3', 'u1', 3, answer)
      await db.updateTable('messages').set({ is_read: true }).execute()
      await decide({ unread: true })
      const unread = await db.selectFrom('messages').select('message_id').where('is_read', '=', false).execute()
      expect(unread).toEqual([{ message_id: 'm2' }])
      expect((await rowOf()).unread_messages).toBe(1)
    })

    it.each([
      ['ending a snooze', { snooze: null }],
      ['opening again', { done: false }],
      ['an assignment', { assigned_to: 'ben' }],
      ['a mute', { muted: true }],
    ] as const)('accept %s although the person has written since: it hides nothing', async (_title, decision) => {
      expect(await decide(decision, { seen_message_at: null })).toMatchObject({ refusal: null })
    })

    it.each([
      ['an unknown conversation', { done: true }, { id: 'nobody' }, 'unknown'],
      ['a state that somebody changed', { done: true }, { version: 0 }, 'changed'],
      ['closing before the last message was seen', { done: true }, { seen_message_at: at(0).toISOString() }, 'written'],
      [
        'snoozing without having seen a message',
        { snooze: { until: 'message' } },
        { seen_message_at: null },
        'written',
      ],
      ['a member who does not exist', { assigned_to: 'zoe' }, {}, 'unknown_member'],
      ['a member who may not answer', { assigned_to: 'vic' }, {}, 'unknown_member'],
      ['a snooze until a time that has passed', { snooze: { until: at(59).toISOString() } }, {}, 'past'],
      ['a snooze until a window that has closed', { snooze: { until: 'window' } }, { minute: 24 * 60 }, 'past'],
    ] as const)('refuse %s and change nothing', async (_title, decision, seen, refusal) => {
      const before = await rowOf()
      const { id = 'u1', ...others } = { ...seen } as { id?: string }
      const results = await changeStates(db, {
        changes: [
          {
            id,
            version: before.state_version,
            seen_message_at: at(1).toISOString(),
            decision: { ...decision } as StateDecision,
            ...others,
          },
        ],
        staffId: 'ana',
        now: at('minute' in seen ? seen.minute : 60).getTime(),
        mayAnswer,
      })
      expect(results).toMatchObject([{ refusal }])
      expect(await rowOf()).toEqual(before)
    })

    it('accept from a second person what the first has decided already', async () => {
      const { state_version: version } = await rowOf()
      await decide({ done: true }, { version })
      expect(await decide({ done: true }, { version, staffId: 'ben' })).toMatchObject({
        refusal: null,
        state: { done_by: 'ana' },
      })
    })

    it('let only one of two people take a conversation at once', async () => {
      const { state_version: version } = await rowOf()
      const results = await Promise.all(
        ['ana', 'ben'].map((staffId) => decide({ assigned_to: staffId }, { version, staffId })),
      )
      expect(results.map(({ refusal }) => refusal).sort()).toEqual(['changed', null].sort())
      expect(new Set(results.map(({ state }) => state?.assigned_to)).size).toBe(1)
    })
  })

  it('are recorded with who changed what, under rising versions', async () => {
    await addMessage(db, 'm1', 'u1', 1)
    await decide({ assigned_to: 'ben' })
    await decide({ done: true }, { staffId: 'ben' })
    await addMessage(db, 'm2', 'u1', 62)
    const { rows } = await sql<{ event: Record<string, unknown> }>`
      select to_jsonb(e) as event from conversation_events e order by id`.execute(db)
    const events = rows.map(({ event }) => ({ ...conversationEventRow.parse(event), previous: event['previous'] }))
    expect(
      events.map(({ changed_by, waiting_since, done_by, assigned_to, previous }) => ({
        changed_by,
        waiting: waiting_since === null ? null : new Date(waiting_since),
        done_by,
        assigned_to,
        changed: Object.keys(Object(previous)).sort(),
      })),
    ).toEqual([
      { changed_by: null, waiting: at(1), done_by: null, assigned_to: null, changed: ['waiting_since'] },
      { changed_by: 'ana', waiting: at(1), done_by: null, assigned_to: 'ben', changed: ['assigned_to'] },
      {
        changed_by: 'ben',
        waiting: null,
        done_by: 'ben',
        assigned_to: 'ben',
        changed: ['done_at', 'done_by', 'waiting_since'],
      },
      {
        changed_by: null,
        waiting: at(62),
        done_by: null,
        assigned_to: 'ben',
        changed: ['done_at', 'done_by', 'waiting_since'],
      },
    ])
    const listed = await listConversations(
      db,
      { page: 1, limit: 20 },
      { staffId: 'ana', now: at(63).getTime(), country: 'PH', seesAmounts: true },
    )
    expect(listed.rows.map((row) => conversationState.parse(row.state))).toMatchObject([
      { version: events.at(-1)?.id, waiting_since: events.at(-1)?.waiting_since, assigned_to: 'ben' },
    ])
  })

  describe('views', () => {
    const day = 24 * 60
    beforeEach(async () => {
      for (const id of ['u2', 'u3', 'u4', 'u5']) await addIdentity(db, id, { page: id === 'u2' ? 'p2' : 'p1' })
      await addMessage(db, 'm1', 'u1', 0)
      await addMessage(db, 'm4', 'u4', 10)
      await addMessage(db, 'm2', 'u2', 2 * day)
      await addMessage(db, 'm3', 'u3', 2 * day + 1)
      await addMessage(db, 'm3b', 'u3', 2 * day + 5)
      await addMessage(db, 'm5', 'u5', 2 * day + 2)
      await addMessage(db, 'm5a', 'u5', 2 * day + 3, answer)
    })
    const minute = 2 * day + 60

    it('list those who wait: open windows by the longest wait, then closed windows by the newest message', async () => {
      expect(await view('waiting', { minute })).toEqual({ ids: ['u2', 'u3', 'u4', 'u1'], total: 4 })
      expect(await view('waiting', { minute, page: 2, limit: 3 })).toEqual({ ids: ['u1'], total: 4 })
      expect(await view('waiting', { minute, page: 3, limit: 3 })).toEqual({ ids: [], total: 4 })
    })

    it('list and count each conversation in the views that it belongs to', async () => {
      await decide({ assigned_to: 'ana' }, { id: 'u2', minute })
      await decide({ done: true }, { id: 'u3', minute })
      await decide({ snooze: { until: 'message' } }, { id: 'u4', minute })
      await decide({ muted: true }, { id: 'u1', minute })
      const names = ['waiting', 'mine', 'unassigned', 'snoozed', 'done', 'all'] as const
      const views = await Promise.all(names.map(async (name) => [name, (await view(name, { minute })).ids]))
      expect(Object.fromEntries(views)).toEqual({
        waiting: ['u2'],
        mine: ['u2'],
        unassigned: ['u5'],
        snoozed: ['u4'],
        done: ['u3'],
        all: ['u3', 'u5', 'u2', 'u4', 'u1'],
      })
      expect(await view('mine', { minute, staffId: 'ben' })).toEqual({ ids: [], total: 0 })
      expect(await countViews({ pageId: undefined, now: at(minute).getTime() })).toEqual({
        waiting: 1,
        urgent: 0,
        unassigned: 1,
        snoozed: 1,
        done: 1,
        assigned: { ana: 1 },
      })
      expect(await countViews({ pageId: 'p2', now: at(3 * day - 30).getTime() })).toEqual({
        waiting: 1,
        urgent: 1,
        unassigned: 0,
        snoozed: 0,
        done: 0,
        assigned: { ana: 1 },
      })
    })

    it('combine with a page, a search and unread only', async () => {
      const found = await listConversations(
        db,
        { page: 1, limit: 20, view: 'waiting', pageId: 'p1', unreadOnly: true, search: 'u3' },
        { staffId: 'ana', now: at(minute).getTime(), country: 'PH', seesAmounts: true },
      )
      expect(found.rows.map((row) => row.primary_user_id)).toEqual(['u3'])
    })
  })

  describe('merging', () => {
    beforeEach(async () => {
      await addIdentity(db, 'u2', { page: 'p2' })
      await addMessage(db, 'm1', 'u1', 1)
      await addMessage(db, 'm2', 'u2', 2)
    })

    it('keeps the longest wait, the member who takes care, and the record of both', async () => {
      await decide({ assigned_to: 'ben' }, { id: 'u2' })
      await mergeConversations(db, 'u1', 'u2')
      expect(await rowOf()).toMatchObject({ waiting_since: at(1), assigned_to: 'ben' })
      const events = await db.selectFrom('conversation_events').select('primary_user_id').distinct().execute()
      expect(events).toEqual([{ primary_user_id: 'u1' }])
    })

    it('opens a closed conversation if the other one waits, and keeps it closed if both are', async () => {
      await decide({ done: true })
      await mergeConversations(db, 'u1', 'u2')
      expect(await rowOf()).toMatchObject({ done_at: null })
      expect((await view('waiting')).ids).toEqual(['u1'])
    })

    it('keeps two closed conversations closed', async () => {
      await decide({ done: true })
      await decide({ done: true }, { id: 'u2' })
      await mergeConversations(db, 'u1', 'u2')
      expect(await rowOf()).toMatchObject({ done_at: at(60), waiting_since: null })
    })
  })
})
