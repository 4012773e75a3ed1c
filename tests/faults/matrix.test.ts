import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthRow, authRows, faultsOf, type Outcome } from './auth-rows.ts'
import { faultsOfRow, timeOf, toldWithin } from './matrix-faults.ts'
import { type Fault, fullerAnswers, fullPage, type Harness, hasRows, openHarness } from './matrix-fixture.ts'
import { conversations, more, type Row, rows, snapshotOf, thread, to } from './matrix-rows.ts'

const screenOf = (harness: Harness) => ({
  list: [...snapshotOf(conversations(harness)).context.order],
  pages: snapshotOf(harness.actor('pages')).context.pages.inOrder,
  stats: snapshotOf(harness.actor('stats')).context.stats,
  draft: snapshotOf(harness.actor('drafts')).context.drafts.get('ben')?.text,
  messages: harness.has('thread')
    ? snapshotOf(thread(harness)).context.thread.messages.map((one: { message_id: string }) => one.message_id)
    : [],
})

const harnesses: Harness[] = []

async function begin(row: Row): Promise<Harness> {
  const harness = await openHarness()
  harnesses.push(harness)
  await harness.until(() => harness.phase() === 'signedIn' && harness.has('conversations'), 5_000, 1)
  await harness.passes(2_000)
  to(harness, 'drafts', 'draft.changed', {
    conversationId: 'ben',
    draft: { id: 'd0', text: 'half a sentence', pageId: null },
  })
  await row.prepare?.(harness)
  harness.toasts.length = 0
  return harness
}

const nameOf = ({ call, at }: Pick<Row, 'call' | 'at'>) => (at === undefined ? call : `${call} (${at})`)
let cells = 0

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => {
  for (const harness of harnesses.splice(0)) harness.leave()
  vi.useRealTimers()
})
afterAll(() => void process.stdout.write(`fault matrix: ${rows.length + authRows.length} rows, ${cells} cells\n`))

describe.each(rows.map((row, index) => [nameOf(row), row, index] as const))('%s', (_, row, index) => {
  it.each(faultsOfRow(index))('%s', async (name, { fault, text }) => {
    cells += 1
    const rule = text(row)
    const expected = row.told ? row.told(name, rule) : rule
    const harness = await begin(row)
    const before = screenOf(harness)
    harness.fail(row.call, fault)
    await row.act(harness)
    await harness.until(() => harness.hits.length > 0, 6_000, 10)
    expect(harness.hits).toContain(row.call)
    const isSignedOut = name === '401'
    const typed = isSignedOut ? undefined : row.typed?.(harness)
    const time = Math.min(timeOf(name, row.call), row.patience ?? Number.POSITIVE_INFINITY)
    // A call that is answered at once has ended by now.
    if (time > 0) expect(row.isBusy(harness)).toBe(true)
    const asked = Date.now()
    const isOver = () => (expected === null ? !row.isBusy(harness) : harness.toasts.length > 0)
    expect(await harness.until(isOver, time + toldWithin, time > 3_000 ? 500 : 100)).toBe(true)
    // The request was noticed up to 10 ms after it was sent.
    expect(Date.now() - asked).toBeGreaterThanOrEqual(time - 10)
    if (!isSignedOut) expect(row.isBusy(harness)).toBe(false)
    await harness.passes(3_000)
    const kind = expected === 'Message sent successfully' ? 'success' : 'error'
    expect(harness.toasts.map((toast) => [toast.kind, toast.text])).toEqual(expected === null ? [] : [[kind, expected]])
    expect(harness.thrown).toEqual([])
    if (isSignedOut) {
      expect([harness.phase(), harness.area.getItem('token')]).toEqual(['signedOut', null])
      expect(harness.area.getItem('staff-inbox.draft.u1.ben')).toContain('half a sentence')
      return
    }
    expect(harness.phase()).toBe('signedIn')
    const after = screenOf(harness)
    expect({ ...after, messages: before.messages }).toEqual(before)
    expect(after.messages).toEqual(expect.arrayContaining(before.messages))
    if (typed !== undefined) expect(row.typed?.(harness)).toEqual(typed)
    // Once the API answers again, no loading indicator remains, and there is no further failure.
    harness.mend()
    await harness.passes(70_000)
    expect(row.isBusy(harness)).toBe(false)
    expect(harness.toasts.slice(expected === null ? 0 : 1).filter(({ kind: one }) => one === 'error')).toEqual([])
    expect(harness.thrown).toEqual([])
  })
})

