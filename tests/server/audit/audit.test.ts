import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { forgetAuditEntries, recordAudit, serverActor, staffActor } from '../../../server/audit/audit.ts'
import type { Db } from '../../../server/database/database.ts'
import { auditLimits } from '../../../src/schemas/audit.ts'
import { describeOnDatabase } from '../databases.ts'

const at = Date.UTC(2026, 4, 1)
const day = 24 * 60 * 60_000
const anna = staffActor(
  { id: 'anna', email: 'anna@example.com', name: 'Anna' },
  { address: '192.0.2.7', userAgent: 'Test browser' },
)
const entriesOf = (db: Db, staffId: string) =>
  db.selectFrom('audit_entries').selectAll().where('staff_id', '=', staffId).orderBy('id').execute()

describeOnDatabase('The audit log', (open) => {
  test('keeps who, what, on which row, from where and when', async () => {
    const { db } = await open()
    const by = { ...anna, staffId: 'whole' }
    await recordAudit(db, { at, by, action: 'page.removed', row: { kind: 'page', id: '12' }, details: { messages: 3 } })
    expect(await entriesOf(db, 'whole')).toEqual([
      {
        id: expect.any(Number),
        created_at: new Date(at),
        staff_id: 'whole',
        staff_name: 'Anna',
        action: 'page.removed',
        row_kind: 'page',
        row_id: '12',
        address: '192.0.2.7',
        user_agent: 'Test browser',
        details: { messages: 3 },
      },
    ])
  })

  test('has no entry of a change that was rolled back', async () => {
    const { db } = await open()
    const by = { ...anna, staffId: 'rolled back' }
    await expect(
      db.transaction().execute(async (transaction) => {
        await recordAudit(transaction, { at, by, action: 'faq.created', row: { kind: 'faq', id: '1' } })
        throw new Error('refused')
      }),
    ).rejects.toThrow('refused')
    expect(await entriesOf(db, 'rolled back')).toEqual([])
  })

  test('names a member without a name by the email, and cuts long texts', async () => {
    const { db } = await open()
    const long = '\0'.concat('x'.repeat(70_000))
    const by = staffActor({ id: 'cut', email: 'ben@example.com', name: null }, { address: long, userAgent: long })
    const details = { long, list: Array.from({ length: 1_000 }, () => long) }
    await recordAudit(db, { at, by, action: 'faq.changed', row: { kind: 'faq', id: long }, details })
    const [entry] = await entriesOf(db, 'cut')
    const x = (length: number) => 'x'.repeat(length)
    expect(entry).toMatchObject({
      staff_name: 'ben@example.com',
      row_id: x(auditLimits.id),
      address: x(auditLimits.address),
      user_agent: x(auditLimits.userAgent),
      details: { long: x(auditLimits.detail), list: Array.from({ length: 50 }, () => x(auditLimits.detail)) },
    })
  })

  test('stores a text whose last character is cut in half', async () => {
    const { db } = await open()
    const name = `${'x'.repeat(auditLimits.detail - 1)}😀`
    const by = { ...anna, staffId: 'half', name }
    await recordAudit(db, { at, by, action: 'page.removed', details: { name, names: [name] } })
    const cut = `${'x'.repeat(auditLimits.detail - 1)}\ufffd`
    expect(await entriesOf(db, 'half')).toMatchObject([{ staff_name: cut, details: { name: cut, names: [cut] } }])
  })

  test.each([
    ['an update', 'update audit_entries set staff_name = null'],
    ['a deletion', 'delete from audit_entries'],
    ['emptying the table', 'truncate audit_entries'],
  ])('refuses %s', async (_kind, statement) => {
    const { db } = await open()
    await recordAudit(db, { at, by: serverActor, action: 'token.invalid', row: { kind: 'page', id: '1' } })
    const before = await db.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    await expect(sql.raw(statement).execute(db)).rejects.toThrow(
      'entries of the audit log cannot be changed or deleted',
    )
    expect(await db.selectFrom('audit_entries').selectAll().orderBy('id').execute()).toEqual(before)
  })

  test('forgets old entries and the rows of an erased person, and nothing else', async () => {
    const { db } = await open()
    const by = { ...anna, staffId: 'forgetting' }
    const record = (days: number, kind: 'conversation' | 'client', id: string) =>
      recordAudit(db, { at: at + days * day, by, action: 'client.linked', row: { kind, id }, details: { other: id } })
    await forgetAuditEntries(db, { olderThan: new Date(at + 1) })
    await record(-1, 'conversation', 'old')
    await record(1, 'conversation', 'erased')
    await record(1, 'client', 'erased')
    await record(1, 'conversation', 'kept')
    expect(await forgetAuditEntries(db, { olderThan: new Date(at) })).toBe(1)
    expect(await forgetAuditEntries(db, { erased: { kind: 'conversation', ids: ['erased', 'unknown'] } })).toBe(1)
    const left = await entriesOf(db, 'forgetting')
    expect(left.map(({ row_kind, row_id, details, staff_name }) => [row_kind, row_id, details, staff_name])).toEqual([
      [null, null, {}, 'Anna'],
      ['client', 'erased', { other: 'erased' }, 'Anna'],
      ['conversation', 'kept', { other: 'kept' }, 'Anna'],
    ])
    await expect(db.deleteFrom('audit_entries').execute()).rejects.toThrow('cannot be changed or deleted')
  })
})
