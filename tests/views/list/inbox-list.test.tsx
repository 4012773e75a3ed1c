import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import type { Outgoing } from '../../../src/domain/send/outgoing.ts'
import { at, faults, messageIn, renamed, row } from '../../model/inbox-fixture.ts'
import { outgoingOf } from '../../model/send/send-fixture.ts'
import { layout } from '../browser-globals.ts'
import { found } from '../found.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import userEvent from '../user-event.ts'

const options = () => within(screen.getByRole('listbox', { name: 'Conversations' })).queryAllByRole('option')
const rowIds = () => options().map((option) => option.id.replace('conversation-', ''))
const listbox = () => screen.getByRole('listbox', { name: 'Conversations' })
const activeId = () => listbox().getAttribute('aria-activedescendant')?.replace('conversation-', '')

const rows = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => row(`c${from + index}`, 500 - from - index))

async function showList(answer = listOf(rows(3))) {
  const inbox = await showInbox()
  await inbox.answer('loadTop', answer)
  return inbox
}

/** Searches for a word that no conversation has, with these features of the API. */
async function searchInVain(features: string[]) {
  const inbox = await showInbox({ person: { ...user, features } })
  await inbox.answer('loadTop', listOf(rows(1)))
  const field = screen.getByRole('searchbox', { name: 'Search conversations' })
  fireEvent.change(field, { target: { value: 'tarpaulin' } })
  await inbox.pass(limits.conversationSearchDebounce)
  await inbox.answer('loadTop', listOf([]))
  return inbox
}

