import type { Page } from '@playwright/test'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'
import { placeOf } from './network.ts'

const detailsOf = (page: Page) => page.getByRole('complementary', { name: 'Client details' })
const unreadIn = async (page: Page) =>
  Number(/(\d+) unread/.exec(await page.getByRole('banner').getByText('unread').innerText())?.[1])

/** Records the API calls with their times. */
function watchCalls(page: Page) {
  const calls: { call: string; at: number }[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push({ call: `${request.method()} ${pathname}`, at: Date.now() })
  })
  const callsTo = (end: string) => calls.filter(({ call }) => call.endsWith(end))
  return { callsTo, all: () => calls.map(({ call }) => call) }
}

test('edited, deleted, linked and renamed data updates in list, thread and sidebar without a refresh', async ({
  api,
  deliver,
  harness,
  createPerson,
  page,
  unique,
}) => {
  const newPerson = await createPerson('Jaime', unique('Katigbak').replace(' ', ''), [{ wrote: 'Una po' }])
  const id = newPerson.primary_user_id ?? ''
  const { pageId, psid } = newPerson
  const mid = unique('m').replace(' ', '_')
  const [oldName, newName] = [`"name":"${nameOf(newPerson)}"`, unique('Jaime II')]
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => {
    socket.connectToServer().onMessage((frame) => socket.send(`${frame}`.replace(oldName, `"name":"${newName}"`)))
  })
  await harness.signInAt(newPerson)
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
  // The list calls fail from now on, so that changes come from realtime only.
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

test('a hundred simultaneous messages are all shown, announced together, and cause few calls', async ({
  api,
  deliver,
  harness,
  page,
  people,
  unique,
}) => {
  // Otherwise reading earlier messages would change the count during the test.
  const read = people.findIndex(({ unread_messages }) => unread_messages === 0)
  const writers = [...people.splice(read, 1), ...people.splice(0, 9)]
  const [open] = writers
  if (!open || writers.length < 10) throw new Error('There are not enough people in the sandbox')
  const mark = unique('baha')
  const before = (await api.messages(open.primary_user_id ?? '')).length
  await harness.signInAt(open)
  await harness.isLive()
  await expect(page.getByRole('listitem').filter({ hasText: /New message|new messages/ })).toHaveCount(0)
  const unread = await unreadIn(page)

  const { callsTo, all } = watchCalls(page)
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
  expect(callsTo('/facebook/conversations').length).toBeLessThanOrEqual(most)
  expect(callsTo('/facebook/stats').length).toBeLessThanOrEqual(most)
  expect(callsTo('/mark-read').length).toBeLessThanOrEqual(most)
  const counted = callsTo('/facebook/stats').map(({ at }) => at)
  const pauses = counted.slice(1).map((at, index) => at - (counted[index] ?? 0))
  expect(Math.min(...pauses, 1_000)).toBeGreaterThanOrEqual(900)
  expect(all().length).toBeLessThanOrEqual(3 * most + 2)
  expect((await api.messages(open.primary_user_id ?? '')).length).toBe(Math.min(50, before + 10))
})
