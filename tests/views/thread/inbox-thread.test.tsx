import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { selectSession } from '../../../src/machines/app.ts'
import { faults, inserted, messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import userEvent from '../user-event.ts'

const pane = () => within(screen.getByRole('region', { name: 'Thread' }))
const bubbles = () =>
  pane()
    .queryAllByRole('article')
    .map((bubble) => bubble.textContent)
const composer = () => pane().getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const twoPages = { page_ids: 'p1, p2', page_names: 'Kapamilya Prints, Tarps Express', page_count: 2 }
/** Local time, so that the shown time is the same in every time zone. */
const written = { created_at: '2026-01-05T09:00:00', timestamp_fb: '2026-01-05T09:00:00' }

async function openThread(messages = [messageIn('c1', 1, written)], more = {}) {
  const inbox = await showInbox()
  await inbox.answer('loadTop', listOf([row('c1', 1, more), row('c2', 0)]))
  await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
  await inbox.answer('loadMessages', { messages, hasMore: false })
  return inbox
}

describe('The thread', () => {
  it('asks the user to select a conversation first', async () => {
    await showInbox()
    expect(pane().getByText('Select a conversation')).toBeTruthy()
  })

  it('invites the user to write if there are no messages', async () => {
    await openThread([])
    expect(pane().getByText('No messages yet. Start the conversation!')).toBeTruthy()
    expect(composer().placeholder).toBe('Type a message...')
  })

  it('shows the messages below their day, each with its time', async () => {
    await openThread([
      messageIn('c1', 1, { ...written, is_read: true }),
      messageIn('c1', 2, { ...written, direction: 'outgoing', message_text: 'Opo' }),
    ])
    expect(bubbles()).toEqual(['at 19:00 AM', 'Opo9:00 AM'])
    expect(pane().getByRole('heading', { level: 3 }).textContent).toBe('Monday, January 5, 2026')
  })

  it('names the page of each message if the conversation spans several pages', async () => {
    await openThread([messageIn('c1', 1, written), messageIn('c1', 2, { ...written, page_id: 'p2' })], twoPages)
    expect(bubbles()).toEqual(['at 19:00 AM · via Kapamilya Prints', 'at 29:00 AM · via Tarps Express'])
  })

  it('shows that messages may be missing after a failed update, and retries on request', async () => {
    const inbox = await openThread()
    const thread = selectSession(inbox.app.getSnapshot())?.getSnapshot().children.thread
    await act(async () => thread?.send({ type: 'resync.requested' }))
    await inbox.fail('loadMessages', faults.refused)
    const notice = 'This conversation is not up to date, and messages may be missing. Please try again.'
    expect([pane().getByRole('status', { name: '' }).textContent, bubbles()]).toEqual([notice, ['at 19:00 AM']])
    await userEvent.click(pane().getByRole('button', { name: 'Try again' }))
    const messages = [messageIn('c1', 1, written), messageIn('c1', 2, written)]
    await inbox.answer('loadMessages', { messages, hasMore: false })
    expect([pane().queryByText(notice), bubbles()]).toEqual([null, ['at 1', 'at 29:00 AM']])
  })

  it('shows a load error, and retries on request', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
    await inbox.fail('loadMessages', faults.refused)
    expect(pane().getByText('Failed to load messages')).toBeTruthy()
    await userEvent.click(pane().getByRole('button', { name: 'Try again' }))
    await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, written)], hasMore: false })
    expect([bubbles(), document.activeElement]).toEqual([
      ['at 19:00 AM'],
      screen.getByRole('region', { name: 'Thread' }),
    ])
  })

  it('shows that the conversation of a link does not exist', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([]))
    await inbox.open('c404')
    await inbox.answer('findConversation', null)
    expect(pane().getByText('This conversation was not found')).toBeTruthy()
    await userEvent.click(pane().getByRole('button', { name: 'Back to conversations' }))
    expect(inbox.opened).toEqual([null])
  })

  it('announces new messages to screen readers, but not the existing ones', async () => {
    const inbox = await openThread()
    const live = document.querySelector('[aria-live="polite"]')
    expect(live?.textContent).toBe('')
    await inbox.change([inserted('c1', 2, { ...written, message_text: 'Available pa ba?' })])
    expect(live?.textContent).toBe('Person c1: Available pa ba?')
    expect(bubbles()).toEqual(['at 1', 'Available pa ba?9:00 AM'])
  })

  it('shows Mark as Read while messages are unread', async () => {
    const inbox = await openThread([messageIn('c1', 1, written)], { unread_messages: 1 })
    const [asked] = inbox.waiting('markRead')
    expect(asked).toEqual({ conversationId: 'c1', pageId: null })
    await inbox.answer('markRead', undefined)
    expect(pane().queryByRole('button', { name: 'Mark as Read' })).toBeNull()
  })

  it('loads older messages once when scrolled near the top, and adds them above', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
    const newest = Array.from({ length: 50 }, (_, index) =>
      messageIn('c1', 100 + index, { message_text: `new ${index}`, is_read: true }),
    )
    await inbox.answer('loadMessages', { messages: newest, hasMore: true })
    const scroller = pane().getByRole('region', { name: 'Messages' })
    expect(bubbles().at(-1)).toContain('new 49')
    expect(inbox.waiting('loadMessages')).toEqual([])
    await act(async () => {
      scroller.scrollTop = 100
      fireEvent.scroll(scroller)
    })
    expect(inbox.waiting('loadMessages')).toEqual([{ conversationId: 'c1', pageId: null, page: 2 }])
    fireEvent.scroll(scroller)
    expect(inbox.waiting('loadMessages')).toHaveLength(1)
    const above = scroller.scrollTop
    const firstDay = () => pane().getAllByRole('heading', { level: 3 })[0]?.textContent
    const before = firstDay()
    await inbox.answer('loadMessages', {
      messages: Array.from({ length: 50 }, (_, index) =>
        messageIn('c1', index - 2 * 24 * 60, { message_text: `old ${index}` }),
      ),
      hasMore: false,
    })
    expect(firstDay()).not.toBe(before)
    expect(scroller.scrollTop - above).toBeGreaterThan(50 * 30)
  })

  it('renders only the messages in view of a long thread, starting at the newest', async () => {
    const long = Array.from({ length: 2_000 }, (_, index) =>
      messageIn('c1', index, { message_text: `text ${index}`, is_read: true }),
    )
    await openThread(long)
    expect(bubbles().length).toBeLessThan(40)
    expect(bubbles().at(-1)).toContain('text 1999')
  })

  const history = (count: number, readTo: number) =>
    Array.from({ length: count }, (_, index) =>
      messageIn('c1', index, { message_text: `text ${index}`, is_read: index < readTo }),
    )

  it('opens at the first unread message, below a line that stays after Mark as Read', async () => {
    const inbox = await openThread(history(50, 20), { unread_messages: 30 })
    const headings = () =>
      pane()
        .getAllByRole('heading', { level: 3 })
        .map((heading) => heading.textContent)
    expect([headings(), bubbles().some((text) => text?.includes('text 20'))]).toEqual([
      [expect.any(String), 'New'],
      true,
    ])
    const button = pane().getByRole('button', { name: /^\d+ new$/ })
    const below = Number.parseInt(button.textContent, 10)
    expect([below > 0, below < 30]).toEqual([true, true])
    await inbox.answer('markRead', undefined)
    expect(headings()).toEqual([expect.any(String), 'New'])
  })

  it('opens at the end if everything was read, and counts new messages while scrolled up', async () => {
    const inbox = await openThread(history(50, 50))
    expect(bubbles().at(-1)).toContain('text 49')
    const scroller = pane().getByRole('region', { name: 'Messages' })
    await act(async () => {
      scroller.scrollTop = 0
      fireEvent.scroll(scroller)
    })
    expect(pane().getByRole('button', { name: 'Newest' })).toBeTruthy()
    await inbox.change([inserted('c1', 60), inserted('c1', 61, { direction: 'outgoing' }), inserted('c1', 62)])
    expect([pane().getByRole('button', { name: '2 new' }).textContent, scroller.scrollTop]).toEqual(['2 new', 0])
    await userEvent.click(pane().getByRole('button', { name: '2 new' }))
    expect([bubbles().at(-1)?.slice(0, 5), pane().queryByRole('button', { name: /new/i })]).toEqual(['at 62', null])
  })

  it('counts as new the messages below the lowest seen message, not messages that were scrolled past', async () => {
    await openThread(history(50, 20), { unread_messages: 30 })
    const scroller = pane().getByRole('region', { name: 'Messages' })
    const news = () => Number.parseInt(pane().getByRole('button', { name: /^\d+ new$/ }).textContent, 10)
    const scrollBy = (pixels: number) =>
      act(async () => {
        scroller.scrollTop += pixels
        fireEvent.scroll(scroller)
      })
    const atFirst = news()
    await scrollBy(300)
    const further = news()
    await scrollBy(-600)
    expect([further < atFirst, news()]).toEqual([true, further])
  })

  it('keeps new messages out of view unread until they are scrolled into view', async () => {
    const inbox = await openThread(history(50, 50), { unread_messages: 0 })
    const scroller = pane().getByRole('region', { name: 'Messages' })
    await act(async () => {
      scroller.scrollTop = 0
      fireEvent.scroll(scroller)
    })
    await inbox.change([inserted('c1', 60)])
    const offered = () => pane().queryByRole('button', { name: 'Mark as Read' }) !== null
    expect([inbox.waiting('markRead'), offered()]).toEqual([[], true])
    await userEvent.click(pane().getByRole('button', { name: '1 new' }))
    expect([inbox.waiting('markRead'), offered()]).toEqual([[{ conversationId: 'c1', pageId: null }], false])
  })

  it('returns the focus to the list on Escape', async () => {
    await openThread()
    composer().focus()
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement).toBe(screen.getByRole('listbox', { name: 'Conversations' }))
  })
})

