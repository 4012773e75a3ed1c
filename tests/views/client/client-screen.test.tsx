import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientData } from '../../../src/domain/client/client-data.ts'
import { Failure } from '../../../src/domain/failure.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { Feature } from '../../../src/schemas/feature.ts'
import { SessionProvider } from '../../../src/views/actors.tsx'
import ClientScreen from '../../../src/views/client/ClientScreen.tsx'
import { clientOf, faults, fileOf, orderOf } from '../../model/client/clients-fixture.ts'
import { row } from '../../model/inbox-fixture.ts'
import { startSessionOf } from '../../model/session/session-fixture.ts'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5, 13) }))
afterEach(() => vi.useRealTimers())

async function show(path = '/clients/k%2F1', person: Partial<AuthUser> = {}) {
  const session = startSessionOf(person)
  const view = render(
    <MemoryRouter initialEntries={[path]}>
      <SessionProvider session={session.actor}>
        <Routes>
          <Route path="/clients/:clientId" element={<ClientScreen />} />
          <Route path="*" element={<p>The inbox</p>} />
        </Routes>
      </SessionProvider>
    </MemoryRouter>,
  )
  await act(async () => {})
  return { ...session, unmount: view.unmount }
}

const answer = (work: () => Promise<unknown>) => act(work)
type Shown = Awaited<ReturnType<typeof show>>
/** Gives each part its own response. */
const answerAll = ({ client }: Shown, { client: profile, orders, chats }: Required<ClientData>) =>
  answer(async () => {
    await client.profile.resolve({ client: profile })
    await client.orders.resolve({ orders })
    await client.chats.resolve({ chats })
  })
const section = (name: string) => {
  const found = screen.getByRole('heading', { level: 2, name: new RegExp(`^${name}`) }).closest('section')
  if (found === null) throw new Error(`${name} is in no section`)
  return within(found)
}

const full = fileOf({
  client: clientOf('k/1', {
    fb_user_id: 'c1',
    company_name: 'Santos Catering',
    classification: 'vip',
    phone: null,
    is_active: false,
  }),
  orders: [
    orderOf('o1', { payments: [{ id: 'p1', amount: 40, status: 'approved', created_at: '2026-03-02T00:00:00Z' }] }),
    orderOf('o2', { payments: [{ id: 'p2', amount: 1, status: 'pending', created_at: null }] }),
  ],
  chats: [row('c1', 1, { client_id: 'k/1' })],
})

