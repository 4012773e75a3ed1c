import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
// Loaded here because the product loads them on demand, which takes real time.
import '../../../src/views/send/CardButton.tsx'
import '../../../src/views/send/ProductCardDialog.tsx'
import { productCardMachine } from '../../../src/machines/send/product-card.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { mug, orderFaults, productOf, shirt } from '../../model/client/chat-orders-fixture.ts'
import { createCoverage } from '../../model/harness.ts'
import { messageIn } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(productCardMachine)

async function openDialog() {
  const inbox = await showInbox({
    person: { ...user, permissions: ['messages.send', 'orders.manage'], features: ['product-cards'] },
    inspect: coverage.inspect,
    withToasts: true,
  })
  const onePage = { page_ids: 'p1', page_names: 'Bakery', page_count: 1 }
  await inbox.answer('loadTop', listOf([conversationOf(onePage)]))
  await inbox.pass(100)
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [messageIn('ana', 1, { is_read: true })], hasMore: false })
  await press('Send a product')
  expect(await screen.findByRole('dialog', { name: 'Send a product' })).toBeTruthy()
  return inbox
}

const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const pressEscape = () => act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }))
const dialog = () => screen.queryByRole('dialog', { name: 'Send a product' })
const search = (value: string) =>
  act(async () => fireEvent.change(screen.getByRole('textbox', { name: 'Search products' }), { target: { value } }))

describe('The dialog that sends a product', () => {
  it('finds a product, shows its card, and sends it as one message', async () => {
    const inbox = await openDialog()
    expect(screen.getByText('Loading products...')).toBeTruthy()
    const addresses = { picture_url: 'https://cdn.example/mug.jpg', link_url: 'https://shop.example/mug' }
    await inbox.answer('loadProducts', [{ ...mug, ...addresses }, shirt, productOf('Old', { is_active: false })])
    expect(screen.queryByRole('button', { name: /Old/ })).toBeNull()
    await search('nothing')
    expect(screen.getByText('No product matches. Try another word.')).toBeTruthy()
    await search('mu')
    await press(/Mug/)
    await expectScreen()
    expect(screen.getByRole('region', { name: 'Preview' }).textContent).toBe('Mug₱125.50shop.example')
    expect(screen.getByRole<HTMLImageElement>('img', { name: 'Mug' }).src).toBe(addresses.picture_url)
    await press('Other product')
    await press(/Shirt/)
    await press('Send card')
    expect(dialog()).toBeNull()
    expect(screen.getAllByRole('article').at(-1)?.textContent).toContain('Shirt\n₱400.00')
    inbox.unmount()
  })

  it('is retried after a failure, and says so if there are none', async () => {
    const inbox = await openDialog()
    await inbox.fail('loadProducts', orderFaults.noAnswer)
    expect(screen.getByText('The products could not be loaded.')).toBeTruthy()
    await inbox.pass(60_000)
    await inbox.fail('loadProducts', orderFaults.unnamed)
    await press('Try again')
    await inbox.answer('loadProducts', [])
    expect(screen.getByText(/^There are no products yet/)).toBeTruthy()
    await pressEscape()
    expect(dialog()).toBeNull()
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