describe('Sending', () => {
  const send = (text: string) => userEvent.type(composer(), `${text}{Enter}`)

  async function reachSending(inbox: Awaited<ReturnType<typeof openThread>>) {
    await inbox.answer('findBestPage', { pageId: 'p1', reason: null })
    await inbox.answer('findIdentity', { psid: 'psid-1', platform: null })
  }

  it('shows the message first as pending, then once as confirmed', async () => {
    const inbox = await openThread()
    await send('Opo, bukas po')
    expect(bubbles()).toEqual(['at 19:00 AM', 'Opo, bukas poSending…'])
    expect(composer().value).toBe('')
    await reachSending(inbox)
    await inbox.answer('sendMessage', { messageId: 'm9', createdAt: '2026-01-05T09:01:00' })
    expect(bubbles()).toEqual(['at 19:00 AM', 'Opo, bukas po9:01 AM'])
    const echo = { ...written, message_id: 'm9', message_text: 'Opo, bukas po', direction: 'outgoing' as const }
    await inbox.change([
      inserted('c1', 9, { ...echo, created_at: '2026-01-05T09:01:00', timestamp_fb: '2026-01-05T09:01:00' }),
    ])
    expect(bubbles()).toEqual(['at 19:00 AM', 'Opo, bukas po9:01 AM'])
  })

  it('sends one message on a double Enter and a double click', async () => {
    const inbox = await openThread()
    await userEvent.type(composer(), 'once{Enter}{Enter}')
    await userEvent.dblClick(pane().getByRole('button', { name: /Send/ }))
    expect(inbox.waiting('findBestPage')).toHaveLength(1)
    expect(bubbles()).toEqual(['at 19:00 AM', 'onceSending…'])
  })

  it('disables Send during a send of the same conversation, but not of another conversation', async () => {
    const inbox = await openThread()
    await send('first')
    await userEvent.type(composer(), 'second')
    expect(pane().getByRole<HTMLButtonElement>('button', { name: /Send/ }).disabled).toBe(true)
    await userEvent.click(screen.getByRole('option', { name: /Person c2/ }))
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    await send('to another')
    expect(bubbles()).toEqual(['to anotherSending…'])
  })

  it('shows why a message was rejected, and retries with the same key', async () => {
    const inbox = await openThread()
    await send('Opo')
    await reachSending(inbox)
    const [first] = inbox.waiting('sendMessage')
    await inbox.fail('sendMessage', faults.refused)
    expect(bubbles()).toEqual(['at 19:00 AM', 'OpoNot sent: No such filterSend againDiscard'])
    await userEvent.click(pane().getByRole('button', { name: 'Send again' }))
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid-1' })
    expect(inbox.waiting('sendMessage')).toEqual([first])
  })

  it('shows a message without a response as unconfirmed until staff confirm that they discard it', async () => {
    const inbox = await openThread()
    await send('Opo')
    await reachSending(inbox)
    await inbox.fail('sendMessage', faults.noAnswer)
    expect(bubbles()).toEqual([
      'at 19:00 AM',
      'OpoMay not have arrived: checking with the page… If you send it again, it may arrive twice.Send againDiscard',
    ])
    const discard = async (answer: string) => {
      await userEvent.click(pane().getByRole('button', { name: 'Discard', hidden: true }))
      const question = await screen.findByRole('alertdialog', { name: 'Discard the message' })
      await userEvent.click(within(question).getByRole('button', { name: answer }))
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
      return [bubbles().length, document.activeElement]
    }
    expect(await discard('Cancel')).toEqual([2, pane().getByRole('button', { name: 'Discard' })])
    expect(await discard('Discard')).toEqual([1, composer()])
  })

  it('uses the chosen page', async () => {
    const inbox = await openThread(undefined, twoPages)
    await userEvent.selectOptions(pane().getByRole('combobox', { name: 'Send from' }), 'Tarps Express')
    // The look-up of the composer.
    await inbox.answer('findIdentity', { psid: 'psid-2', platform: null })
    await send('Opo')
    expect(inbox.waiting('findBestPage')).toEqual([])
    expect(inbox.waiting('findIdentity')).toEqual([{ userId: 'c1', pageId: 'p2' }])
  })

  it('offers no page selector for a single page', async () => {
    await openThread()
    expect(pane().queryByRole('combobox', { name: 'Send from' })).toBeNull()
  })

  it('keeps a separate draft for each conversation', async () => {
    const inbox = await openThread()
    await userEvent.type(composer(), 'for one')
    await userEvent.click(screen.getByRole('option', { name: /Person c2/ }))
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    expect(composer().value).toBe('')
    await userEvent.type(composer(), 'for two')
    await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    expect(composer().value).toBe('for one')
  })
})