describe('The conversation list', () => {
  it('shows that it is loading, and then its rows', async () => {
    const inbox = await showInbox()
    expect(screen.getByText('Loading conversations...')).toBeTruthy()
    await inbox.answer('loadTop', listOf(rows(3)))
    expect(screen.queryByText('Loading conversations...')).toBeNull()
    expect(rowIds()).toEqual(['c1', 'c2', 'c3'])
  })

  it('shows that no conversations were found', async () => {
    await showList(listOf([]))
    expect(screen.getByText('No conversations found')).toBeTruthy()
    expect(screen.queryByRole('listbox')).toBeNull()
  })

  it.each([
    [['search'], ['Search messages, orders and clients', 'Clear search and filters']],
    [[], ['Clear search and filters']],
  ])('without a match offers what the API can do, with %j', async (features, offered) => {
    const inbox = await searchInVain(features)
    const empty = screen.getByText('No conversations found').parentElement as HTMLElement
    expect(
      within(empty)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(offered)
    inbox.unmount()
  })

  it('without a match looks for the same words among messages', async () => {
    const inbox = await searchInVain(['search'])
    await userEvent.click(screen.getByRole('button', { name: 'Search messages, orders and clients' }))
    const palette = await screen.findByRole('dialog', { name: 'Find people and actions' })
    expect(within(palette).getByRole<HTMLInputElement>('combobox').value).toBe('tarpaulin')
    inbox.unmount()
  })

  it('without a match shows all conversations of the view again, and the search has the focus', async () => {
    const inbox = await searchInVain([])
    await inbox.tell({ type: 'page.chosen', pageId: 'p1' })
    await inbox.answer('loadTop', listOf([]))
    await userEvent.click(screen.getByRole('button', { name: 'Clear search and filters' }))
    const field = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search conversations' })
    expect([field.value, document.activeElement]).toEqual(['', field])
    expect(inbox.waiting('loadTop')).toMatchObject([{ query: { search: '', pageId: null, unreadOnly: false } }])
    await inbox.answer('loadTop', listOf(rows(2)))
    expect(rowIds()).toEqual(['c1', 'c2'])
    inbox.unmount()
  })

  it('shows a load error and retries on request', async () => {
    const inbox = await showInbox()
    await inbox.fail('loadTop', faults.refused)
    expect(screen.getByText('Failed to load conversations')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await inbox.answer('loadTop', listOf(rows(1)))
    expect([rowIds(), document.activeElement]).toEqual([['c1'], screen.getByRole('region', { name: 'Conversations' })])
  })

  it('shows in a row the name, the page, the preview, the unread count, the page count and the link mark', async () => {
    await showList(
      listOf([
        row('c1', 0, {
          unified_name: 'Maria Clara',
          last_message_page_name: 'Kapamilya Prints',
          last_message_text: 'Salamat po',
          last_message_direction: 'outgoing',
          unread_messages: 12,
          page_count: 2,
          client_id: 'k1',
        }),
        row('c2', 0, { unified_name: null, last_message_at: null, last_message_text: null }),
      ]),
    )
    expect(options().map((option) => option.textContent)).toEqual([
      `MCMaria ClaraLinked${new Date(at(0)).toLocaleDateString(undefined, { dateStyle: 'medium' })}Kapamilya Prints · 2 pages+1You: Salamat po9+ unread`,
      'Unknown UserNo messages',
    ])
  })

  it('marks rows with an unsent or unconfirmed message, and rows with a draft except the open one', async () => {
    const to = (conversationId: string, key: string, status: Outgoing['status']) =>
      outgoingOf({
        key,
        status,
        text: status === 'waiting' ? 'last words' : 'hello',
        recipient: { ...outgoingOf().recipient, conversationId },
      })
    const inbox = await showInbox({
      drafts: new Map([
        ['c1', { id: 'd1', text: 'half a sentence', pageId: null }],
        ['c2', { id: 'd2', text: ' ', pageId: 'p1' }],
      ]),
      left: [to('c2', 'k1', 'unconfirmed'), to('c3', 'k2', 'unconfirmed'), to('c3', 'k3', 'waiting')],
    })
    await inbox.answer('loadTop', listOf(rows(4)))
    const marks = () =>
      options().map((option) =>
        [
          'Draft:',
          'half a sentence',
          'Not sent:',
          'last words',
          'A message was not sent',
          'A message may not have arrived',
        ].filter((text) => within(option).queryByText(text, { exact: text.endsWith(':') })),
      )
    expect(marks()).toEqual([
      ['Draft:', 'half a sentence'],
      ['A message may not have arrived'],
      ['Not sent:', 'last words', 'A message was not sent'],
      [],
    ])
    await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
    expect(marks()[0]).toEqual([])
  })

  it('renews a picture whose address looks expired and shows the new one', async () => {
    const old = 'https://scontent.xx.fbcdn.net/v/a.jpg?oh=00_AbC&oe=65000000'
    const inbox = await showList(listOf([row('c1', 0, { fb_user_id: 'u1', profile_pic: old })]))
    const source = () => options()[0]?.querySelector('img')?.getAttribute('src')
    expect(source()).toBe(old)
    expect(inbox.waiting('renewPicture')).toEqual([{ id: 'u1' }])
    await inbox.answer('renewPicture', '/pictures/new')
    expect(source()).toBe('/pictures/new')
  })

  it('renews a picture whose address expires while it is shown', async () => {
    const end = Math.floor(Date.now() / 1_000) + 140
    const old = `https://scontent.xx.fbcdn.net/v/a.jpg?oh=00_AbC&oe=${end.toString(16)}`
    const inbox = await showList(listOf([row('c1', 0, { fb_user_id: 'u1', profile_pic: old })]))
    expect(inbox.waiting('renewPicture')).toEqual([])
    await inbox.pass(30_000)
    expect(inbox.waiting('renewPicture')).toEqual([{ id: 'u1' }])
    await inbox.answer('renewPicture', '/pictures/new')
    expect(options()[0]?.querySelector('img')?.getAttribute('src')).toBe('/pictures/new')
  })

  it('shows the fallback picture if a picture fails to load', async () => {
    await showList(listOf([row('c1', 0, { profile_pic: 'https://cdn.example/gone.jpg' })]))
    const picture = options()[0]?.querySelector('img')
    if (!picture) throw new Error('the row has no picture')
    expect(picture.src).toBe('https://cdn.example/gone.jpg')
    fireEvent.error(picture)
    expect(options()[0]?.querySelector('img')?.getAttribute('src')).toBe('/avatar.png')
  })

  it('updates the row of a person who was renamed', async () => {
    const inbox = await showList()
    await inbox.changeUsers([renamed('u2', 'Ana Lim')])
    expect(options().map((option) => option.querySelector('bdi')?.textContent)).toEqual([
      'Person c1',
      'Ana Lim',
      'Person c3',
    ])
  })

  it('renders only the rows in view', async () => {
    await showList(listOf(rows(1_000)))
    const drawn = options()
    expect(drawn.length).toBeLessThan(30)
    expect(drawn[0]?.getAttribute('aria-setsize')).toBe('1000')
  })
})

describe('Searching and filtering', () => {
  it('sends the query 500 ms after typing stops and keeps the previous rows until then', async () => {
    const inbox = await showList()
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search conversations' }), 'ana')
    expect(listbox().getAttribute('aria-busy')).toBe('true')
    await inbox.pass(499)
    expect(inbox.waiting('loadTop')).toEqual([])
    await inbox.pass(1)
    expect(inbox.waiting('loadTop')).toEqual([{ query: { search: 'ana', pageId: null, unreadOnly: false }, count: 20 }])
    expect(rowIds()).toEqual(['c1', 'c2', 'c3'])
    await inbox.answer('loadTop', listOf([row('c9', 0)]))
    expect([rowIds(), listbox().getAttribute('aria-busy')]).toEqual([['c9'], 'false'])
  })

  it('filters by page, with All Pages first', async () => {
    const inbox = await showList()
    await inbox.answer('loadPages', [
      { page_id: 'p1', page_name: 'Kapamilya Prints', is_active: true },
      { page_id: 'p2', page_name: 'Tarps Express', is_active: true },
    ])
    const filter = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Page' })
    expect(Array.from(filter.options, (option) => option.text)).toEqual([
      'All Pages',
      'Kapamilya Prints',
      'Tarps Express',
    ])
    await userEvent.selectOptions(filter, 'Tarps Express')
    expect(inbox.waiting('loadTop')).toEqual([{ query: { search: '', pageId: 'p2', unreadOnly: false }, count: 20 }])
    await userEvent.selectOptions(filter, 'All Pages')
    expect(inbox.waiting('loadTop')).toEqual([{ query: { search: '', pageId: null, unreadOnly: false }, count: 20 }])
  })

  it('shows only unread conversations', async () => {
    const inbox = await showList()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Unread only' }))
    expect(inbox.waiting('loadTop')).toEqual([{ query: { search: '', pageId: null, unreadOnly: true }, count: 20 }])
  })
})

describe('The next result page', () => {
  const firstPage = listOf(rows(20), { hasNext: true, total: 40 })

  it('loads by a button and is appended', async () => {
    const inbox = await showList(firstPage)
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
    expect(inbox.waiting('loadPage')).toEqual([{ query: { search: '', pageId: null, unreadOnly: false }, page: 2 }])
    await inbox.answer('loadPage', listOf(rows(20, 21), { total: 40 }))
    expect(screen.queryByRole('button', { name: /Load/ })).toBeNull()
    expect(listbox().style.height).toBe(`${40 * 58}px`)
  })

  it('loads once; its button keeps the focus and passes it to the list after the last result page', async () => {
    const inbox = await showList(firstPage)
    const button = screen.getByRole('button', { name: 'Load more' })
    await userEvent.click(button)
    await userEvent.click(button)
    expect([button.textContent, button.getAttribute('aria-disabled'), document.activeElement]).toEqual([
      'Loading…',
      'true',
      button,
    ])
    expect(inbox.waiting('loadPage')).toHaveLength(1)
    await inbox.answer('loadPage', listOf(rows(20, 21), { hasNext: true, total: 60 }))
    expect([button.textContent, document.activeElement]).toEqual(['Load more', button])
    await userEvent.click(button)
    await inbox.answer('loadPage', listOf(rows(20, 41), { total: 60 }))
    expect(document.activeElement).toBe(listbox())
  })

  it('does not move the focus if the last result page was loaded by scrolling', async () => {
    const inbox = await showList(firstPage)
    const search = screen.getByRole('searchbox', { name: 'Search conversations' })
    search.focus()
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }))
    await inbox.answer('loadPage', listOf(rows(20, 21), { total: 40 }))
    expect(document.activeElement).toBe(search)
  })

  it.each([
    [51, 0],
    [50, 1],
  ])('loads when the bottom is %d px away: %d requests', async (distance, asked) => {
    const inbox = await showList(firstPage)
    const scroller = listbox().parentElement
    if (!scroller) throw new Error('the list has no scroller')
    scroller.scrollTop = 20 * 58 - layout.scroller - distance
    fireEvent.scroll(scroller)
    expect(inbox.waiting('loadPage')).toHaveLength(asked)
  })

  it('is requested only once while it loads', async () => {
    const inbox = await showList(firstPage)
    const scroller = listbox().parentElement
    if (!scroller) throw new Error('the list has no scroller')
    scroller.scrollTop = 20 * 58 - layout.scroller
    fireEvent.scroll(scroller)
    fireEvent.scroll(scroller)
    expect(inbox.waiting('loadPage')).toHaveLength(1)
  })
})

