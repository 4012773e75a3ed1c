import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { createAssignments } from '../../server/assignments.ts'
import { mayAnswer } from '../../server/auth/roles.ts'
import { changeStates } from '../../server/database/conversation-states.ts'
import type { Db } from '../../server/database/database.ts'
import type { AssignmentRule } from '../../src/schemas/assignment-rules.ts'
import { describeOnDatabase } from './databases.ts'
import { manualClock } from './manual-clock.ts'
import { addIdentity, addMessage, addPage, at } from './people.ts'

describeOnDatabase('Assignment by rules', (open) => {
  let db: Db

  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['conversation_events', 'pages', 'labels', 'staff', 'business_settings'] as const)
      await db.deleteFrom(table).execute()
    await addPage(db, 'p1')
    await addPage(db, 'p2')
    for (const [id, role, isActive] of [
      ['ana', 'administrator', true],
      ['ben', 'agent', true],
      ['gone', 'agent', false],
      ['viewer', 'viewer', true],
    ] as const)
      await db
        .insertInto('staff')
        .values({ id, email: `${id}@example.com`, name: id, role, is_active: isActive })
        .execute()
    for (let number = 1; number <= 4; number += 1)
      await addIdentity(db, `u${number}`, { page: number === 4 ? 'p2' : 'p1' })
  })

  const save = async (settings: { rules?: Partial<AssignmentRule>[]; assigns_first_answer?: boolean }) => {
    const rules = settings.rules?.map((rule) => ({
      page_id: null,
      label_id: null,
      action: 'rotation',
      member_id: null,
      ...rule,
    }))
    await db.deleteFrom('business_settings').execute()
    await db
      .insertInto('business_settings')
      .values({
        name: 'assignment-rules',
        settings: JSON.stringify({ assigns_first_answer: false, ...settings, rules: rules ?? [] }),
        version: 1,
        updated_at: at(0),
      })
      .execute()
  }
  /** Shows a conversation in a tab of each person. */
  const arePresent = async (...staffIds: string[]) => {
    await db.deleteFrom('presence').execute()
    for (const staffId of staffIds)
      await db
        .insertInto('presence')
        .values({
          id: `tab-${staffId}`,
          staff_id: staffId,
          primary_user_id: 'u1',
          is_typing: false,
          seen_at: sql`clock_timestamp()`,
        })
        .execute()
  }
  const newWorker = (minute: number) =>
    createAssignments({ db, clock: manualClock(at(minute).getTime()), logger: pino({ level: 'silent' }) })
  const work = async (minute = 10) => {
    const worker = newWorker(minute)
    worker.start()
    await worker.settled()
    await worker.stop()
  }
  const assignees = async () =>
    (await db.selectFrom('conversations').select('assigned_to').orderBy('primary_user_id').execute()).map(
      ({ assigned_to }) => assigned_to,
    )
  const events = (id: string) =>
    db
      .selectFrom('conversation_events')
      .select(['assigned_to', 'changed_by', 'by_rule'])
      .where('primary_user_id', '=', id)
      .orderBy('id')
      .execute()
  const dueCount = async () => (await db.selectFrom('due_assignments').selectAll().execute()).length

  it('chooses the present staff in turn, in the order in which people began to wait', async () => {
    await save({ rules: [{}] })
    await arePresent('ana', 'ben', 'viewer', 'gone')
    for (let number = 1; number <= 3; number += 1) await addMessage(db, `m${number}`, `u${number}`, number)
    await work()
    expect([await assignees(), await dueCount()]).toEqual([['ana', 'ben', 'ana', null], 0])
    expect(await events('u1')).toEqual([
      { assigned_to: null, changed_by: null, by_rule: false },
      { assigned_to: 'ana', changed_by: null, by_rule: true },
    ])
  })

  it('leaves a conversation unassigned if nobody is present, if somebody has it, or if the first rule says so', async () => {
    await save({ rules: [{ page_id: 'p2', action: 'nobody' }, {}] })
    await arePresent('viewer', 'gone')
    await addMessage(db, 'm1', 'u1', 1)
    await work()
    await arePresent('ana')
    await work()
    expect(await assignees()).toEqual([null, null, null, null])
    await db.updateTable('conversations').set({ assigned_to: 'ben' }).where('primary_user_id', '=', 'u2').execute()
    for (const number of [2, 3, 4]) await addMessage(db, `m${number}`, `u${number}`, number)
    // A colleague takes the conversation before the rule decides.
    await addIdentity(db, 'u5', { page: 'p1' })
    await addMessage(db, 'm5', 'u5', 5)
    await db.updateTable('conversations').set({ assigned_to: 'ben' }).where('primary_user_id', '=', 'u5').execute()
    await work()
    expect(await assignees()).toEqual([null, 'ben', 'ana', null, 'ben'])
  })

  it('chooses the present person with the fewest waiting conversations', async () => {
    await save({ rules: [{ action: 'least_loaded' }] })
    await arePresent('ana', 'ben')
    await db.updateTable('conversations').set({ assigned_to: 'ana' }).where('primary_user_id', '=', 'u1').execute()
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u2', 2)
    await work()
    await addMessage(db, 'm3', 'u3', 3)
    await work()
    // A conversation that is done counts for nobody.
    await db
      .updateTable('conversations')
      .set({ done_at: at(4) })
      .where('assigned_to', '=', 'ben')
      .execute()
    await addMessage(db, 'm4', 'u4', 5)
    await work()
    expect(await assignees()).toEqual(['ana', 'ben', 'ana', 'ben'])
  })

  it('assigns a page or a label to one staff member, present or not, but never to one who may not answer', async () => {
    await db
      .insertInto('labels')
      .values({ id: 'vip', name: 'VIP', name_key: 'vip', colour: 'red', keywords: [] })
      .execute()
    await save({
      rules: [
        { label_id: 'vip', action: 'member', member_id: 'ben' },
        { page_id: 'p2', action: 'member', member_id: 'viewer' },
        { action: 'member', member_id: 'gone' },
      ],
    })
    await db
      .updateTable('conversations')
      .set({ label_ids: ['vip'] })
      .where('primary_user_id', '=', 'u1')
      .execute()
    for (const number of [1, 2, 4]) await addMessage(db, `m${number}`, `u${number}`, number)
    await work()
    expect([await assignees(), await dueCount()]).toEqual([['ben', null, null, null], 0])
  })

  it('fits a rule to the label itself and to the page of the last message', async () => {
    for (const id of ['vip', 'other'])
      await db.insertInto('labels').values({ id, name: id, name_key: id, colour: 'red', keywords: [] }).execute()
    await save({
      rules: [
        { label_id: 'vip', action: 'member', member_id: 'ana' },
        { page_id: 'p1', label_id: 'other', action: 'nobody' },
        { page_id: 'p1', action: 'member', member_id: 'ana' },
        { page_id: 'p2', action: 'member', member_id: 'ben' },
      ],
    })
    await db
      .updateTable('conversations')
      .set({ label_ids: ['other'] })
      .where('primary_user_id', '=', 'u1')
      .execute()
    // The person of u2 writes to another page now.
    await addIdentity(db, 'u2-on-p2', { page: 'p2', in: 'u2' })
    await addMessage(db, 'm0', 'u2', 0)
    await addMessage(db, 'm0-answer', 'u2', 1, { direction: 'outgoing' })
    await addMessage(db, 'm1', 'u1', 2)
    await addMessage(db, 'm2', 'u2-on-p2', 2)
    await work()
    expect(await assignees()).toEqual([null, 'ben', null, null])
  })

  it('counts only what waits as load: neither snoozed nor muted nor done', async () => {
    await save({ rules: [{ action: 'least_loaded' }] })
    await arePresent('ana', 'ben')
    for (const number of [1, 2, 3]) await addMessage(db, `m${number}`, `u${number}`, number)
    await db.deleteFrom('due_assignments').execute()
    const give = (id: string, state: object) =>
      db.updateTable('conversations').set(state).where('primary_user_id', '=', id).execute()
    await give('u1', { assigned_to: 'ana', snoozed_at: at(4) })
    await give('u2', { assigned_to: 'ana', muted_at: at(4) })
    await give('u3', { assigned_to: 'ben' })
    await addMessage(db, 'm4', 'u4', 5)
    await work()
    expect((await assignees())[3]).toBe('ana')
  })

  it('assigns no first answerer if the setting was switched off before the decision', async () => {
    await save({ assigns_first_answer: true })
    const send = { page_id: 'p1', psid: 'psid-u1', message_text: 'Hello', state: 'sent', created_at: at(1) }
    await db
      .insertInto('sends')
      .values({ idempotency_key: 'off', staff_id: 'ben', ...send } as never)
      .execute()
    await addMessage(db, 'a1', 'u1', 1, { direction: 'outgoing', idempotency_key: 'off' })
    expect(await dueCount()).toBe(1)
    await save({ assigns_first_answer: false })
    await work()
    expect([await assignees(), await dueCount()]).toEqual([[null, null, null, null], 0])
  })

  it('assigns once when two processes decide at the same time', async () => {
    await save({ rules: [{}] })
    await arePresent('ana', 'ben')
    for (let number = 1; number <= 4; number += 1) await addMessage(db, `m${number}`, `u${number}`, number)
    const workers = [newWorker(10), newWorker(10), newWorker(10)]
    for (const worker of workers) worker.start()
    await Promise.all(workers.map((worker) => worker.settled()))
    for (const worker of workers) await worker.stop()
    const assigned = await db
      .selectFrom('conversation_events')
      .select('assigned_to')
      .where('by_rule', '=', true)
      .execute()
    expect([assigned.length, (await assignees()).toSorted(), await dueCount()]).toEqual([
      4,
      ['ana', 'ana', 'ben', 'ben'].toSorted(),
      0,
    ])
  })

  it('continues after an assignment that fails, and retries the failed one later', async () => {
    await save({ rules: [{}] })
    await arePresent('ana', 'ben')
    for (let number = 1; number <= 2; number += 1) await addMessage(db, `m${number}`, `u${number}`, number)
    await sql`create function refuse_u1() returns trigger language plpgsql as $$
      begin raise exception 'refused'; end $$`.execute(db)
    await sql`create trigger refuse_u1 before update on conversations for each row
      when (new.primary_user_id = 'u1' and new.assigned_to is not null) execute function refuse_u1()`.execute(db)
    try {
      await work()
      expect([await assignees(), await dueCount()]).toEqual([[null, 'ana', null, null], 1])
    } finally {
      await sql`drop function refuse_u1() cascade`.execute(db)
    }
    await work()
    expect(await assignees()).toEqual([null, 'ana', null, null])
    await work(11)
    expect([await assignees(), await dueCount()]).toEqual([['ben', 'ana', null, null], 0])
  })

  it('does not decide again about a conversation that staff have unassigned, until the person waits again', async () => {
    await save({ rules: [{}] })
    await arePresent('ben')
    await addMessage(db, 'm1', 'u1', 1)
    await work()
    const version = async () =>
      (
        await db
          .selectFrom('conversations')
          .select('state_version')
          .where('primary_user_id', '=', 'u1')
          .executeTakeFirstOrThrow()
      ).state_version
    const change = { id: 'u1', version: await version(), seen_message_at: null, decision: { assigned_to: null } }
    const [undone] = await changeStates(db, { changes: [change], staffId: 'ana', now: at(11).getTime(), mayAnswer })
    await addMessage(db, 'm2', 'u1', 2)
    await work()
    expect([undone?.refusal, await assignees()]).toEqual([null, [null, null, null, null]])
    await addMessage(db, 'm3', 'u1', 3, { direction: 'outgoing' })
    await addMessage(db, 'm4', 'u1', 4)
    await work()
    expect((await assignees())[0]).toBe('ben')
  })

  it('assigns no synced history, no muted person, and nothing while there are no rules', async () => {
    await arePresent('ana')
    await addMessage(db, 'm1', 'u1', 1)
    expect(await dueCount()).toBe(0)
    await save({ rules: [{}] })
    await db
      .updateTable('conversations')
      .set({ muted_at: at(0) })
      .where('primary_user_id', '=', 'u2')
      .execute()
    await addMessage(db, 'm2', 'u2', 2)
    await addMessage(db, 'm3', 'u3', 3)
    await work(3 + 24 * 60)
    expect([await assignees(), await dueCount()]).toEqual([[null, null, null, null], 0])
  })

  it('assigns the first staff member who answers, if that is set, and later answers change nothing', async () => {
    const answer = async (key: string, staffId: string, id: string, minute: number) => {
      await db
        .insertInto('sends')
        .values({
          idempotency_key: key,
          staff_id: staffId,
          page_id: 'p1',
          psid: id,
          message_text: 'Hello',
          state: 'sent',
          created_at: at(minute),
        } as never)
        .execute()
      await addMessage(db, `a-${key}`, id, minute, { direction: 'outgoing', idempotency_key: key })
    }
    await answer('k0', 'ana', 'u1', 1)
    await save({ assigns_first_answer: true })
    await answer('k1', 'ben', 'u2', 2)
    await answer('k2', 'ana', 'u2', 3)
    await answer('k3', 'viewer', 'u3', 4)
    await work()
    expect([await assignees(), (await events('u2')).at(-1), await dueCount()]).toEqual([
      [null, 'ben', null, null],
      { assigned_to: 'ben', changed_by: null, by_rule: true },
      0,
    ])
  })

  it('deletes turns with their staff member, and due rows with their conversation', async () => {
    await save({ rules: [{}] })
    await arePresent('ana')
    await addMessage(db, 'm1', 'u1', 1)
    await work()
    await addMessage(db, 'm2', 'u2', 2)
    await db.deleteFrom('staff').where('id', '=', 'ana').execute()
    await db.deleteFrom('fb_users').where('id', '=', 'u2').execute()
    await db.deleteFrom('conversations').where('primary_user_id', '=', 'u2').execute()
    const { rows } = await sql`select * from assignment_turns`.execute(db)
    expect([rows, await dueCount()]).toEqual([[], 0])
  })
})