describe('The client screen', () => {
  it('loads the client that the URL names', async () => {
    const sut = await show()
    expect([
      sut.client.profile.inputs(),
      sut.client.orders.inputs(),
      screen.getByText('Loading client').tagName,
    ]).toEqual([[{ clientId: 'k/1' }], [{ clientId: 'k/1' }], 'SPAN'])
  })

  it('shows the profile, the totals, orders, payments and chats', async () => {
    const sut = await show()
    await answerAll(sut, full)
    expect([screen.getByRole('heading', { level: 1 }).textContent, document.title]).toEqual([
      'Maria Santos k/1',
      'Maria Santos k/1',
    ])
    const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
    expect(['Company', 'Phone', 'Total Orders', 'Total Spent', 'Outstanding'].map(fact)).toEqual([
      'Santos Catering',
      '–',
      '2',
      '₱40.00',
      '₱160.00',
    ])
    expect([screen.getByText('vip').tagName, screen.getByText('Inactive').tagName]).toEqual(['SPAN', 'SPAN'])
    const lines = (name: string) =>
      section(name)
        .getAllByRole('listitem')
        .map((line) => line.textContent)
    expect([lines('Orders'), lines('Payments')]).toEqual([
      ['#102₱100.00Mar 2, 2026 · processingunpaid', '#101₱100.00Mar 1, 2026 · processingpartial'],
      ['#101₱40.00Mar 2, 2026approved', '#102₱1.00pending'],
    ])
    expect(section('Linked conversations').getByRole('link').getAttribute('href')).toBe('/c1')
  })

  it('opens the dialog of an order until the page is left, if the API offers it', async () => {
    const without = await show('/clients/k%2F1', { permissions: ['orders.read'] })
    await answerAll(without, full)
    expect(screen.queryByRole('button', { name: '#101' })).toBeNull()
    without.unmount()
    const sut = await show('/clients/k%2F1', { permissions: ['orders.read'], features: ['chat-orders'] })
    await answerAll(sut, full)
    const requested = () => sut.actor.getSnapshot().children.dialog?.getSnapshot().context.request
    fireEvent.click(screen.getByRole('button', { name: '#101' }))
    expect(requested()).toEqual({ name: 'order', input: { clientId: 'k/1', orderId: 'o1' } })
    sut.unmount()
    expect(requested()).toBeNull()
  })

  it.each<[string, readonly string[], readonly Feature[], readonly string[]]>([
    ['a person who may do everything', ['clients.manage', 'clients.remove'], ['client-changes'], ['edit', 'remove']],
    ['a person who may not remove clients', ['clients.manage'], ['client-changes'], ['edit']],
    ['a person who may not edit clients', ['clients.remove'], ['client-changes'], ['remove']],
    ['a person who only reads', ['conversations.read'], ['client-changes'], []],
    ['anybody, if the API does not offer changes', ['clients.manage', 'clients.remove'], [], []],
  ])('offers %s the changes of the client that they may make', async (_, permissions, features, may) => {
    const sut = await show('/clients/k%2F1', { permissions: [...permissions], features: [...features] })
    await answerAll(sut, full)
    await act(() => vi.dynamicImportSettled())
    const input = { clientId: 'k/1' }
    const offered = [
      ...(may.includes('edit') ? [{ button: 'Edit', opens: { name: 'editClient', input } }] : []),
      ...(may.includes('remove')
        ? [
            { button: 'Merge', opens: { name: 'mergeClients', input } },
            { button: 'Delete', opens: { name: 'removeClient', input } },
          ]
        : []),
    ]
    const { dialog } = sut.actor.getSnapshot().children
    const seen = screen.queryAllByRole('button', { name: /^(Edit|Merge|Delete)/ }).map((button) => {
      fireEvent.click(button)
      const opens = dialog?.getSnapshot().context.request
      dialog?.send({ type: 'dialog.dismissed' })
      return { button: button.textContent, opens }
    })
    expect(seen).toEqual(offered)
    sut.unmount()
  })

  it('neutralizes bidirectional control characters in the texts of a client', async () => {
    const turned = (text: string) => `\u202e${text}\u2069`
    const sut = await show()
    await answerAll(
      sut,
      fileOf({
        client: clientOf('k/1', {
          first_name: turned('Maria'),
          company_name: turned('Santos'),
          email: turned('a@b.example'),
          phone: turned('1'),
          classification: turned('vip'),
        }),
        orders: [
          orderOf('o1', {
            order_number: turned('7'),
            status: turned('ready'),
            payments: [{ id: 'p1', amount: 40, status: turned('held'), created_at: null }],
          }),
        ],
        chats: [row('c1', 1, { unified_name: turned('Mar'), last_message_text: turned('Po?') })],
      }),
    )
    const text = document.body.textContent ?? ''
    expect([
      /[\u202a-\u202e\u2066-\u2069]/.test(text),
      ['Maria', 'Santos', 'a@b.example', 'vip', '#7', 'ready', 'held', 'Mar', 'Po?'].filter(
        (word) => !text.includes(word),
      ),
    ]).toEqual([false, []])
  })

  it('shows 25 lines of a long list at a time', async () => {
    const sut = await show()
    const orders = Array.from({ length: 60 }, (_, index) => orderOf(`o${index + 1}`))
    await answerAll(sut, fileOf({ client: full.client, orders }))
    const count = () => section('Orders').getAllByRole('listitem').length
    expect(count()).toBe(25)
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect([count(), screen.queryByRole('button', { name: 'Show more' })]).toEqual([60, null])
  })

  it('shows a message for each empty list', async () => {
    const sut = await show()
    await answerAll(sut, fileOf({ client: full.client, orders: [], chats: [] }))
    expect(
      ['No orders', 'No payments', 'No conversation is linked to this client'].map(
        (text) => screen.getByText(text).tagName,
      ),
    ).toEqual(['P', 'P', 'P'])
  })

  it('shows an error and a retry button if the profile fails to load, and still shows the orders', async () => {
    const sut = await show()
    await answer(() => sut.client.profile.reject(faults.invalid))
    await answer(() => sut.client.orders.resolve({ orders: full.orders }))
    expect(screen.getByText('This client could not be loaded')).toBeDefined()
    expect(section('Orders').getAllByRole('listitem').length).toBe(2)
    expect(screen.queryByRole('heading', { level: 2, name: /^Linked conversations/ })).toBe(null)
    expect(document.title).toBe('Client')
    await userEvent.click(screen.getByRole('button', { name: 'Try again to load the client' }))
    await answer(() => sut.client.profile.resolve({ client: full.client }))
    expect(document.activeElement?.contains(screen.getByRole('heading', { level: 1 }))).toBe(true)
    expect(document.activeElement).not.toBe(document.body)
    await answer(() => sut.client.chats.resolve({ chats: full.chats }))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Maria Santos k/1')
    expect([section('Linked conversations').getAllByRole('listitem').length, sut.client.orders.calls.length]).toEqual([
      1, 1,
    ])
  })

  it('leads from a client that was merged to the one that has its data', async () => {
    const sut = await show()
    const { method, path } = faults.missing
    const merged = new Failure({ kind: 'status', method, path, status: 404, details: { merged_into: 'k 2' } })
    await answer(() => sut.client.profile.reject(merged))
    const link = screen.getByRole('link', { name: 'Open that client' })
    expect([screen.queryByText('This client was merged into another one') !== null, link.getAttribute('href')]).toEqual(
      [true, '/clients/k%202'],
    )
  })

  it('shows an explanation and no totals for a client that does not exist', async () => {
    const sut = await show()
    await answer(() => sut.client.orders.resolve({ orders: [] }))
    await answer(() => sut.client.profile.reject(faults.missing))
    const said = () =>
      [
        'This client was not found',
        'Check the link, or open the client from their conversation in the inbox.',
        'Total Orders',
        'No orders',
      ].map((text) => screen.queryByText(text) !== null)
    expect([said(), document.title]).toEqual([[true, true, false, false], 'Client not found'])
    await userEvent.click(screen.getByRole('button', { name: 'Try again to load the client' }))
    await answer(() => sut.client.profile.resolve({ client: full.client }))
    expect([said(), document.title]).toEqual([[false, false, true, true], 'Maria Santos k/1'])
  })

  it('shows an error only for orders and payments if the orders fail to load', async () => {
    const sut = await show()
    await answer(async () => {
      await sut.client.profile.resolve({ client: full.client })
      await sut.client.orders.reject(faults.invalid)
      await sut.client.chats.resolve({ chats: full.chats })
    })
    expect([
      screen.getByRole('heading', { level: 1 }).textContent,
      section('Orders').getByText('Orders could not be loaded').tagName,
      section('Payments').getByText('Payments could not be loaded').tagName,
      section('Linked conversations').getAllByRole('listitem').length,
      screen.queryByText('Total Orders'),
    ]).toEqual(['Maria Santos k/1', 'P', 'P', 1, null])
    await userEvent.click(section('Payments').getByRole('button', { name: 'Try again to load payments' }))
    expect(document.activeElement).toBe(section('Payments').getByRole('heading').closest('section'))
    await answer(() => sut.client.orders.resolve({ orders: full.orders }))
    expect([
      section('Orders').getAllByRole('listitem').length,
      section('Payments').getAllByRole('listitem').length,
      screen.getByText('Total Orders').tagName,
      screen.queryByRole('button', { name: /Try again/ }),
      sut.client.profile.calls.length,
    ]).toEqual([2, 2, 'DT', null, 1])
  })

  it('shows an error only for the chats if the chats fail to load', async () => {
    const sut = await show()
    await answer(async () => {
      await sut.client.profile.resolve({ client: full.client })
      await sut.client.orders.resolve({ orders: full.orders })
      await sut.client.chats.reject(faults.invalid)
    })
    expect([section('Linked conversations').getByText('Linked conversations could not be loaded').tagName]).toEqual([
      'P',
    ])
    expect(section('Orders').getAllByRole('listitem').length).toBe(2)
    await userEvent.click(screen.getByRole('button', { name: 'Try again to load linked conversations' }))
    await answer(() => sut.client.chats.resolve({ chats: full.chats }))
    expect(section('Linked conversations').getByRole('link').getAttribute('href')).toBe('/c1')
  })

  it('links to the inbox and cancels its requests when left', async () => {
    const sut = await show()
    await userEvent.click(screen.getByRole('link', { name: 'Inbox' }))
    expect([screen.getByText('The inbox').tagName, sut.client.profile.last().signal.aborted, document.title]).toEqual([
      'P',
      true,
      'Inbox',
    ])
  })

  it('has no axe violations', async () => {
    const sut = await show()
    await answerAll(sut, full)
    await expectScreen()
  })
})
