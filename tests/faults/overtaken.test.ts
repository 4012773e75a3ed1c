import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from './matrix-fixture.ts'
import { type Row, rows, session, to } from './matrix-rows.ts'

const desks: Desk[] = []

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => {
  for (const desk of desks.splice(0)) desk.leave()
  vi.useRealTimers()
})

async function begin(): Promise<Desk> {
  const desk = await openDesk()
  desks.push(desk)
  await desk.until(() => desk.phase() === 'signedIn' && desk.has('conversations'), 5_000, 1)
  await desk.passes(2_000)
  return desk
}

/** The call is under way and is not answered. */
async function ask(desk: Desk, row: Row): Promise<void> {
  await row.prepare?.(desk)
  desk.fail(row.call, { kind: 'timeout' })
  row.act(desk)
  await desk.until(() => desk.hits.length > 0, 6_000, 10)
  expect([...new Set(desk.hits)]).toEqual([row.call])
}

/** They ask, and change nothing. */
const askingPosts = [
  'POST /facebook/pages/verify-token',
  'POST /faq/test-match',
  'POST /facebook/refresh-user-profile/ana',
]
const changesNothing = ({ call }: Row) => call.startsWith('GET ') || askingPosts.includes(call)
const named = (of: (row: Row) => boolean) =>
  rows.filter(of).map((row) => [row.at === undefined ? row.call : `${row.call} (${row.at})`, row] as const)

describe('once the session is over', () => {
  it.each(named(changesNothing))('nobody waits for %s any more', async (_, row) => {
    const desk = await begin()
    await ask(desk, row)
    desk.auth.send({ type: 'signOut.requested' })
    expect(desk.aborted).toEqual(desk.hits)
  })

  it.each(named((row) => !changesNothing(row)))('%s goes on: it may have been done', async (_, row) => {
    const desk = await begin()
    await ask(desk, row)
    desk.auth.send({ type: 'signOut.requested' })
    expect(desk.aborted).toEqual([])
  })
})

describe('the last intent wins', () => {
  const hold = async (call: string, act: (desk: Desk) => unknown) => {
    const desk = await begin()
    desk.fail(call, { kind: 'timeout' })
    act(desk)
    await desk.until(() => desk.hits.length > 0, 6_000, 10)
    desk.mend()
    return desk
  }
  const list = 'GET /facebook/conversations'
  const typed = (text: string) => (desk: Desk) => to(desk, 'conversations', 'search.typed', { text })

  it.each<[string, string, (desk: Desk) => unknown, (desk: Desk) => unknown]>([
    ['another search aborts the first', list, typed('mar'), typed('maria')],
    [
      'another page aborts the list of the first',
      list,
      (desk) => session(desk, 'page.chosen', { pageId: 'p1' }),
      (desk) => session(desk, 'page.chosen', { pageId: 'p2' }),
    ],
    [
      'another page aborts the counts of the first',
      'GET /facebook/stats',
      (desk) => session(desk, 'page.chosen', { pageId: 'p1' }),
      (desk) => session(desk, 'page.chosen', { pageId: 'p2' }),
    ],
    [
      'another conversation aborts the messages of the first',
      'GET /facebook/conversations/ana/messages',
      (desk) => session(desk, 'conversation.selected', { id: 'ana' }),
      (desk) => session(desk, 'conversation.selected', { id: 'ben' }),
    ],
  ])('%s', async (_, call, first, second) => {
    const desk = await hold(call, first)
    second(desk)
    expect(desk.aborted).toEqual([call])
  })
})
