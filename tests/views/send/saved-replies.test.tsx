import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { entryOf } from '../../model/faq/faq-fixture.ts'
import { stateOf } from '../../model/inbox-fixture.ts'
import { replyFaults, savedReplyOf } from '../../model/send/saved-replies-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const person = {
  ...user,
  permissions: ['conversations.read', 'messages.send', 'faq.read', 'faq.manage'],
  features: ['conversation-states', 'saved-replies'],
}
const ana = conversationOf({
  page_ids: 'p1',
  page_names: 'Bakery',
  page_count: 1,
  last_message_text: 'Are you open?',
  last_message_direction: 'incoming',
  last_message_at: '2026-01-15T12:00:00Z',
  state: stateOf(1, { waiting_since: '2026-01-15T12:00:00Z' }),
})
const hours = savedReplyOf('hours', { text: 'Hi {first_name}, {page} is open.' })
const owed = savedReplyOf('owed', { text: 'You owe {balance}.', uses: 4 })
const flowers = savedReplyOf('flowers', { page_ids: ['p2'] })

async function openThread() {
  const inbox = await showInbox({
    person,
  })
  await inbox.answer('loadTop', listOf([ana]))
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [messageOf('m1', 1, { is_read: true })], hasMore: false })
  await act(async () => {})
  return inbox
}
type Inbox = Awaited<ReturnType<typeof openThread>>

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const list = () => screen.queryByRole('listbox', { name: 'Saved replies' })
const options = () =>
  within(list() as HTMLElement)
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
const type = (text: string) =>
  act(async () => {
    box().focus()
    fireEvent.change(box(), { target: { value: text } })
    box().setSelectionRange(text.length, text.length)
  })
const press = (key: string, more: object = {}) => act(async () => fireEvent.keyDown(box(), { key, ...more }))
const opened = async (inbox: Inbox, text = '/') => {
  await type(text)
  await inbox.answer('loadReplies', [flowers, hours, owed])
}

describe('The list of saved replies in the composer', () => {
  it('shows what is for the page, most used first, filled and with missing values marked', async () => {
    const inbox = await openThread()
    await opened(inbox)
    expect(options()).toEqual(['/owedYou owe balance?.', '/hoursHi Ana, Bakery is open.'])
    const [active] = within(list() as HTMLElement).getAllByRole('option')
    expect([box().getAttribute('aria-controls'), box().getAttribute('aria-activedescendant')]).toEqual([
      list()?.id,
      active?.id,
    ])
    await expectScreen()
    inbox.unmount()
  })

  it('inserts with Enter and Tab at the place of the /, and sends nothing', async () => {
    const inbox = await openThread()
    await opened(inbox, 'Opo. /ho')
    await press('Enter')
    expect([box().value, list()]).toEqual(['Opo. Hi Ana, Bakery is open.', null])
    await type('/')
    await press('ArrowDown')
    await press('ArrowUp')
    await press('ArrowUp')
    await press('ArrowUp', { altKey: true })
    await press('Tab')
    expect([box().value, inbox.waiting('findIdentity'), inbox.waiting('sendMessage')]).toEqual([
      'Hi Ana, Bakery is open.',
      [],
      [],
    ])
    inbox.unmount()
  })

  it('leaves the focus in the text while an option is pressed', async () => {
    const inbox = await openThread()
    await opened(inbox)
    const [option] = within(list() as HTMLElement).getAllByRole('option')
    expect([option && fireEvent.mouseDown(option), document.activeElement]).toEqual([false, box()])
    inbox.unmount()
  })

  it('keeps Enter from sending what follows / while the list is loaded', async () => {
    const inbox = await openThread()
    await type('/ho')
    await press('Enter')
    expect([box().value, screen.getByText('Loading saved replies...') !== null]).toEqual(['/ho', true])
    await inbox.fail('loadReplies', replyFaults.unnamed)
    expect(screen.getByText('The saved replies could not be loaded.')).toBeDefined()
    await expectScreen()
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
    await inbox.answer('loadReplies', [hours])
    expect(options()).toEqual(['/hoursHi Ana, Bakery is open.'])
    inbox.unmount()
  })

  it('closes on Escape, which leaves a typed / and removes that of the button', async () => {
    const inbox = await openThread()
    await opened(inbox)
    await press('Escape')
    expect([box().value, list()]).toEqual(['/', null])
    await type('')
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Saved replies (/)' })))
    await act(async () => {
      box().setSelectionRange(1, 1)
      document.dispatchEvent(new Event('selectionchange'))
    })
    expect(list()).not.toBe(null)
    await press('Escape')
    expect([box().value, list()]).toEqual(['', null])
    inbox.unmount()
  })

  it('says what is missing, and refuses to send until it is replaced', async () => {
    const inbox = await openThread()
    await opened(inbox, '/ow')
    await act(async () => fireEvent.click(within(list() as HTMLElement).getByRole('option')))
    expect(box().value).toBe('You owe ⟦balance⟧.')
    expect(
      screen.getByText('The balance of this person is not known. Replace ⟦balance⟧ before you send.'),
    ).toBeDefined()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
    await press('Enter')
    expect(box().value).toBe('You owe ⟦balance⟧.')
    await expectScreen()
    await type('You owe ₱5.')
    await press('Enter')
    expect([box().value, screen.queryByText(/before you send/)]).toEqual(['', null])
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid' })
    await inbox.answer('sendMessage', { messageId: 'm9', createdAt: '2026-01-15T12:05:00Z' })
    await act(async () => {})
    expect(inbox.waiting('countUse')).toEqual([{ id: 'owed', key: expect.any(String) }])
    inbox.unmount()
  })
})

