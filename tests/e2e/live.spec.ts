import type { Page } from '@playwright/test'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'
import { placeOf } from './network.ts'

const detailsOf = (page: Page) => page.getByRole('complementary', { name: 'Client details' })
const unreadIn = async (page: Page) =>
  Number(/(\d+) unread/.exec(await page.getByRole('banner').getByText('unread').innerText())?.[1])

/** The API's calls from now on, each with its moment. */
function watchCalls(page: Page) {
  const calls: { call: string; at: number }[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push({ call: `${request.method()} ${pathname}`, at: Date.now() })
  })
  const named = (end: string) => calls.filter(({ call }) => call.endsWith(end))
  return { named, all: () => calls.map(({ call }) => call) }
}

test('what is changed, taken back, linked and renamed elsewhere changes in list, thread and sidebar by itself', async ({
  api,
  deliver,
  harness,
  meet,
  page,
  unique,
}) => {
  const guest = await meet('Jaime', unique('Katigbak').replace(' ', ''), [{ wrote: 'Una po' }])
  const id = guest.primary_user_id ?? ''
  const { pageId, psid } = guest
  const mid = unique('m').replace(' ', '_')
  const [oldName, newName] = [`"name":"${nameOf(guest)}"`, unique('Jaime II')]
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => {
    socket.connectToServer().onMessage((frame) => socket.send(`${frame}`.replace(oldName, `"name":"${newName}"`)))
  })
  await harness.signIn()
  await harness.turnTo(guest)
  await harness.isLive()
  const row = harness.list.getByRole('option', { selected: true })

  await deliver([{ pageId, psid, wrote: 'Mali ang bilang', mid }])
  await expect(harness.bubbles('Mali ang bilang')).toHaveCount(1)
  await expect(row).toContainText('Mali ang bilang')
  await deliver([{ pageId, psid, edited: 'Tama na ang bilang', mid }])
  await expect(harness.bubbles('Tama na ang bilang')).toHaveCount(1)
  await expect(harness.bubbles('Mali ang bilang')).toHaveCount(0)
  await expect(row).toContainText('Tama na ang bilang')
  await deliver([{ pageId, psid, deleted: true, mid }])
  await expect(harness.bubbles('Tama na ang bilang')).toHaveCount(0)
  await expect(row).toContainText('Una po')

  const free = (await api.clients('example')).find((client) => client.fb_user_id == null)
  await expect(detailsOf(page).getByText('Not linked to a client')).toBeVisible()
  // The list is not answered any more: what changes is what was heard.
  await page.route(/\/api\/facebook\/conversations\?/, () => {})
  await api.link(id, free?.id ?? '')
  await expect(detailsOf(page).getByText('Linked to Client')).toBeVisible()
  await expect(detailsOf(page).getByText('Total Orders')).toBeVisible()
  await expect(row.getByText('Linked')).toBeVisible()
  await expect(row).toContainText(newName)
  for (const pane of [harness.thread, detailsOf(page)]) {
    await expect(pane.getByRole('heading', { name: newName, exact: true })).toBeVisible()
  }
})

test('a hundred messages at once are all there, announced together, and cost few calls', async ({
  api,
  deliver,
  harness,
  page,
  people,
  unique,
}) => {
  // Reading what was unread before would change the count meanwhile.
  const read = people.findIndex(({ unread_messages }) => unread_messages === 0)
  const writers = [...people.splice(read, 1), ...people.splice(0, 9)]
  const [open] = writers
  if (!open || writers.length < 10) throw new Error('There are not enough people in the sandbox')
  const mark = unique('baha')
  const before = (await api.messages(open.primary_user_id ?? '')).length
  await harness.signIn()
  await harness.turnTo(open)
  await harness.isLive()
  await expect(page.getByRole('listitem').filter({ hasText: /New message|new messages/ })).toHaveCount(0)
  const unread = await unreadIn(page)

  const { named, all } = watchCalls(page)
  const started = Date.now()
  await deliver(
    Array.from({ length: 100 }, (_, index) => {
      const writer = writers[index % 10] ?? open
      return { ...placeOf(writer), at: started + index, wrote: `${mark} ${Math.floor(index / 10) + 1}.` }
    }),
  )
  await expect(page.getByRole('listitem').filter({ hasText: /^\d+ new messages from \d+ people$/ })).toHaveCount(1)
  expect(await page.getByText('New message from').count()).toBeLessThanOrEqual(3)
  await expect(page.getByText(`New message from ${open.unified_name}`)).toHaveCount(0)
  await expect(harness.row(`${mark} 10.`)).toHaveCount(10)
  await expect(harness.bubbles(`${mark} 10.`)).toBeInViewport()
  await expect.poll(() => unreadIn(page)).toBe(unread + 90)
  await expect.poll(async () => (await api.messages(open.primary_user_id ?? '')).at(-1)?.is_read).toBe(true)

  const seconds = (Date.now() - started) / 1_000
  const most = Math.ceil(seconds) + 2
  expect(named('/facebook/conversations').length).toBeLessThanOrEqual(most)
  expect(named('/facebook/stats').length).toBeLessThanOrEqual(most)
  expect(named('/mark-read').length).toBeLessThanOrEqual(most)
  const counted = named('/facebook/stats').map(({ at }) => at)
  const pauses = counted.slice(1).map((at, index) => at - (counted[index] ?? 0))
  expect(Math.min(...pauses, 1_000)).toBeGreaterThanOrEqual(900)
  expect(all().length).toBeLessThanOrEqual(3 * most + 2)
  expect((await api.messages(open.primary_user_id ?? '')).length).toBe(Math.min(50, before + 10))
})