describe('Before sending, the composer', () => {
  const route = () => pane().getByRole('combobox', { name: 'Send from' }).getAttribute('aria-describedby') ?? ''
  const said = () => document.getElementById(route())?.textContent

  it('shows the page and the reason, and updates them for another page and after the person writes', async () => {
    const inbox = await openThread(undefined, { ...twoPages, first_name: 'Maria' })
    expect(inbox.waiting('findBestPage')).toEqual([{ userId: 'c1' }])
    await inbox.answer('findBestPage', { pageId: 'p2', reason: 'last_incoming' })
    await inbox.answer('findIdentity', { psid: 'psid-2', platform: 'messenger' })
    expect(said()).toBe('→ Tarps Express on Messenger, where Maria wrote last')
    await userEvent.selectOptions(pane().getByRole('combobox', { name: 'Send from' }), 'Kapamilya Prints')
    expect(inbox.waiting('findIdentity')).toEqual([{ userId: 'c1', pageId: 'p1' }])
    await inbox.answer('findIdentity', { psid: 'psid-1', platform: 'instagram' })
    fireEvent.change(composer(), { target: { value: 'x'.repeat(900) } })
    const [sizeId = ''] = composer().getAttribute('aria-describedby')?.split(' ') ?? []
    expect([said(), document.getElementById(sizeId)?.textContent]).toEqual([
      'to Maria on Instagram',
      '900 / 1,000 bytes',
    ])
    await inbox.change([inserted('c1', 5)])
    await inbox.pass(1_000)
    expect(inbox.waiting('findIdentity')).toEqual([{ userId: 'c1', pageId: 'p1' }])
  })

  it('requests no route for a single page', async () => {
    const inbox = await openThread()
    expect([inbox.waiting('findBestPage'), inbox.waiting('findIdentity')]).toEqual([[], []])
  })

  it.each([
    [20 * 60 + 48, 'Reply within 3h 12m', false],
    [3 * 24 * 60, 'Reply within 4d 0h', false],
    [8 * 24 * 60, 'Reply window closed', true],
  ])('shows the time left to reply %i minutes after the person wrote', async (minutes, text, closed) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const last_incoming_at = new Date(Date.now() - minutes * 60_000).toISOString()
    await openThread(undefined, { last_incoming_at, first_name: 'Maria' })
    expect(pane().getByTitle(/^(You can reply for|The person's last message)/).textContent).toBe(text)
    expect(pane().queryByText(/You cannot reply to Maria (now|from this page)/) !== null).toBe(closed)
  })

  it.each([
    ['names no page of the conversation', { page_id: null, page_ids: null, page_names: null }, true],
    ['names pages, and not the one the person wrote to', { ...twoPages, page_id: null }, true],
    ['names another page than the one that is used', { ...twoPages, page_id: 'p2' }, false],
  ])('shows whether a reply is refused when the API %s: %s', async (_, pages, closed) => {
    const last_incoming_at = new Date(Date.now() - 8 * 24 * 60 * 60_000).toISOString()
    const inbox = await openThread(undefined, { ...pages, last_incoming_at, first_name: 'Maria' })
    if (pages.page_ids !== null) {
      await inbox.answer('findBestPage', { pageId: 'p1', reason: 'last_incoming' })
      await inbox.answer('findIdentity', { psid: 'psid-1', platform: 'messenger' })
    }
    expect(pane().queryByText(/You cannot reply to Maria (now|from this page)/) !== null).toBe(closed)
  })
})

describe('A draft', () => {
  const kept = { id: 'd1', text: 'half a sentence', pageId: null }

  it('is restored from an earlier page load and stored when it changes', async () => {
    const inbox = await showInbox({ drafts: new Map([['c1', kept]]) })
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    expect(composer().value).toBe('half a sentence')
    await userEvent.type(composer(), '!')
    expect(inbox.keptDrafts.get('c1')).toEqual({ ...kept, text: 'half a sentence!' })
  })

  it('is no longer stored after it was sent', async () => {
    const inbox = await openThread()
    await userEvent.type(composer(), 'Opo{Enter}')
    expect(inbox.keptDrafts.get('c1')).toEqual({ id: expect.any(String), text: '', pageId: null })
  })
})

describe('The details', () => {
  const facts = () =>
    within(screen.getByRole('complementary', { name: 'Client details' }))
      .getAllByRole('definition')
      .map((fact) => fact.textContent)

  it('show the person, the pages, and the figures of the conversation', async () => {
    await openThread(undefined, { ...twoPages, total_messages: 1234, unread_messages: 0 })
    const details = within(screen.getByRole('complementary', { name: 'Client details' }))
    expect(details.getByRole('heading', { level: 2 }).textContent).toBe('Person c1')
    expect(details.getAllByText('Kapamilya Prints · Tarps Express').length).toBe(1)
    expect(details.getByText('Not linked to a client')).toBeTruthy()
    expect(facts()).toEqual([
      '1,234',
      '0',
      '2',
      new Date(Date.UTC(2026, 0, 5, 12, 1)).toLocaleDateString(undefined, { dateStyle: 'medium' }),
    ])
  })

  it('show that a person is linked, and to which client', async () => {
    await openThread(undefined, {
      client_id: 'k1',
      client_first_name: 'Maria',
      client_last_name: 'Santos',
      company_name: 'Santos Catering',
    })
    const details = within(screen.getByRole('complementary', { name: 'Client details' }))
    expect(details.getByText('Linked to Client')).toBeTruthy()
    expect(['Maria Santos', 'Santos Catering'].map((text) => details.getByText(text).dir)).toEqual(['auto', 'auto'])
  })

  it('show the name of a client only once if it equals the chat name', async () => {
    await openThread(undefined, { client_id: 'k1', client_first_name: 'Person', client_last_name: 'c1' })
    const details = within(screen.getByRole('complementary', { name: 'Client details' }))
    expect(details.getAllByText('Person c1').map(({ tagName }) => tagName)).toEqual(['H2'])
  })

  it('collapse and expand, and the focus follows', async () => {
    await openThread()
    const toggle = pane().getByRole('button', { name: 'Client details' })
    const close = screen.getByRole('button', { name: 'Close details' })
    const standing = () => [toggle.getAttribute('aria-expanded'), document.activeElement]
    await userEvent.click(toggle)
    expect(standing()).toEqual(['true', close])
    await userEvent.keyboard('{Escape}')
    expect(standing()).toEqual(['false', toggle])
    await userEvent.click(toggle)
    await userEvent.click(close)
    expect(standing()).toEqual(['false', toggle])
  })
})
