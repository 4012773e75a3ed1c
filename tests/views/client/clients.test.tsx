import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { clientOf, faults, orderOf } from '../../model/client/clients-fixture.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

async function open(more: Partial<Conversation> = {}, message = messageIn('c1', 1, { is_read: true })) {
  const inbox = await showInbox()
  await inbox.answer('loadTop', listOf([row('c1', 1, more)]))
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [message], hasMore: false })
  return inbox
}

const linked = {
  client_id: 'k1',
  client_first_name: 'Maria',
  client_last_name: 'Santos',
  platform: 'messenger',
} as const
const sidebar = () => within(screen.getByRole('complementary', { name: 'Client details' }))
const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type a message...')
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

const orders = [
  orderOf('o1', { total_amount: 0.1, payments: [{ amount: 0.1, status: 'approved' }], status: 'completed' }),
  orderOf('o2', { total_amount: 0.2, payments: [{ amount: 0.2, status: 'completed' }], status: 'completed' }),
  orderOf('o3', { total_amount: 1000, payments: [{ amount: 250.5, status: 'approved' }] }),
  orderOf('o4', { total_amount: 2500, payments: [{ amount: 2500, status: 'pending' }] }),
  orderOf('o5', { total_amount: 99, status: 'cancelled' }),
  orderOf('o6', { total_amount: 10, payments: [{ amount: 10, status: 'approved' }] }),
]

describe('The details of a linked client', () => {
  it('show the name at once, and the order totals once they are loaded', async () => {
    await import('../../../src/views/client/ContactLines.tsx')
    const inbox = await open(linked)
    expect([sidebar().getByText('Linked to Client').tagName, sidebar().getByText('Maria Santos').tagName]).toEqual([
      'SPAN',
      'P',
    ])
    expect(sidebar().getByText('Loading client details')).toBeDefined()
    await inbox.answer('loadProfile', { client: clientOf('k1', { phone: '0917', classification: 'vip' }) })
    await inbox.answer('loadOrders', { orders })
    const tiles = ['Total Orders', 'Pending', 'Total Spent', 'Outstanding'].map(
      (name) => sidebar().getByText(name).nextElementSibling?.textContent,
    )
    expect(tiles).toEqual(['6', '3', '₱260.80', '₱3,249.50'])
    expect(['k1@santos.ph', '0917', 'vip'].map((text) => sidebar().queryByText(text) !== null)).toEqual([
      true,
      true,
      true,
    ])
  })

  it('show the 5 newest orders, newest first, with their status and payment status', async () => {
    const inbox = await open(linked)
    await inbox.answer('loadOrders', { orders })
    const lines = sidebar()
      .getAllByRole('listitem')
      .map((line) => [...line.children].map((part) => part.textContent))
    const day = (date: number) => `Mar ${date}, 2026`
    expect(lines).toEqual([
      ['#106', '₱10.00', `${day(6)} · processing`, 'paid'],
      ['#105', '₱99.00', `${day(5)} · cancelled`, 'unpaid'],
      ['#104', '₱2,500.00', `${day(4)} · processing`, 'unpaid'],
      ['#103', '₱1,000.00', `${day(3)} · processing`, 'partial'],
      ['#102', '₱0.20', `${day(2)} · completed`, 'paid'],
    ])
  })

  it('mark unpaid orders, except cancelled ones', async () => {
    const inbox = await open(linked)
    await inbox.answer('loadOrders', { orders })
    const alarms = sidebar()
      .getAllByText('unpaid')
      .map((badge) => badge.classList.contains('text-bad'))
    expect(alarms).toEqual([false, true])
  })

  it('link to the client screen in a new tab without an opener', async () => {
    await open(linked)
    const link = sidebar().getByRole<HTMLAnchorElement>('link', { name: 'View Client' })
    expect([link.pathname, link.target, link.rel]).toEqual(['/clients/k1', '_blank', 'noopener'])
  })

  it('show the profile and a retry button if the orders fail to load', async () => {
    const inbox = await open(linked)
    await inbox.answer('loadProfile', { client: clientOf('k1') })
    await inbox.fail('loadOrders', faults.invalid)
    expect(sidebar().getByText('k1@santos.ph')).toBeDefined()
    await userEvent.click(sidebar().getByRole('button', { name: 'Try again to load the orders' }))
    await inbox.answer('loadOrders', { orders: [] })
    expect([sidebar().getByText('No orders').tagName, inbox.waiting('loadProfile')]).toEqual(['P', []])
  })

  it('show the orders and a retry button if the profile fails to load', async () => {
    const inbox = await open(linked)
    await inbox.fail('loadProfile', faults.invalid)
    await inbox.answer('loadOrders', { orders })
    expect([sidebar().getAllByRole('listitem').length, sidebar().getByText('Maria Santos').tagName]).toEqual([5, 'P'])
    await userEvent.click(sidebar().getByRole('button', { name: 'Try again to load the profile' }))
    await inbox.answer('loadProfile', { client: clientOf('k1') })
    expect([sidebar().getByText('k1@santos.ph').tagName, inbox.waiting('loadOrders')]).toEqual(['BDI', []])
  })

  it('show the client that the conversation is currently linked to', async () => {
    const inbox = await open()
    expect([inbox.waiting('loadProfile'), sidebar().queryByText('View Client')]).toEqual([[], null])
    await inbox.changeUsers([{ type: 'UPDATE', row: { id: 'u1', client_id: 'k7' } }])
    expect([inbox.waiting('loadProfile'), inbox.waiting('loadOrders')]).toEqual([
      [{ clientId: 'k7' }],
      [{ clientId: 'k7' }],
    ])
  })

  it('have no axe violations', async () => {
    const inbox = await open(linked)
    await expectScreen()
    await inbox.answer('loadOrders', { orders })
    await expectScreen()
  })
})

