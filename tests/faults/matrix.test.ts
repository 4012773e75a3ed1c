import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthRow, authRows, faultsOf, type Outcome } from './auth-rows.ts'
import { faults, timeOf, toldWithin } from './matrix-faults.ts'
import { type Desk, type Fault, fullerAnswers, fullPage, hasRows, openDesk } from './matrix-fixture.ts'
import { conversations, more, type Row, rows, snapshotOf, thread, to } from './matrix-rows.ts'

const screenOf = (desk: Desk) => ({
  list: [...snapshotOf(conversations(desk)).context.order],
  pages: [...snapshotOf(desk.actor('pages')).context.names],
  stats: snapshotOf(desk.actor('stats')).context.stats,
  draft: snapshotOf(desk.actor('drafts')).context.drafts.get('ben')?.text,
  messages: desk.has('thread')
    ? snapshotOf(thread(desk)).context.thread.messages.map((one: { message_id: string }) => one.message_id)
    : [],
})

const desks: Desk[] = []

async function begin(row: Row): Promise<Desk> {
  const desk = await openDesk()
  desks.push(desk)
  await desk.until(() => desk.phase() === 'signedIn' && desk.has('conversations'), 5_000, 1)
  await desk.passes(2_000)
  to(desk, 'drafts', 'draft.changed', {
    conversationId: 'ben',
    draft: { id: 'd0', text: 'half a sentence', pageId: null },
  })
  await row.prepare?.(desk)
  desk.toasts.length = 0
  return desk
}

const nameOf = ({ call, at }: Pick<Row, 'call' | 'at'>) => (at === undefined ? call : `${call} (${at})`)
let cells = 0

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => {
  for (const desk of desks.splice(0)) desk.leave()
  vi.useRealTimers()
})
afterAll(() => void process.stdout.write(`fault matrix: ${rows.length + authRows.length} rows, ${cells} cells\n`))

describe.each(rows.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  it.each(Object.entries(faults))('%s', async (name, { fault, text }) => {
    cells += 1
    const rule = text(row)
    const expected = row.told ? row.told(name, rule) : rule
    const desk = await begin(row)
    const before = screenOf(desk)
    desk.fail(row.call, fault)
    row.act(desk)
    await desk.until(() => desk.hits.length > 0, 6_000, 10)
    expect(desk.hits).toContain(row.call)
    const isSignedOut = name === '401'
    const typed = isSignedOut ? undefined : row.typed?.(desk)
    const time = timeOf(name, row.call)
    // What is answered at once has ended by now.
    if (time > 0) expect(row.isBusy(desk)).toBe(true)
    const asked = Date.now()
    const isOver = () => (expected === null ? !row.isBusy(desk) : desk.toasts.length > 0)
    expect(await desk.until(isOver, time + toldWithin, time > 3_000 ? 500 : 100)).toBe(true)
    // It was heard of up to 10 ms after it was asked.
    expect(Date.now() - asked).toBeGreaterThanOrEqual(time - 10)
    if (!isSignedOut) expect(row.isBusy(desk)).toBe(false)
    await desk.passes(3_000)
    const kind = expected === 'Message sent successfully' ? 'success' : 'error'
    expect(desk.toasts.map((toast) => [toast.kind, toast.text])).toEqual(expected === null ? [] : [[kind, expected]])
    expect(desk.thrown).toEqual([])
    if (isSignedOut) {
      expect([desk.phase(), desk.area.getItem('token')]).toEqual(['signedOut', null])
      expect(desk.area.getItem('staff-inbox.draft.u1.ben')).toContain('half a sentence')
      return
    }
    expect(desk.phase()).toBe('signedIn')
    const after = screenOf(desk)
    expect({ ...after, messages: before.messages }).toEqual(before)
    expect(after.messages).toEqual(expect.arrayContaining(before.messages))
    if (typed !== undefined) expect(row.typed?.(desk)).toEqual(typed)
    // Once the API answers again nothing turns for good, and nothing more went wrong.
    desk.mend()
    await desk.passes(70_000)
    expect(row.isBusy(desk)).toBe(false)
    expect(desk.toasts.slice(expected === null ? 0 : 1).filter(({ kind: one }) => one === 'error')).toEqual([])
    expect(desk.thrown).toEqual([])
  })
})