describe('A press in the list', () => {
  const optionOf = (id: string) => found(document.getElementById(`conversation-${id}`), id)
  const press = (id: string) => fireEvent.pointerDown(optionOf(id))
  const release = (id: string, detail: number) => fireEvent.click(optionOf(id), { detail })

  it('opens the row in which it began, although another row is there when it ends', async () => {
    const inbox = await showList()
    press('c2')
    release('c3', 1)
    expect(inbox.opened).toEqual(['c2'])
  })

  it('opens nothing if that row is no longer in the list', async () => {
    const inbox = await showList()
    press('c2')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Unread only' }))
    await inbox.answer('loadTop', listOf([row('c1', 499), row('c3', 497)]))
    release('c3', 1)
    expect(inbox.opened).toEqual([])
  })

  it('of the main mouse button asks for the messages, which the opened thread shows without asking again', async () => {
    const inbox = await showList()
    const option = optionOf('c2')
    const presses = [
      { pointerType: 'touch' },
      { pointerType: 'mouse', button: 2 },
      // Marks a range of rows.
      { pointerType: 'mouse', shiftKey: true },
    ]
    for (const other of presses) fireEvent.pointerDown(option, other)
    expect(inbox.waiting('loadMessages')).toEqual([])
    fireEvent.pointerDown(option, { pointerType: 'mouse', button: 0 })
    const asked = [{ conversationId: 'c2', pageId: null, page: 1 }]
    expect(inbox.waiting('loadMessages')).toEqual(asked)
    await inbox.open('c2')
    expect(inbox.waiting('loadMessages')).toEqual(asked)
    await inbox.answer('loadMessages', { messages: [messageIn('c2', 498)], hasMore: false })
    expect(inbox.waiting('loadMessages')).toEqual([])
    expect(screen.getAllByRole('article')).toHaveLength(1)
  })

  it('opens the row that a program presses', async () => {
    const inbox = await showList()
    press('c2')
    release('c3', 0)
    expect(inbox.opened).toEqual(['c3'])
  })
})