describe.each([
  ['Orders', 'fetchOrders', 'Your orders'],
  ['Payments', 'fetchPayments', 'Your payments'],
] as const)('The %s button', (name, service, text) => {
  it('is disabled without a linked client', async () => {
    await open()
    expect(button(name).disabled).toBe(true)
  })

  it('inserts the summary into the input for review and sends nothing', async () => {
    const inbox = await open(linked)
    await userEvent.click(button(name))
    expect([inbox.waiting(service), button(name).getAttribute('aria-busy')]).toEqual([
      [expect.objectContaining({ userId: 'c1', clientId: 'k1', platform: 'messenger', language: null })],
      'true',
    ])
    await inbox.answer(service, { text, orders: [] })
    expect([box().value, document.activeElement === box(), inbox.waiting('sendMessage')]).toEqual([text, true, []])
  })

  it('keeps text that was typed before and during the load', async () => {
    const inbox = await open(linked)
    await userEvent.type(box(), 'Hello po')
    await userEvent.click(button(name))
    await userEvent.type(box(), ', Maria')
    await inbox.answer(service, { text, orders: [] })
    expect(box().value).toBe(`Hello po, Maria\n\n${text}`)
  })

  it('keeps the typed text if the load fails', async () => {
    const inbox = await open(linked)
    await userEvent.type(box(), 'Hello po')
    await userEvent.click(button(name))
    await inbox.fail(service, faults.unreadable)
    expect([box().value, button(name).getAttribute('aria-busy')]).toEqual(['Hello po', 'false'])
  })

  it('is disabled while a message is being sent', async () => {
    await open(linked)
    await userEvent.type(box(), 'Opo{Enter}')
    expect(button(name).disabled).toBe(true)
  })

  it('inserts nothing into the next conversation if the first was closed during the load', async () => {
    const inbox = await open(linked)
    await userEvent.click(button(name))
    await inbox.open('c2')
    expect(inbox.waiting(service)).toEqual([])
  })
})

describe('A picture of a message', () => {
  const picture = messageIn('c1', 1, {
    is_read: true,
    attachments: {
      data: [{ name: 'tarp.jpg', image_data: { url: 'https://cdn.example/full.jpg', preview_url: '/small.jpg' } }],
    },
  })
  const look = async () => {
    await open({}, picture)
    await import('../../../src/views/thread/ImageDialog.tsx')
    await userEvent.click(screen.getByRole('link', { name: 'tarp.jpg' }))
    return screen.findByRole('dialog', { name: 'tarp.jpg' })
  }

  it('opens in full size over the inbox and is closed by its button', async () => {
    const dialog = await look()
    expect(within(dialog).getByRole<HTMLImageElement>('img').src).toBe('https://cdn.example/full.jpg')
    await expectScreen()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBe(null)
  })

  it('can switch to its original size and back', async () => {
    const dialog = await look()
    const image = within(dialog).getByRole<HTMLImageElement>('img')
    expect(within(dialog).queryByRole('button', { name: 'Full size' })).toBe(null)
    Object.defineProperties(image, { naturalWidth: { value: 4_000 }, width: { value: 900 } })
    fireEvent.load(image)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Full size' }))
    expect(image.className).toContain('max-w-none')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Fit to screen' }))
    expect(image.className).toContain('max-w-full')
  })

  it('shows an error if it fails to load, and can be opened in a new tab', async () => {
    const dialog = await look()
    fireEvent.error(within(dialog).getByRole('img'))
    expect(within(dialog).getByText('Image failed to load')).toBeTruthy()
    const link = within(dialog).getByRole<HTMLAnchorElement>('link', { name: 'Open in a new tab' })
    expect([link.href, link.target, link.rel]).toEqual([
      'https://cdn.example/full.jpg',
      '_blank',
      'noopener noreferrer',
    ])
  })

  it('steps to the other pictures of the conversation by button and arrow key', async () => {
    const pictures = ['a', 'b', 'a'].map((name) => ({
      name: `${name}.jpg`,
      image_data: { url: `https://cdn.example/${name}.jpg`, preview_url: `/${name}.jpg` },
    }))
    await open({}, { ...picture, attachments: { data: pictures } })
    await import('../../../src/views/thread/ImageDialog.tsx')
    const [, , last] = screen.getAllByRole('link', { name: /jpg$/ })
    if (last === undefined) throw new Error('there are fewer pictures')
    await userEvent.click(last)
    const dialog = await screen.findByRole('dialog')
    const standing = () => [
      within(dialog).getByRole<HTMLImageElement>('img').src,
      within(dialog).getByText(/^\d of \d$/).textContent,
    ]
    expect(standing()).toEqual(['https://cdn.example/a.jpg', '3 of 3'])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Next picture' }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Previous picture' }))
    expect(standing()).toEqual(['https://cdn.example/b.jpg', '2 of 3'])
    await userEvent.keyboard('{ArrowLeft}')
    expect(standing()).toEqual(['https://cdn.example/a.jpg', '1 of 3'])
    await userEvent.keyboard('{ArrowRight}{Escape}')
    expect(screen.queryByRole('dialog')).toBe(null)
  })

  it('is closed by a press outside the picture', async () => {
    await look()
    const around = screen.getByRole('dialog').parentElement
    if (around === null) throw new Error('there is nothing around the dialog')
    await userEvent.click(around)
    expect(screen.queryByRole('dialog')).toBe(null)
  })
})
