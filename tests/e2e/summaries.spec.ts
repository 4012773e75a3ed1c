import type { Page } from '@playwright/test'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { look } from './look.ts'
import { psidOf } from './network.ts'

const detailsOf = (page: Page) => page.getByRole('complementary', { name: 'Client details' })

/** Answers for the orders of the open client, so that the test decides when they change. */
async function answerOrders(page: Page, orders: () => object[]): Promise<void> {
  await page.route('**/api/facebook/orders/*', (route) =>
    route.fulfill({ json: { success: true, data: { orders: orders() } } }),
  )
}

const order = (status: string, paid: number) => ({
  id: 'o1',
  order_number: 'SO-1',
  status,
  total_amount: 1000,
  created_at: '2026-10-01T04:00:00Z',
  payments: [{ id: 'p1', amount: paid, status: 'approved', created_at: '2026-10-02T04:00:00Z' }],
})

async function insertOrders(harness: Harness): Promise<string> {
  await harness.thread.getByRole('button', { name: 'Orders' }).click()
  await expect(harness.composer).not.toHaveValue('')
  return harness.composer.inputValue()
}

test('the amounts of a summary reconcile, and a summary is written in the language of the client', async ({
  harness,
  linkedPerson,
  page,
}) => {
  const called = { ...order('cancelled', 20), id: 'o2', order_number: 'SO-2', total_amount: 80 }
  await answerOrders(page, () => [order('ready', 1200), called])
  await harness.signInAt(linkedPerson)
  const english = await insertOrders(harness)
  expect(english).toContain('Total of your orders: ₱1,000.00.\nPaid in all: ₱1,200.00.\nPaid too much: ₱200.00.\n')
  expect(english).toContain(
    'There is nothing left to pay.\nNot included: 1 cancelled or rejected order, with ₱20.00 paid.',
  )

  await expect(detailsOf(page).getByText('Summaries in English')).toBeVisible()
  await detailsOf(page).getByRole('button', { name: 'Change the language of summaries' }).click()
  const dialog = page.getByRole('dialog', { name: 'Language of summaries' })
  await expect(dialog.getByRole('button', { name: 'English' })).toHaveAttribute('aria-pressed', 'true')
  await look(page, 'client-language')
  await dialog.getByRole('button', { name: 'Filipino' }).click()
  await expect(dialog).toBeHidden()
  await expect(detailsOf(page).getByText('Summaries in Filipino')).toBeVisible()
  await harness.thread.getByRole('button', { name: 'Orders' }).click()
  await expect(harness.composer).toHaveValue(/^Kumusta po!/)
  await expect(harness.composer).toHaveValue(/Sobra sa bayad: ₱200\.00\./)

  await page.reload()
  await expect(detailsOf(page).getByText('Summaries in Filipino')).toBeVisible()
})

test('what changed since a summary was made is shown before the summary is sent', async ({
  harness,
  linkedPerson,
  page,
  sandbox,
}) => {
  let orders = [order('processing', 100)]
  await answerOrders(page, () => orders)
  await harness.signInAt(linkedPerson)
  await harness.isLive()
  await insertOrders(harness)
  orders = [order('ready', 400)]
  // After a reload, Send waits for the code of the check.
  const loaded = Promise.withResolvers<void>()
  await page.route('**/assets/later-*', async (route) => {
    await loaded.promise
    await route.fallback()
  })
  await page.reload()
  await expect(harness.composer).not.toHaveValue('')
  await expect(harness.send).toBeDisabled()
  loaded.resolve()
  await harness.send.click()
  const question = page.getByRole('alertdialog', { name: 'This changed since the summary was made:' })
  await expect(question.getByRole('listitem')).toHaveText([
    'Order #SO-1: processing → ready',
    'Order #SO-1: paid ₱100.00 → ₱400.00',
  ])
  await look(page, 'summary-changed')
  expect(await sandbox.deliveredTo(psidOf(linkedPerson))).toEqual([])

  await question.getByRole('button', { name: 'Update summary' }).click()
  await expect(question).toBeHidden()
  await expect(harness.composer).toHaveValue(/paid ₱400\.00, balance ₱600\.00/)
  const text = await harness.composer.inputValue()
  await harness.send.click()
  await expect.poll(() => sandbox.deliveredTo(psidOf(linkedPerson))).toEqual([text.trim()])
  await expect(harness.composer).toHaveValue('')
})

test('a conversation is found by the phone number of its client in every notation', async ({
  api,
  server,
  unlinkedPerson,
}) => {
  const { token } = await tokenPairOf(server, demoStaff[1])
  const digits = String(Date.now()).slice(-7)
  const response = await fetch(`${server.url}/api/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Nena', last_name: 'Santos', phone: `+63956${digits}` }),
  })
  const { data } = await response.json()
  const readable = `0956 ${digits.slice(0, 3)} ${digits.slice(3)}`
  expect(data.phone).toBe(readable)
  await api.link(unlinkedPerson.fb_user_id, data.id)
  for (const term of [readable, `+63 956${digits}`, `(0956) ${digits}`]) {
    const found = await api.conversations(`search=${encodeURIComponent(term)}`)
    expect(found.map(({ fb_user_id }) => fb_user_id)).toEqual([unlinkedPerson.fb_user_id])
  }
})