describe('The keyboard in the list', () => {
  it('moves by arrows, Home and End, and opens with Enter', async () => {
    const inbox = await showList()
    listbox().focus()
    const walked = []
    for (const key of [
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'ArrowUp',
      'Home',
      'ArrowUp',
      'End',
      'PageUp',
      'PageDown',
    ]) {
      await userEvent.keyboard(`{${key}}`)
      walked.push(activeId())
    }
    expect(walked).toEqual(['c2', 'c3', 'c3', 'c2', 'c1', 'c1', 'c3', 'c1', 'c3'])
    expect(inbox.opened).toEqual([])
    await userEvent.keyboard('{Enter}')
    expect(inbox.opened).toEqual(['c3'])
    expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual(['false', 'false', 'true'])
  })

  it('acts on the conversation that was opened elsewhere, also if the list does not hold it', async () => {
    const inbox = await showList()
    listbox().focus()
    await userEvent.keyboard('{ArrowDown}{Enter}')
    const active = [activeId()]
    for (const id of ['c3', 'c9']) {
      await inbox.open(id)
      active.push(activeId())
    }
    await userEvent.keyboard('{ArrowDown}')
    active.push(activeId())
    await inbox.open('c2')
    await inbox.leave()
    active.push(activeId())
    expect(active).toEqual(['c2', 'c3', undefined, 'c1', 'c2'])
  })

  it('loads more rows at the last row', async () => {
    const inbox = await showList(listOf(rows(20), { hasNext: true, total: 40 }))
    listbox().focus()
    await userEvent.keyboard('{End}')
    expect(inbox.waiting('loadPage')).toHaveLength(1)
  })

  it('keeps the active row when the order changes', async () => {
    const inbox = await showList()
    listbox().focus()
    await userEvent.keyboard('{ArrowDown}')
    await userEvent.click(screen.getByRole('button', { name: 'Refresh conversations' }))
    await inbox.answer('loadTop', listOf([row('c2', 600), row('c1', 499), row('c3', 497)]))
    expect([rowIds(), activeId()]).toEqual([['c2', 'c1', 'c3'], 'c2'])
  })

  it.each([
    ['j', 'c3'],
    ['k', 'c1'],
  ])('continues at the place of the row that left the list: %s leads to %s', async (key, next) => {
    const inbox = await showList(listOf(rows(4)))
    listbox().focus()
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await userEvent.click(screen.getByRole('button', { name: 'Refresh conversations' }))
    await inbox.answer('loadTop', listOf(rows(4).filter((_, index) => index !== 1)))
    const meanwhile = activeId()
    fireEvent.keyDown(document.body, { key })
    expect([meanwhile, activeId()]).toEqual([undefined, next])
    inbox.unmount()
  })

  it('continues above the last row if that left the list', async () => {
    const inbox = await showList(listOf(rows(4)))
    listbox().focus()
    await userEvent.keyboard('{End}{Enter}')
    await userEvent.click(screen.getByRole('button', { name: 'Refresh conversations' }))
    await inbox.answer('loadTop', listOf(rows(3)))
    fireEvent.keyDown(document.body, { key: 'k' })
    expect(activeId()).toBe('c3')
    inbox.unmount()
  })

  it('begins at the first row of another query', async () => {
    const inbox = await showList(listOf(rows(4)))
    listbox().focus()
    await userEvent.keyboard('{End}')
    await inbox.tell({ type: 'page.chosen', pageId: 'p1' })
    await inbox.answer('loadTop', listOf(rows(3, 11)))
    expect([rowIds(), activeId()]).toEqual([['c11', 'c12', 'c13'], 'c11'])
    inbox.unmount()
  })

  it('makes the row active that took the place of the one that left, if none is open', async () => {
    const inbox = await showList(listOf(rows(4)))
    listbox().focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    await userEvent.click(screen.getByRole('button', { name: 'Refresh conversations' }))
    await inbox.answer('loadTop', listOf(rows(3)))
    expect(activeId()).toBe('c3')
    inbox.unmount()
  })

  it('moves to the search box with / and from there to the list with Escape', async () => {
    await showList()
    await userEvent.keyboard('/')
    const search = screen.getByRole<HTMLInputElement>('searchbox')
    expect(document.activeElement).toBe(search)
    await userEvent.keyboard('a/b')
    expect(search.value).toBe('a/b')
    await userEvent.keyboard('{Escape}')
    expect([search.value, document.activeElement]).toEqual(['', search])
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement).toBe(listbox())
  })

  it('is in the search box after a press on the button that clears it', async () => {
    await showList()
    const search = screen.getByRole<HTMLInputElement>('searchbox')
    await userEvent.type(search, 'ana')
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }))
    expect([search.value, document.activeElement]).toEqual(['', search])
  })

  it('closes the conversation with Escape in the list', async () => {
    const inbox = await showList()
    await userEvent.click(found(options()[0], 'the first row'))
    listbox().focus()
    await userEvent.keyboard('{Escape}')
    expect(inbox.opened).toEqual(['c1', null])
    expect(screen.getByText('Select a conversation')).toBeTruthy()
  })
})
