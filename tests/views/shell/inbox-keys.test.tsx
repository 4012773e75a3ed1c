import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { selectWidths } from '../../../src/machines/shell/pane-widths.ts'
import { isApple } from '../../../src/views/components/is-apple.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const listbox = () => screen.getByRole('listbox', { name: 'Conversations' })
const activeId = () => listbox().getAttribute('aria-activedescendant')?.replace('conversation-', '')
const composer = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })

async function showList(unread: readonly string[] = []) {
  await import('../../../src/views/shell/ShortcutsDialog.tsx')
  const inbox = await showInbox()
  const rows = ['c1', 'c2', 'c3', 'c4'].map((id, index) =>
    row(id, 100 - index, { unread_messages: unread.includes(id) ? 1 : 0 }),
  )
  await inbox.answer('loadTop', listOf(rows))
  return inbox
}

async function openThread() {
  const inbox = await showList()
  await userEvent.click(screen.getByRole('option', { name: /Person c2/ }))
  await inbox.answer('loadMessages', { messages: [messageIn('c2', 1, { is_read: true })], hasMore: false })
  return inbox
}

describe('The keyboard shortcuts', () => {
  it('j and k move in the list from anywhere, and Enter opens', async () => {
    const inbox = await showList()
    await userEvent.keyboard('j')
    expect([activeId(), document.activeElement]).toEqual(['c1', listbox()])
    await userEvent.keyboard('jj')
    expect(activeId()).toBe('c3')
    await userEvent.keyboard('k{Enter}')
    expect([activeId(), inbox.opened]).toEqual(['c2', ['c2']])
    await userEvent.keyboard('kkk')
    expect(activeId()).toBe('c1')
  })

  it('r focuses the answer, and letters typed there are text', async () => {
    await openThread()
    await userEvent.keyboard('r')
    expect(document.activeElement).toBe(composer())
    await userEvent.keyboard('jkur/?')
    expect([composer().value, document.activeElement, screen.queryByRole('dialog')]).toEqual([
      'jkur/?',
      composer(),
      null,
    ])
  })

  it('/ focuses the search', async () => {
    await showList()
    await userEvent.keyboard('/')
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search conversations' }))
  })

  it('u opens the next unread conversation and wraps around', async () => {
    const inbox = await showList(['c1', 'c3'])
    await userEvent.keyboard('u')
    await userEvent.keyboard('u')
    await userEvent.keyboard('u')
    expect(inbox.opened).toEqual(['c1', 'c3', 'c1'])
  })

  it('u shows a message if no other conversation is unread', async () => {
    const inbox = await showList()
    await userEvent.keyboard('u')
    const texts = inbox.app.system
      .get('notifier')
      .getSnapshot()
      .context.toasts.map(({ text }: { text: string }) => text)
    expect([inbox.opened, texts]).toEqual([[], ['No other unread conversations in this list']])
  })

  it('? lists the shortcuts in a dialog without axe violations, in which no other shortcut acts', async () => {
    const inbox = await showList(['c1'])
    await userEvent.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(Array.from(dialog.querySelectorAll('h3, dt, dd'), ({ textContent }) => textContent)).toEqual([
      'Anywhere',
      'Next conversation in the list',
      'jor↓',
      'Previous conversation in the list',
      'kor↑',
      'Open the conversation',
      'Enter',
      'Open the next unread conversation',
      'u',
      'Reply',
      'r',
      'Search',
      '/',
      'Back to the conversation list',
      'Esc',
      'Show the conversations that are new or moved',
      '.',
      'Show the keyboard shortcuts',
      '?',
      'Find people, views and actions',
      isApple() ? '⌘K' : 'Ctrl K',
      'While writing',
      'Send the message',
      'Enter',
      'Start a new line',
      'Shift+Enter',
    ])
    await expectScreen()
    await userEvent.keyboard('uj')
    expect(inbox.opened).toEqual([])
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('leave a key to the element that has used it, and the letters in a select to the browser', async () => {
    const inbox = await showList(['c1'])
    const used = new KeyboardEvent('keydown', { key: 'u', bubbles: true, cancelable: true })
    used.preventDefault()
    fireEvent(document.body, used)
    const select = document.body.appendChild(document.createElement('select'))
    fireEvent.keyDown(select, { key: 'u' })
    select.remove()
    expect(inbox.opened).toEqual([])
  })

  it('act once for a press after the inbox was left and opened again', async () => {
    const first = await showList(['c1'])
    first.unmount()
    const inbox = await showList(['c1', 'c3'])
    await userEvent.keyboard('u')
    expect([first.opened, inbox.opened]).toEqual([[], ['c1']])
  })

  it('leave combinations with Control, Meta or Alt to the browser', async () => {
    const inbox = await showList(['c1'])
    for (const key of ['ctrlKey', 'metaKey', 'altKey']) fireEvent.keyDown(document.body, { key: 'u', [key]: true })
    expect(inbox.opened).toEqual([])
  })
})

describe('A key that an input method handles', () => {
  // Safari sends the key that ends a composition with this code alone.
  const ways = [{ isComposing: true }, { keyCode: 229 }]

  it.each(ways)('is no shortcut (%j)', async (way) => {
    const inbox = await showList(['c1'])
    fireEvent.keyDown(document.body, { key: 'u', ...way })
    expect(inbox.opened).toEqual([])
  })

  it.each(ways)('does not leave the composer (%j)', async (way) => {
    const inbox = await openThread()
    composer().focus()
    fireEvent.keyDown(composer(), { key: 'Escape', ...way })
    expect([inbox.opened, document.activeElement]).toEqual([['c2'], composer()])
  })

  it.each(ways)('neither clears nor leaves the search (%j)', async (way) => {
    await showList()
    const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search conversations' })
    await userEvent.type(search, 'さと')
    for (const key of ['Escape', 'ArrowDown']) fireEvent.keyDown(search, { key, ...way })
    expect([search.value, document.activeElement]).toEqual(['さと', search])
  })
})

describe('The splitter between two panes', () => {
  const line = (name: string) => screen.getByRole('separator', { name })
  const standing = (name: string) => Number(line(name).getAttribute('aria-valuenow'))

  it.each([
    ['Width of the conversation list', '{ArrowRight}', 22.25],
    ['Width of the conversation list', '{ArrowLeft}{ArrowLeft}', 19.25],
    ['Width of the client details', '{ArrowLeft}', 21],
    ['Width of the conversation list', '{End}{ArrowRight}', 34],
    ['Width of the conversation list', '{Home}{ArrowLeft}', 15],
    ['Width of the conversation list', '{End}{Enter}', 21.25],
  ])('%s changes with %s', async (name, keys, width) => {
    await showList()
    line(name).focus()
    await userEvent.keyboard(keys)
    expect(standing(name)).toBe(width)
  })

  it('moves by dragging and is reset by a double click', async () => {
    const inbox = await showList()
    const name = 'Width of the client details'
    const handle = line(name)
    handle.setPointerCapture = () => {}
    fireEvent.pointerDown(handle, { button: 2, clientX: 1000 })
    fireEvent(handle, new MouseEvent('pointermove', { clientX: 1000 - 64, bubbles: true }))
    expect(standing(name)).toBe(20)
    fireEvent.pointerDown(handle, { button: 0, clientX: 1000 })
    fireEvent(handle, new MouseEvent('pointermove', { clientX: 1000 - 32, bubbles: true }))
    expect(selectWidths(inbox.paneWidths.getSnapshot())).toEqual({ list: 21.25, details: 22 })
    fireEvent(handle, new Event('lostpointercapture'))
    fireEvent(handle, new MouseEvent('pointermove', { clientX: 500, bubbles: true }))
    expect(standing(name)).toBe(22)
    await act(async () => void fireEvent.doubleClick(handle))
    expect(standing(name)).toBe(20)
  })
})
