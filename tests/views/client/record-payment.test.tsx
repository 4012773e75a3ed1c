import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { detailsOf, paymentOf } from '../../model/client/chat-orders-fixture.ts'
import { clientOf, orderOf } from '../../model/client/clients-fixture.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

const attachments = {
  data: [{ id: 'r', name: 'receipt.jpg', image_data: { url: 'https://cdn.example/receipt.jpg', preview_url: null } }],
}
const picture = { messageId: 'm-c1-1', url: 'https://cdn.example/receipt.jpg', name: 'receipt.jpg', place: 0 }

/** Opens the dialog of an order from the details pane of a conversation with a picture. */
async function openOrder(permissions: string[]) {
  const person = { ...user, permissions: ['conversations.read', 'orders.read', ...permissions] }
  const inbox = await showInbox({ person: { ...person, features: ['chat-orders'] } })
  await inbox.answer('loadTop', listOf([row('c1', 1, { client_id: 'k1' })]))
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true, attachments })], hasMore: false })
  await act(() => vi.dynamicImportSettled())
  await inbox.answer('loadProfile', { client: clientOf('k1') })
  await inbox.answer('loadOrders', { orders: [orderOf('o1')] })
  const opened = () => inbox.app.system.get('dialog').getSnapshot().context.request
  return { inbox, opened }
}
const press = (name: string) =>
  act(async () => {
    fireEvent.click(screen.getByRole('button', { name }))
    await vi.dynamicImportSettled()
  })
const inOrder = () => within(screen.getByRole('dialog', { name: /^Order #101/ }))
const request = (input: object) => ({ name: 'recordPayment', input })

describe('The dialog of an order', () => {
  it('opens the form of a payment for the order, with the pictures of the open conversation', async () => {
    const { inbox, opened } = await openOrder(['orders.manage'])
    await press('#101')
    await inbox.answer('loadOrder', detailsOf())
    await press('Record payment')
    expect(opened()).toEqual(request({ conversationId: 'c1', clientId: 'k1', orderId: 'o1', pictures: [picture] }))
    await inbox.answer('loadOrder', detailsOf())
    const form = within(screen.getByRole('form', { name: 'Record payment' }))
    expect(form.getAllByRole('option')[0]?.textContent).toMatch(/^#101,/)
    expect(form.getByRole<HTMLInputElement>('radio', { name: 'No picture' }).checked).toBe(true)
    inbox.unmount()
  })

  it('comes back when the form is closed', async () => {
    const { inbox, opened } = await openOrder(['orders.manage'])
    await press('#101')
    await inbox.answer('loadOrder', detailsOf())
    await press('Record payment')
    await inbox.answer('loadOrder', detailsOf())
    await press('Cancel')
    await inbox.answer('loadOrder', detailsOf())
    expect(opened()).toEqual({ name: 'order', input: { conversationId: 'c1', clientId: 'k1', orderId: 'o1' } })
    expect(inOrder().getByText('Items')).not.toBeNull()
    inbox.unmount()
  })

  it('opened elsewhere offers no pictures, because they may be those of another client', async () => {
    const { inbox, opened } = await openOrder(['orders.manage'])
    const dialog = { name: 'order', input: { clientId: 'k1', orderId: 'o1' } } as const
    await act(async () => {
      inbox.app.system.get('dialog').send({ type: 'dialog.requested', dialog })
      await vi.dynamicImportSettled()
    })
    await inbox.answer('loadOrder', detailsOf())
    await press('Record payment')
    expect(opened()).toEqual(request({ clientId: 'k1', orderId: 'o1', pictures: [] }))
    inbox.unmount()
  })

  it('cannot be left for the form while a step is sent', async () => {
    const { inbox } = await openOrder(['orders.manage'])
    await press('#101')
    await inbox.answer('loadOrder', detailsOf())
    await press('Confirm')
    expect(inOrder().getByRole<HTMLButtonElement>('button', { name: 'Record payment' }).disabled).toBe(true)
    inbox.unmount()
  })

  it('offers no form to a person who may not record payments', async () => {
    const { inbox } = await openOrder(['payments.approve'])
    await press('#101')
    await inbox.answer('loadOrder', detailsOf())
    expect(inOrder().queryByRole('button', { name: 'Record payment' })).toBeNull()
    inbox.unmount()
  })
})

describe('The form of a payment', () => {
  it('enters the balance of the order with one press, and the amount has the focus then', async () => {
    const { inbox } = await openOrder(['orders.manage'])
    await press('#101')
    await inbox.answer('loadOrder', detailsOf())
    await press('Record payment')
    await inbox.answer('loadOrder', detailsOf({ payments: [paymentOf('y1', { amount: 40, status: 'approved' })] }))
    await press('Use the amount to pay, ₱60.00')
    const amount = screen.getByLabelText<HTMLInputElement>(/^Amount/)
    expect([amount.value, document.activeElement]).toEqual(['60', amount])
    expect(screen.queryByRole('button', { name: /^Use the amount to pay/ })).toBeNull()
    fireEvent.change(amount, { target: { value: '600' } })
    expect(screen.getByText('This is ₱540.00 more than the amount to pay.').getAttribute('role')).toBe('status')
    inbox.unmount()
  })
})