const withRows = rows.filter(({ call }) => hasRows(call))

/** The shown rows, toasts and logs after an answer in which all rows, or all but one, are readable. */
async function answered(row: Row, isOneBad: boolean) {
  const harness = await begin(row)
  const fuller = fullerAnswers[row.call]
  if (fuller !== undefined) harness.answers(row.call, fuller)
  if (isOneBad) harness.fail(row.call, { kind: 'badRow' })
  harness.warnings.length = 0
  await row.act(harness)
  await harness.passes(5_000)
  expect(harness.hits.length > 0).toBe(isOneBad)
  expect(row.isBusy(harness)).toBe(false)
  const screen = { ...screenOf(harness), shown: row.list?.shown(harness) }
  return { screen, told: harness.toasts.map(({ kind, text }) => [kind, text]), logged: new Set(harness.warnings) }
}

describe('One unreadable row is dropped and counted without a toast, and all others keep their order', () => {
  it.each(withRows.map((row) => [nameOf(row), row] as const))('%s', async (_, row) => {
    cells += 1
    const { names = [], counted = '' } = row.list ?? {}
    const good = await answered(row, false)
    expect(JSON.stringify(good.screen.shown)).toMatch(new RegExp(names.join('.*')))
    expect(await answered(row, true)).toEqual({ ...good, logged: new Set([`1 ${counted} could not be read`]) })
    expect(good.logged).toEqual(new Set())
  })
})

it('an unreadable row in the first page of the list does not hide the second page', async () => {
  const harness = await openHarness()
  harnesses.push(harness)
  harness.answers('GET /facebook/conversations', fullPage({ nothing: 'of this is known' }))
  await harness.until(() => harness.phase() === 'signedIn' && harness.has('conversations'), 5_000, 1)
  await harness.passes(2_000)
  expect(screenOf(harness).list.length).toBe(19)
  more(harness)
  await harness.passes(2_000)
  expect(screenOf(harness).list.slice(18)).toEqual(['guest19', 'cleo', 'dan'])
})

async function beginSigningIn(row: AuthRow, fault: Fault): Promise<Harness> {
  const harness = await openHarness(row.stored, row.isAtStart ? [[row.call, fault]] : [], row.provider)
  harnesses.push(harness)
  if (row.isAtStart) return harness
  await harness.until(() => harness.phase() !== 'starting', 5_000, 1)
  await row.prepare?.(harness)
  if (harness.phase() === 'signedIn') await harness.passes(2_000)
  harness.fail(row.call, fault)
  return harness
}

const outcomeOf = (harness: Harness): Outcome => ({
  phase: harness.phase() as Outcome['phase'],
  form: harness.form(),
  dialog: harness.migration()?.getSnapshot().context.failure?.text ?? null,
  toasts: harness.toasts.map(({ text }) => text),
  hasToken: harness.area.getItem('token') !== null,
})

describe.each(authRows.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  it.each(faultsOf(row))('%s', async (name, fault) => {
    cells += 1
    const outcome = row.outcome(name)
    const harness = await beginSigningIn(row, fault)
    const tokens = harness.area.getItem('token')
    await row.act(harness)
    await harness.until(() => harness.hits.length > 0, 6_000, 10)
    expect(harness.hits).toContain(row.call)
    const asked = Date.now()
    // No sign-in call is retried before the failure is shown.
    const time = name === 'no answer in 30 s' ? (row.limit ?? 30_000) : 0
    expect(await harness.until(() => !row.isBusy(harness), time + toldWithin)).toBe(true)
    expect(Date.now() - asked).toBeGreaterThanOrEqual(time - 10)
    await harness.passes(3_000)
    expect(outcomeOf(harness)).toEqual(outcome)
    if (outcome.hasToken) expect(harness.area.getItem('token')).toBe(tokens)
    expect(harness.thrown).toEqual([])
    // Once the API answers again, the person is signed in automatically or by the next attempt.
    harness.mend()
    await row.again(harness, outcome)
    await harness.until(() => harness.phase() === 'signedIn' && harness.authState().matches('authenticated'), 65_000)
    await harness.passes(1_000)
    expect([harness.phase(), harness.authState().value, harness.toasts.length]).toEqual([
      'signedIn',
      'authenticated',
      outcome.toasts.length,
    ])
    expect(harness.thrown).toEqual([])
  })
})
