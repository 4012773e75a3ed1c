import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Harness, openHarness } from './matrix-fixture.ts'
import { type Row, rows, session, to } from './matrix-rows.ts'

const harnesses: Harness[] = []

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => {
  for (const harness of harnesses.splice(0)) harness.leave()
  vi.useRealTimers()
})

async function begin(): Promise<Harness> {
  const harness = await openHarness()
  harnesses.push(harness)
  await harness.until(() => harness.phase() === 'signedIn' && harness.has('conversations'), 5_000, 1)
  await harness.passes(2_000)
  return harness
}

/** Makes the call of the row and leaves it unanswered. */
async function ask(harness: Harness, row: Row): Promise<void> {
  await row.prepare?.(harness)
  harness.fail(row.call, { kind: 'timeout' })
  await row.act(harness)
  await harness.until(() => harness.hits.length > 0, 6_000, 10)
  expect([...new Set(harness.hits)]).toEqual([row.call])
}

/**
 * Calls with POST that only read, the renewal of presence, which the next one repeats, and the state of a login, which
 * expires.
 */
const askingPosts = [
  'POST /facebook/pages/verify-token',
  'POST /faq/test-match',
  'POST /faq/dry-run',
  'POST /facebook/refresh-user-profile/ana',
  'POST /facebook/conversations/ana/presence',
  'POST /facebook/logins',
]
const changesNothing = ({ call }: Row) => call.startsWith('GET ') || askingPosts.includes(call)
const named = (of: (row: Row) => boolean) =>
  rows.filter(of).map((row) => [row.at === undefined ? row.call : `${row.call} (${row.at})`, row] as const)

describe('Once the session has ended', () => {
  it.each(named(changesNothing))('%s is aborted', async (_, row) => {
    const harness = await begin()
    await ask(harness, row)
    harness.auth.send({ type: 'signOut.requested' })
    expect(harness.aborted).toEqual(harness.hits)
  })

  it.each(named((row) => !changesNothing(row)))('%s continues, because it may have succeeded', async (_, row) => {
    const harness = await begin()
    await ask(harness, row)
    harness.auth.send({ type: 'signOut.requested' })
    expect(harness.aborted).toEqual([])
  })
})

describe('The last request wins', () => {
  const hold = async (call: string, act: (harness: Harness) => unknown) => {
    const harness = await begin()
    harness.fail(call, { kind: 'timeout' })
    act(harness)
    await harness.until(() => harness.hits.length > 0, 6_000, 10)
    harness.mend()
    return harness
  }
  const list = 'GET /facebook/conversations'
  const typed = (text: string) => (harness: Harness) => to(harness, 'conversations', 'search.typed', { text })

  it.each<[string, string, (harness: Harness) => unknown, (harness: Harness) => unknown]>([
    ['a new search aborts the first', list, typed('mar'), typed('maria')],
    [
      'a new page filter aborts the list of the first one',
      list,
      (harness) => session(harness, 'page.chosen', { pageId: 'p1' }),
      (harness) => session(harness, 'page.chosen', { pageId: 'p2' }),
    ],
    [
      'a new page filter aborts the counts of the first one',
      'GET /facebook/stats',
      (harness) => session(harness, 'page.chosen', { pageId: 'p1' }),
      (harness) => session(harness, 'page.chosen', { pageId: 'p2' }),
    ],
    [
      'a new conversation aborts the messages of the first one',
      'GET /facebook/conversations/ana/messages',
      (harness) => session(harness, 'conversation.selected', { id: 'ana' }),
      (harness) => session(harness, 'conversation.selected', { id: 'ben' }),
    ],
  ])('%s', async (_, call, first, second) => {
    const harness = await hold(call, first)
    second(harness)
    expect(harness.aborted).toEqual([call])
  })
})