describe('Answers from the FAQ above the composer', () => {
  const offered = () =>
    within(screen.getByRole('region', { name: 'Answers from the FAQ' }))
      .getAllByRole('listitem')
      .map((item) => within(item).getByRole('button').getAttribute('aria-keyshortcuts'))
  const entries = ['a', 'b'].map((id) => entryOf(id, { keywords: ['open'], response: `Hi {userName}! ${id}` }))

  it('are offered for the question and told once; Alt and a number inserts one and sends nothing', async () => {
    const inbox = await openThread()
    await inbox.answer('loadEntries', entries)
    expect(offered()).toEqual(['Alt+1', 'Alt+2'])
    expect(screen.getByText(/^2 answers from the FAQ fit\./).getAttribute('role')).toBe('status')
    await expectScreen()
    await type('Opo')
    await press('¡', { code: 'Digit3', altKey: true })
    expect(box().value).toBe('Opo')
    await press('™', { code: 'Digit2', altKey: true })
    expect([box().value, screen.queryByRole('region', { name: 'Answers from the FAQ' })]).toEqual([
      'Opo\n\nHi Ana Cruz! b',
      null,
    ])
    expect(inbox.waiting('sendMessage')).toEqual([])
    inbox.unmount()
  })

  it('can be pressed, which inserts the answer, sends nothing and moves the focus to the text', async () => {
    const inbox = await openThread()
    await inbox.answer('loadEntries', entries)
    const answers = within(screen.getByRole('region', { name: 'Answers from the FAQ' }))
    await act(async () => fireEvent.click(answers.getByRole('button', { name: 'Title b' })))
    expect([box().value, screen.queryByRole('region', { name: 'Answers from the FAQ' })]).toEqual([
      'Hi Ana Cruz! b',
      null,
    ])
    await waitFor(() => expect(document.activeElement).toBe(box()))
    expect(inbox.waiting('sendMessage')).toEqual([])
    inbox.unmount()
  })

  it('can be hidden, which moves the focus to the text', async () => {
    const inbox = await openThread()
    await inbox.answer('loadEntries', entries)
    await act(async () => {
      screen.getByRole('button', { name: 'Hide these answers' }).focus()
      fireEvent.click(screen.getByRole('button', { name: 'Hide these answers' }))
    })
    expect([screen.queryByRole('region', { name: 'Answers from the FAQ' }), document.activeElement]).toEqual([
      null,
      box(),
    ])
    inbox.unmount()
  })
})