const withRows = rows.filter(({ call }) => hasRows(call))

/** What is shown, said and logged after an answer in which all rows are good, or all but one. */
async function answered(row: Row, isOneBad: boolean) {
  const desk = await begin(row)
  const fuller = fullerAnswers[row.call]
  if (fuller !== undefined) desk.answers(row.call, fuller)
  if (isOneBad) desk.fail(row.call, { kind: 'badRow' })
  desk.warnings.length = 0
  row.act(desk)
  await desk.passes(5_000)
  expect(desk.hits.length > 0).toBe(isOneBad)
  expect(row.isBusy(desk)).toBe(false)
  const screen = { ...screenOf(desk), shown: row.list?.shown(desk) }
  return { screen, told: desk.toasts.map(({ kind, text }) => [kind, text]), logged: new Set(desk.warnings) }
}

describe('one bad row is dropped and counted, all others stay in their order, and nothing is said of it', () => {
  it.each(withRows.map((row) => [nameOf(row), row] as const))('%s', async (_, row) => {
    cells += 1
    const { names = [], counted = '' } = row.list ?? {}
    const good = await answered(row, false)
    expect(JSON.stringify(good.screen.shown)).toMatch(new RegExp(names.join('.*')))
    expect(await answered(row, true)).toEqual({ ...good, logged: new Set([`1 ${counted} could not be read`]) })
    expect(good.logged).toEqual(new Set())
  })
})

it('a bad row in the first page of the list does not hide the second page', async () => {
  const desk = await openDesk()
  desks.push(desk)
  desk.answers('GET /facebook/conversations', fullPage({ nothing: 'of this is known' }))
  await desk.until(() => desk.phase() === 'signedIn' && desk.has('conversations'), 5_000, 1)
  await desk.passes(2_000)
  expect(screenOf(desk).list.length).toBe(19)
  more(desk)
  await desk.passes(2_000)
  expect(screenOf(desk).list.slice(18)).toEqual(['guest19', 'cleo', 'dan'])
})

async function beginSigningIn(row: AuthRow, fault: Fault): Promise<Desk> {
  const desk = await openDesk(row.stored, row.isAtStart ? [[row.call, fault]] : [], row.provider)
  desks.push(desk)
  if (row.isAtStart) return desk
  await desk.until(() => desk.phase() !== 'starting', 5_000, 1)
  await row.prepare?.(desk)
  if (desk.phase() === 'signedIn') await desk.passes(2_000)
  desk.fail(row.call, fault)
  return desk
}

const outcomeOf = (desk: Desk): Outcome => ({
  phase: desk.phase() as Outcome['phase'],
  form: desk.form(),
  dialog: desk.migration()?.getSnapshot().context.failure?.text ?? null,
  toasts: desk.toasts.map(({ text }) => text),
  hasToken: desk.area.getItem('token') !== null,
})

describe.each(authRows.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  it.each(faultsOf(row))('%s', async (name, fault) => {
    cells += 1
    const outcome = row.outcome(name)
    const desk = await beginSigningIn(row, fault)
    const tokens = desk.area.getItem('token')
    row.act(desk)
    await desk.until(() => desk.hits.length > 0, 6_000, 10)
    expect(desk.hits).toContain(row.call)
    const asked = Date.now()
    // Nothing about signing in is tried twice before it is told.
    const time = name === 'no answer in 30 s' ? (row.limit ?? 30_000) : 0
    expect(await desk.until(() => !row.isBusy(desk), time + toldWithin)).toBe(true)
    expect(Date.now() - asked).toBeGreaterThanOrEqual(time - 10)
    await desk.passes(3_000)
    expect(outcomeOf(desk)).toEqual(outcome)
    if (outcome.hasToken) expect(desk.area.getItem('token')).toBe(tokens)
    expect(desk.thrown).toEqual([])
    // Once the API answers again the person is in: by themselves, or by the next try.
    desk.mend()
    await row.again(desk, outcome)
    await desk.until(() => desk.phase() === 'signedIn' && desk.authState().matches('authenticated'), 65_000)
    await desk.passes(1_000)
    expect([desk.phase(), desk.authState().value, desk.toasts.length]).toEqual([
      'signedIn',
      'authenticated',
      outcome.toasts.length,
    ])
    expect(desk.thrown).toEqual([])
  })
})
