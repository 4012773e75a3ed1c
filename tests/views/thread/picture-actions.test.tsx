import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import userEvent from '../user-event.ts'

const attachments = {
  data: ['receipt', 'cake'].map((name) => ({
    id: name,
    name: `${name}.jpg`,
    image_data: { url: `https://cdn.example/${name}.jpg`, preview_url: null },
  })),
}
const file = { data: [{ id: 'f', name: 'list.pdf', file_data: { url: 'https://cdn.example/list.pdf' } }] }
const allowed = {
  permissions: ['conversations.read', 'orders.manage'],
  features: ['chat-orders'],
  client_id: 'k1' as string | null,
  message: { attachments } as Parameters<typeof messageIn>[2],
}

async function openThread(change: Partial<typeof allowed>) {
  const { permissions, features, client_id, message } = { ...allowed, ...change }
  const inbox = await showInbox({ person: { ...user, permissions, features } })
  await inbox.answer('loadTop', listOf([row('c1', 1, { client_id })]))
  await inbox.open('c1')
  const messages = [messageIn('c1', 1, { is_read: true, message_text: null, ...message })]
  await inbox.answer('loadMessages', { messages, hasMore: false })
  await act(() => vi.dynamicImportSettled())
  return inbox
}
const actions = () =>
  within(screen.getByRole('article'))
    .queryAllByRole('button', { name: /from this picture$/ })
    .map((button) => button.getAttribute('aria-label'))

describe('A picture', () => {
  const both = ['Record payment from this picture', 'New order from this picture']
  it.each<[string, Partial<typeof allowed>, string[]]>([
    ['of a linked customer offers a payment and an order', {}, both],
    ['of a customer without a client offers nothing', { client_id: null }, []],
    ['offers nothing to a person who may not make orders', { permissions: ['conversations.read', 'orders.read'] }, []],
    ['offers nothing with an API without orders', { features: [] }, []],
    ['that staff sent offers nothing', { message: { attachments, direction: 'outgoing' } }, []],
    ['alone offers this, and no other file', { message: { attachments: file } }, []],
  ])('%s', async (_, change, offered) => {
    const inbox = await openThread(change)
    expect(actions()).toEqual(offered)
    inbox.unmount()
  })

  it.each([
    [
      'Record payment from this picture',
      {
        name: 'recordPayment',
        input: {
          conversationId: 'c1',
          clientId: 'k1',
          orderId: null,
          pictures: [
            { messageId: 'm-c1-1', url: 'https://cdn.example/receipt.jpg', name: 'receipt.jpg', place: 0 },
            { messageId: 'm-c1-1', url: 'https://cdn.example/cake.jpg', name: 'cake.jpg', place: 1 },
          ],
        },
      },
    ],
    [
      'New order from this picture',
      {
        name: 'newOrder',
        input: {
          conversationId: 'c1',
          clientId: 'k1',
          messageId: 'm-c1-1',
          sources: [{ id: 'm-c1-1', text: null, sentAt: expect.any(String), pictures: [0, 1] }],
        },
      },
    ],
  ])('opens the form of "%s" with its message and its pictures', async (name, request) => {
    const inbox = await openThread({})
    await userEvent.click(screen.getByRole('button', { name }))
    expect(inbox.app.system.get('dialog').getSnapshot().context.request).toEqual(request)
    inbox.unmount()
  })
})
