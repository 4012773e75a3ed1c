import { act, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { selectSession } from '../../../src/machines/app.ts'
import { faults, inserted, messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const pane = () => within(screen.getByRole('region', { name: 'Thread' }))
const bubbles = () =>
  pane()
    .queryAllByRole('article')
    .map((bubble) => bubble.textContent)
const composer = () => pane().getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const twoPages = { page_ids: 'p1, p2', page_names: 'Kapamilya Prints, Tarps Express', page_count: 2 }
/** Local, so that the shown time is the same everywhere. */
const written = { created_at: '2026-01-05T09:00:00', timestamp_fb: '2026-01-05T09:00:00' }

async function openThread(messages = [messageIn('c1', 1, written)], more = {}) {
  const inbox = await showInbox()
  await inbox.answer('loadTop', listOf([row('c1', 1, more), row('c2', 0)]))
  await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
  await inbox.answer('loadMessages', { messages, hasMore: false })
  return inbox
}

describe('the thread', () => {
  it('asks for a selection first', async () => {
    await showInbox()
    expect(pane().getByText('Select a conversation')).toBeTruthy()
  })

  it('invites to begin where nothing was written', async () => {
    await openThread([])
    expect(pane().getByText('No messages yet. Start the conversation!')).toBeTruthy()
    expect(composer().placeholder).toBe('Type a message...')
  })

  it('shows the messages under their day, each with its time', async () => {
    await openThread([
      messageIn('c1', 1, { ...written, is_read: true }),
      messageIn('c1', 2, { ...written, direction: 'outgoing', message_text: 'Opo' }),
    ])
    expect(bubbles()).toEqual(['at 109:00', 'Opo09:00'])
    expect(pane().getByRole('heading', { level: 3 }).textContent).toBe('Monday, January 5, 2026')
  })

  it('names the page of each message where the conversation spans several', async () => {
    await openThread([messageIn('c1', 1, written), messageIn('c1', 2, { ...written, page_id: 'p2' })], twoPages)
    expect(bubbles()).toEqual(['at 109:00 · via Kapamilya Prints', 'at 209:00 · via Tarps Express'])
  })

  it('says that messages may be missing when it could not be brought up to date, and asks again when told to', async () => {
    const inbox = await openThread()
    const thread = selectSession(inbox.app.getSnapshot())?.getSnapshot().children.thread
    act(() => thread?.send({ type: 'resync.requested' }))
    await inbox.fail('loadMessages', faults.refused)
    const notice = 'This conversation is not up to date, and messages may be missing. Please try again.'
    expect([pane().getByRole('status', { name: '' }).textContent, bubbles()]).toEqual([notice, ['at 109:00']])
    await userEvent.click(pane().getByRole('button', { name: 'Try again' }))
    const messages = [messageIn('c1', 1, written), messageIn('c1', 2, written)]
    await inbox.answer('loadMessages', { messages, hasMore: false })
    expect([pane().queryByText(notice), bubbles()]).toEqual([null, ['at 1', 'at 209:00']])
  })

  it('says that the messages did not come, and asks again when told to', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
    await inbox.fail('loadMessages', faults.refused)
    expect(pane().getByText('Failed to load messages')).toBeTruthy()
    await userEvent.click(pane().getByRole('button', { name: 'Try again' }))
    await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, written)], hasMore: false })
    expect([bubbles(), document.activeElement]).toEqual([['at 109:00'], screen.getByRole('region', { name: 'Thread' })])
  })

  it('says that a link leads nowhere', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([]))
    await inbox.open('c404')
    await inbox.answer('findConversation', null)
    expect(pane().getByText('This conversation was not found')).toBeTruthy()
    await userEvent.click(pane().getByRole('button', { name: 'Back to conversations' }))
    expect(inbox.opened).toEqual([null])
  })

  it('says aloud what comes in, and not what was there', async () => {
    const inbox = await openThread()
    const live = document.querySelector('[aria-live="polite"]')
    expect(live?.textContent).toBe('')
    await inbox.change([inserted('c1', 2, { ...written, message_text: 'Available pa ba?' })])
    expect(live?.textContent).toBe('Person c1: Available pa ba?')
    expect(bubbles()).toEqual(['at 1', 'Available pa ba?09:00'])
  })

  it('shows Mark as Read while something is unread', async () => {
    const inbox = await openThread([messageIn('c1', 1, written)], { unread_messages: 1 })
    const [asked] = inbox.waiting('markRead')
    expect(asked).toEqual({ conversationId: 'c1', pageId: null })
    await inbox.answer('markRead', undefined)
    expect(pane().queryByRole('button', { name: 'Mark as Read' })).toBeNull()
  })

  it('loads older messages when the top is near, once, above what is there', async () => {
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
    await inbox.answer('loadMessages', {
      messages: Array.from({ length: 50 }, (_, index) => messageIn('c1', index, { message_text: `old ${index}` })),
      hasMore: false,
    })
    expect(scroller.scrollTop - above).toBeGreaterThan(50 * 30)
  })

  it('draws only what is in sight of a long thread, the newest first', async () => {
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

  it('opens at what nobody had read, under a line that stays when it is marked as read', async () => {
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

  it('opens at the end where all was read, and counts what comes in while the reader is further up', async () => {
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

  it('counts as new what lies below the lowest message that was seen, and not what was scrolled by', async () => {
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

  it('keeps what comes in out of sight unread until it is scrolled to', async () => {
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

  it('gives the focus back to the list on Escape', async () => {
    await openThread()
    composer().focus()
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement).toBe(screen.getByRole('listbox', { name: 'Conversations' }))
  })
})

describe('sending', () => {
  const send = (text: string) => userEvent.type(composer(), `${text}{Enter}`)

  async function reachSending(inbox: Awaited<ReturnType<typeof openThread>>) {
    await inbox.answer('findBestPage', { pageId: 'p1', reason: null })
    await inbox.answer('findIdentity', { psid: 'psid-1', platform: null })
  }

  it('shows the message apart as pending, then confirmed, once', async () => {
    const inbox = await openThread()
    await send('Opo, bukas po')
    expect(bubbles()).toEqual(['at 109:00', 'Opo, bukas poSending…'])
    expect(composer().value).toBe('')
    await reachSending(inbox)
    await inbox.answer('sendMessage', { messageId: 'm9', createdAt: '2026-01-05T09:01:00' })
    expect(bubbles()).toEqual(['at 109:00', 'Opo, bukas po09:01'])
    const echo = { ...written, message_id: 'm9', message_text: 'Opo, bukas po', direction: 'outgoing' as const }
    await inbox.change([
      inserted('c1', 9, { ...echo, created_at: '2026-01-05T09:01:00', timestamp_fb: '2026-01-05T09:01:00' }),
    ])
    expect(bubbles()).toEqual(['at 109:00', 'Opo, bukas po09:01'])
  })

  it('makes one message of a double Enter and a double click', async () => {
    const inbox = await openThread()
    await userEvent.type(composer(), 'once{Enter}{Enter}')
    await userEvent.dblClick(pane().getByRole('button', { name: /Send/ }))
    expect(inbox.waiting('findBestPage')).toHaveLength(1)
    expect(bubbles()).toEqual(['at 109:00', 'onceSending…'])
  })

  it('waits with the next message of the conversation until the first is through, and not with that of another', async () => {
    const inbox = await openThread()
    await send('first')
    await userEvent.type(composer(), 'second')
    expect(pane().getByRole<HTMLButtonElement>('button', { name: /Send/ }).disabled).toBe(true)
    await userEvent.click(screen.getByRole('option', { name: /Person c2/ }))
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    await send('to another')
    expect(bubbles()).toEqual(['to anotherSending…'])
  })

  it('shows what was refused with its reason, and tries again with the same key', async () => {
    const inbox = await openThread()
    await send('Opo')
    await reachSending(inbox)
    const [first] = inbox.waiting('sendMessage')
    await inbox.fail('sendMessage', faults.refused)
    expect(bubbles()).toEqual(['at 109:00', 'OpoNot sent: No such filterSend againDiscard'])
    await userEvent.click(pane().getByRole('button', { name: 'Send again' }))
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid-1' })
    expect(inbox.waiting('sendMessage')).toEqual([first])
  })

  it('shows what nobody confirmed as unconfirmed, until it is discarded', async () => {
    const inbox = await openThread()
    await send('Opo')
    await reachSending(inbox)
    await inbox.fail('sendMessage', faults.noAnswer)
    expect(bubbles()).toEqual(['at 109:00', 'OpoMay not have arrived: checking with the page…Send againDiscard'])
    await userEvent.click(pane().getByRole('button', { name: 'Discard' }))
    expect(bubbles()).toEqual(['at 109:00'])
  })

  it('goes out from the chosen page', async () => {
    const inbox = await openThread(undefined, twoPages)
    await userEvent.selectOptions(pane().getByRole('combobox', { name: 'Send from' }), 'Tarps Express')
    // The composer's own look-up.
    await inbox.answer('findIdentity', { psid: 'psid-2', platform: null })
    await send('Opo')
    expect(inbox.waiting('findBestPage')).toEqual([])
    expect(inbox.waiting('findIdentity')).toEqual([{ userId: 'c1', pageId: 'p2' }])
  })

  it('offers no page where there is one', async () => {
    await openThread()
    expect(pane().queryByRole('combobox', { name: 'Send from' })).toBeNull()
  })

  it('keeps what is being typed for each conversation', async () => {
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

describe('before sending', () => {
  const route = () => pane().getByRole('combobox', { name: 'Send from' }).getAttribute('aria-describedby') ?? ''
  const said = () => document.getElementById(route())?.textContent

  it('tells from which page and why, again for another page, and again once the person has written', async () => {
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

  it('asks nothing where there is one page', async () => {
    const inbox = await openThread()
    expect([inbox.waiting('findBestPage'), inbox.waiting('findIdentity')]).toEqual([[], []])
  })

  it.each([
    [20 * 60 + 48, 'Reply within 3h 12m', false],
    [3 * 24 * 60, 'Reply within 4d 0h', false],
    [8 * 24 * 60, 'Reply window closed', true],
  ])('tells how long there is to reply %i minutes after the person wrote', async (minutes, text, closed) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const last_incoming_at = new Date(Date.now() - minutes * 60_000).toISOString()
    await openThread(undefined, { last_incoming_at, first_name: 'Maria' })
    expect(pane().getByTitle(/^(You can answer for|The person's last message)/).textContent).toBe(text)
    expect(pane().queryByText(/You cannot answer Maria (now|from this page)/) !== null).toBe(closed)
  })

  it.each([
    ['names no page of the conversation', { page_id: null, page_ids: null, page_names: null }, true],
    ['names pages, and not the one the person wrote to', { ...twoPages, page_id: null }, true],
    ['names another page than the one that is used', { ...twoPages, page_id: 'p2' }, false],
  ])('says that no answer is taken where the API %s: %s', async (_, pages, closed) => {
    const last_incoming_at = new Date(Date.now() - 8 * 24 * 60 * 60_000).toISOString()
    const inbox = await openThread(undefined, { ...pages, last_incoming_at, first_name: 'Maria' })
    if (pages.page_ids !== null) {
      await inbox.answer('findBestPage', { pageId: 'p1', reason: 'last_incoming' })
      await inbox.answer('findIdentity', { psid: 'psid-1', platform: 'messenger' })
    }
    expect(pane().queryByText(/You cannot answer Maria (now|from this page)/) !== null).toBe(closed)
  })
})

describe('a draft', () => {
  const kept = { id: 'd1', text: 'half a sentence', pageId: null }

  it('that an earlier load of the page left is there again, and stored as it changes', async () => {
    const inbox = await showInbox({ drafts: new Map([['c1', kept]]) })
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    expect(composer().value).toBe('half a sentence')
    await userEvent.type(composer(), '!')
    expect(inbox.keptDrafts.get('c1')).toEqual({ ...kept, text: 'half a sentence!' })
  })

  it('is stored no more once it was sent', async () => {
    const inbox = await openThread()
    await userEvent.type(composer(), 'Opo{Enter}')
    expect(inbox.keptDrafts.get('c1')).toEqual({ id: expect.any(String), text: '', pageId: null })
  })
})

describe('the details', () => {
  const facts = () =>
    within(screen.getByRole('complementary', { name: 'Client details' }))
      .getAllByRole('definition')
      .map((fact) => fact.textContent)

  it('tell the person, the pages, and the figures of the conversation', async () => {
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

  it('say that a person is linked, and to whom', async () => {
    await openThread(undefined, {
      client_id: 'k1',
      client_first_name: 'Maria',
      client_last_name: 'Santos',
      company_name: 'Santos Catering',
    })
    const details = within(screen.getByRole('complementary', { name: 'Client details' }))
    expect(details.getByText('Linked to Client')).toBeTruthy()
    expect([details.getByText('Maria Santos').tagName, details.getByText('Santos Catering').tagName]).toEqual([
      'P',
      'BDI',
    ])
  })

  it('say the name of a client once, where it is that of the chat', async () => {
    await openThread(undefined, { client_id: 'k1', client_first_name: 'Person', client_last_name: 'c1' })
    const details = within(screen.getByRole('complementary', { name: 'Client details' }))
    expect(details.getAllByText('Person c1').map(({ tagName }) => tagName)).toEqual(['H2'])
  })

  it('fold away and come back, and the focus with them', async () => {
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
