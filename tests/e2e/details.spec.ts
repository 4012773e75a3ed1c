import type { Locator } from '@playwright/test'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'

const textsOf = async (lines: Locator) =>
  (await lines.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())

/** Unsorted, with amounts whose floating-point sum is inexact. */
const orders = [
  { number: 5, month: 5, status: 'processing', total: '99.99', paid: [] },
  {
    number: 7,
    month: 7,
    status: 'pending',
    total: '1000.10',
    paid: [
      [0.1, 'approved'],
      [0.2, 'completed'],
    ],
  },
  { number: 1, month: 1, status: 'rejected', total: '1000000.00', paid: [[5, 'pending']] },
  { number: 3, month: 3, status: 'ready', total: '300.00', paid: [[300, 'rejected']] },
  { number: 6, month: 6, status: 'completed', total: '500.00', paid: [[500, 'completed']] },
  {
    number: 2,
    month: 2,
    status: 'completed',
    total: '0.30',
    paid: [
      [0.1, 'approved'],
      [0.2, 'approved'],
    ],
  },
  { number: 4, month: 4, status: 'cancelled', total: '250.00', paid: [] },
].map(({ number, month, status, total, paid }) => ({
  id: `order-${number}`,
  order_number: `SO-${number}`,
  status,
  total_amount: total,
  created_at: `2026-0${month}-15T04:00:00.000Z`,
  payments: paid.map(([amount, state], index) => ({ id: `${number}-${index}`, amount, status: state })),
}))

const recent = [
  '#SO-7 ₱1,000.10 Jul 15, 2026 · pending partial',
  '#SO-6 ₱500.00 Jun 15, 2026 · completed paid',
  '#SO-5 ₱99.99 May 15, 2026 · processing unpaid',
  '#SO-4 ₱250.00 Apr 15, 2026 · cancelled unpaid',
  '#SO-3 ₱300.00 Mar 15, 2026 · ready unpaid',
]
const earlier = [
  '#SO-2 ₱0.30 Feb 15, 2026 · completed paid',
  '#SO-1 ₱1,000,000.00 Jan 15, 2026 · rejected To approve unpaid',
]
const totals = ['Outstanding ₱1,399.79', 'Total Orders 7', 'Pending 3', 'Total Spent ₱500.60']

test('the sidebar and the client screen show orders newest first, their totals and payments', async ({
  api,
  context,
  linkedPerson,
  harness,
  page,
}) => {
  await context.route(/\/api\/orders\?/, (route) => route.fulfill({ json: { success: true, data: orders } }))
  await harness.signIn()
  const asked = page.waitForRequest(/\/api\/orders\?/)
  await harness.navigateTo(linkedPerson)
  expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toEqual({
    client_id: linkedPerson.client_id,
    limit: '1000',
    sort_by: 'created_at',
    sort_order: 'desc',
    with: 'payments',
  })
  const sidebar = page.getByRole('complementary', { name: 'Client details' })
  await expect(sidebar.getByRole('heading', { name: nameOf(linkedPerson) })).toBeVisible()
  await expect(sidebar.getByText(linkedPerson.page_names ?? '')).toBeVisible()
  await expect(sidebar.getByText('Linked to Client')).toBeVisible()
  await expect(sidebar.getByRole('listitem')).toHaveCount(5)
  expect(await textsOf(sidebar.getByRole('listitem'))).toEqual(recent)
  expect(await textsOf(sidebar.locator('dl').first().locator(':scope > div'))).toEqual(totals)
  const row = (await api.conversations(`search=${linkedPerson.fb_user_id}`))[0]
  expect((await textsOf(sidebar.locator('dl').last().locator(':scope > div'))).slice(0, 3)).toEqual([
    `Total messages ${row?.total_messages}`,
    'Unread 0',
    'Pages 1',
  ])
  await expect(sidebar.getByText('Last message')).toBeVisible()
  await expect(sidebar.getByRole('heading', { name: 'Quick Actions' })).toBeVisible()

  const opened = context.waitForEvent('page')
  await sidebar.getByRole('link', { name: 'View Client' }).click()
  const client = await opened
  const section = (name: string) => client.locator('section').filter({ has: client.getByRole('heading', { name }) })
  await expect(section('Orders').getByRole('listitem')).toHaveCount(7)
  expect(await textsOf(section('Orders').getByRole('listitem'))).toEqual([...recent, ...earlier])
  expect(await textsOf(client.locator('dl').filter({ hasText: 'Total Orders' }).locator(':scope > div'))).toEqual(
    totals,
  )
  await expect(section('Payments').getByRole('listitem')).toHaveCount(7)
  await expect(section('Linked conversations').getByRole('link')).toHaveAttribute(
    'href',
    `/${linkedPerson.primary_user_id}`,
  )
  await section('Linked conversations').getByRole('link').click()
  await expect(client).toHaveURL(`/${linkedPerson.primary_user_id}`)
})
