import type { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { createAuditRoutes } from '../../../server/api/audit.ts'
import { forgetAuditEntries, recordAudit } from '../../../server/audit/audit.ts'
import type { Db } from '../../../server/database/database.ts'
import { type AuditAction, auditAnswer, auditPageSize } from '../../../src/schemas/audit.ts'
import { apiBehindSignIn } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

const start = Date.UTC(2026, 4, 1)
const minute = 60_000

describeOnDatabase('The API of the audit log', (open) => {
  let db: Db
  let administrator: SignedIn
  let api: Hono

  const record = (
    at: number,
    { staffId = 'anna', name = 'Anna', action = 'faq.created' as AuditAction, id = '1', details = {} } = {},
  ) =>
    recordAudit(db, {
      at: start + at * minute,
      by: { staffId, name, address: '192.0.2.1', userAgent: 'Test browser' },
      action,
      row: { kind: 'faq', id },
      details,
    })

  beforeAll(async () => {
    ;({ db } = await open())
    administrator = await signIn(db)
    api = apiBehindSignIn(db, '192.0.2.9')
    api.route('/audit', createAuditRoutes({ db, clock: { now: () => start } }))
  })

  const read = async (query: Record<string, string> = {}) => {
    const response = await api.request(`/audit?${new URLSearchParams(query)}`, { headers: administrator.headers })
    return { status: response.status, body: await response.json() }
  }
  const pageOf = async (query: Record<string, string> = {}) => auditAnswer.parse((await read(query)).body).data
  const idsOf = async (query: Record<string, string> = {}) => (await pageOf(query)).entries.map(({ row_id }) => row_id)
  const exported = async (filters: object) => {
    const response = await api.request('/audit/export', {
      method: 'POST',
      headers: { ...administrator.headers, 'content-type': 'application/json' },
      body: JSON.stringify(filters),
    })
    return {
      type: response.headers.get('content-type'),
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer()),
    }
  }

  test('pages newest first without a gap or a double, also over equal times and new entries', async () => {
    const total = auditPageSize * 2 + 10
    for (let at = 0; at < total; at++) await record(Math.floor(at / 7), { id: `paged-${at}`, staffId: 'paged' })
    const seen: (string | null)[] = []
    let next: string | null = null
    do {
      const page = await pageOf({ person: 'paged', ...(next === null ? {} : { before: next }) })
      seen.push(...page.entries.map(({ row_id }) => row_id))
      next = page.next
      await record(10_000, { id: 'new meanwhile', staffId: 'paged' })
    } while (next !== null)
    expect(seen).toEqual(Array.from({ length: total }, (_, at) => `paged-${total - 1 - at}`))
  })

  test('filters by person, action, row and time, and by all of them together', async () => {
    await record(1, { staffId: 'ben', id: 'f1' })
    await record(2, { staffId: 'ben', id: 'f2', action: 'faq.deleted' })
    await record(3, { staffId: 'cleo', id: 'f3', action: 'faq.deleted' })
    const at = (minutes: number) => new Date(start + minutes * minute).toISOString()
    expect(await idsOf({ person: 'ben' })).toEqual(['f2', 'f1'])
    expect(await idsOf({ action: 'faq.deleted' })).toEqual(['f3', 'f2'])
    expect(await idsOf({ row: 'f1' })).toEqual(['f1'])
    expect(await idsOf({ person: 'ben', from: at(2) })).toEqual(['f2'])
    expect(await idsOf({ person: 'ben', to: at(2) })).toEqual(['f1'])
    expect(await idsOf({ person: 'ben', action: 'faq.deleted', row: 'f2', from: at(2), to: at(3) })).toEqual(['f2'])
    expect(await idsOf({ person: 'nobody' })).toEqual([])
  })

  test('lists the members of staff for the filter', async () => {
    expect((await pageOf()).people).toEqual([{ id: administrator.staffId, name: 'Ana Reyes' }])
  })

  test.each([
    ['action', { action: 'everything' }],
    ['from', { from: 'yesterday' }],
    ['from', { from: '0000-01-01T00:00:00Z' }],
    ['to', { to: '+012000-01-01T00:00:00Z' }],
    ['to', { to: `2026-01-01 (${'x'.repeat(100)})` }],
    ['before', { before: '1; drop table audit_entries' }],
    ['row', { row: 'x'.repeat(201) }],
  ])('refuses a %s that is not valid', async (field, query) => {
    expect(await read(query)).toEqual({ status: 400, body: { success: false, error: `${field} is not valid` } })
  })

  test('exports all matching entries as CSV, with formulas defused and quotes escaped, and records it', async () => {
    await forgetAuditEntries(db, { olderThan: new Date(start + 1_000_000 * minute) })
    const formula = '=HYPERLINK("http://example.com")'
    await record(1, { staffId: 'eve', name: formula, id: '+1', details: { title: '@sum' } })
    await record(2, { staffId: 'eve', name: 'Eve, "E"', id: '-1\n2' })
    const { type, text } = await exported({ person: 'eve' })
    expect(type).toBe('text/csv; charset=utf-8')
    expect(text).toBe(
      '\ufefftime,person,person id,action,kind,id,address,browser,details\n' +
        `2026-05-01T00:02:00.000Z,"Eve, ""E""",eve,faq.created,faq,"'-1\n2",192.0.2.1,Test browser,{}\n` +
        `2026-05-01T00:01:00.000Z,"'=HYPERLINK(""http://example.com"")",eve,faq.created,faq,'+1,192.0.2.1,Test browser,"{""title"":""@sum""}"\n`,
    )
    const [entry] = (await pageOf({ action: 'audit.exported' })).entries
    expect([entry?.staff_name, entry?.details]).toEqual(['Ana Reyes', { person: 'eve' }])
  })

  test('exports more entries than one batch, each once', async () => {
    const rows = Array.from({ length: 1_203 }, (_, at) => ({
      created_at: new Date(start + Math.floor(at / 5)),
      staff_id: 'many',
      action: 'faq.created',
      details: JSON.stringify({ at }),
    }))
    await db.insertInto('audit_entries').values(rows).execute()
    const { text } = await exported({ person: 'many' })
    const found = [...text.matchAll(/""at"":(\d+)/g)].map(([, at]) => Number(at))
    expect(found).toEqual(rows.map((_, at) => rows.length - 1 - at))
  })
})
