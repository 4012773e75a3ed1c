import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { deviceCacheMachine } from '../../../src/machines/session/device-cache.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { SavedInbox } from '../../../src/schemas/saved-inbox.ts'
import { createCoverage } from '../../model/harness.ts'
import { inserted, messageIn, row } from '../../model/inbox-fixture.ts'
import { failures } from '../../model/thread/thread-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(deviceCacheMachine)

const person: AuthUser = { ...user, deviceCache: true }
const c1 = row('c1', 10)
const c2 = row('c2', 20)
const saved: SavedInbox = {
  user: person,
  conversations: [c2, c1],
  list: { ids: ['c2', 'c1'], total: 2, hasNext: false },
  thread: { conversationId: 'c1', messages: [messageIn('c1', 10, { is_read: true })], hasOlder: false },
}

const rows = () =>
  [...document.querySelectorAll('section[aria-label="Conversations"] [role="option"] [dir="auto"]')].map(
    (preview) => preview.textContent,
  )
const bubbles = () => screen.queryAllByRole('article').map((bubble) => bubble.textContent?.match(/at \d{2}/)?.[0])
const notices = () =>
  screen
    .queryAllByRole('status')
    .map(({ textContent }) => textContent)
    .filter((text) => text?.startsWith('Showing saved'))
const isBusy = () => screen.getByRole('listbox', { name: 'Conversations' }).getAttribute('aria-busy') === 'true'

describe('A saved inbox', () => {
  it('is marked as saved until the responses replace it, and is then saved again', async () => {
    const inbox = await showInbox({ person, saved, inspect: coverage.inspect })
    await inbox.open('c1')
    expect([rows(), bubbles(), notices(), isBusy()]).toEqual([
      ['at 20', 'at 10'],
      ['at 10'],
      ['Showing saved conversations…', 'Showing saved messages…'],
      true,
    ])
    await expectScreen()
    expect(inbox.openChannels()).toBe(0)
    await inbox.pass(60_000)
    expect(inbox.waiting('saveInbox')).toEqual([])

    await inbox.answer('confirmUser', { user: person, session: 1 })
    expect(inbox.openChannels()).toBe(2)
    await inbox.answer('loadTop', listOf([row('c1', 30), c2]))
    expect([rows(), notices(), isBusy()]).toEqual([['at 30', 'at 20'], ['Showing saved messages…'], false])
    expect(inbox.waiting('markRead')).toEqual([])
    await inbox.answer('loadMessages', {
      messages: [messageIn('c1', 10, { is_read: true }), messageIn('c1', 30)],
      hasMore: false,
    })
    expect([bubbles(), notices()]).toEqual([['at 10', 'at 30'], []])
    expect(inbox.waiting('markRead')).toEqual([{ conversationId: 'c1', pageId: null }])

    await inbox.pass(2_000)
    const read = { ...row('c1', 30), unread_messages: 0 }
    expect(inbox.waiting('saveInbox')).toEqual([
      {
        user: person,
        conversations: [read, c2],
        list: { ids: ['c1', 'c2'], total: 2, hasNext: false },
        thread: {
          conversationId: 'c1',
          messages: [messageIn('c1', 10, { is_read: true }), messageIn('c1', 30, { is_read: true })],
          hasOlder: false,
        },
      },
    ])
    await inbox.answer('saveInbox', undefined)

    await inbox.change([inserted('c2', 40)])
    await inbox.pass(2_000)
    await inbox.fail('saveInbox', new Error('no room'))
    await inbox.change([inserted('c2', 41)])
    await inbox.change([inserted('c2', 42)])
    await inbox.pass(2_000)
    await inbox.change([inserted('c2', 43)])
    await inbox.pass(2_000)
    expect(rows()).toEqual(['at 43', 'at 30'])
    inbox.unmount()
  })

  it('is not saved while the list is filtered', async () => {
    const inbox = await showInbox({ person, inspect: coverage.inspect })
    await inbox.answer('loadTop', listOf([c2, c1]))
    await inbox.tell({ type: 'page.chosen', pageId: 'p1' })
    await inbox.answer('loadTop', listOf([c1]))
    await inbox.pass(2_000)
    expect(inbox.waiting('saveInbox')).toEqual([])
    inbox.unmount()
  })

  it('is saved without the open conversation once the server no longer knows it', async () => {
    const inbox = await showInbox({ person, inspect: coverage.inspect })
    await inbox.answer('loadTop', listOf([c2, c1]))
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [messageIn('c1', 10, { is_read: true })], hasMore: false })
    await inbox.pass(2_000)
    expect(JSON.stringify(inbox.waiting('saveInbox'))).toContain('"conversationId":"c1"')
    await inbox.answer('saveInbox', undefined)
    await inbox.tell({ type: 'resync.requested' })
    await inbox.answer('loadTop', listOf([c2]))
    await inbox.fail('loadMessages', failures.notThere)
    await inbox.answer('findConversation', null)
    await inbox.pass(2_000)
    expect(inbox.waiting('saveInbox')).toEqual([
      { user: person, conversations: [c2], list: { ids: ['c2'], total: 1, hasNext: false }, thread: null },
    ])
    inbox.unmount()
  })

  it('is deleted if the server forbids it, and on a shared computer', async () => {
    const forbidden = await showInbox({ person, saved, inspect: coverage.inspect })
    await forbidden.answer('confirmUser', { user, session: 1 })
    await forbidden.answer('clearDevice', undefined)
    await forbidden.pass(60_000)
    expect(forbidden.waiting('saveInbox')).toEqual([])
    forbidden.unmount()

    const shared = await showInbox({ person, isShared: () => true, inspect: coverage.inspect })
    await shared.fail('clearDevice', new Error('blocked'))
    expect(shared.waiting('saveInbox')).toEqual([])
    shared.unmount()

    const silent = await showInbox({ person: { ...user, deviceCache: false }, inspect: coverage.inspect })
    expect(silent.waiting('clearDevice')).toHaveLength(1)
    silent.unmount()
  })

  it('is deleted by Clear this device, once the user has confirmed that', async () => {
    await import('../../../src/views/shell/ClearDeviceDialog.tsx')
    const inbox = await showInbox({ person, saved, inspect: coverage.inspect })
    const press = (name: string) => act(async () => fireEvent.click(screen.getByText(name)))
    // The items of the menu load when it opens.
    await import('../../../src/views/shell/AccountActions.tsx')
    const menu = screen.getByText('Sign out').closest('[popover]')
    await act(async () => void fireEvent(menu ?? document.body, new Event('toggle')))
    await screen.findByText('Clear this device')
    await press('Clear this device')
    await screen.findByRole('dialog', { name: 'Clear this device?' })
    await press('Cancel')
    expect(rows()).toEqual(['at 20', 'at 10'])
    await press('Clear this device')
    await screen.findByRole('dialog', { name: 'Clear this device?' })
    await press('Clear and sign out')
    expect([inbox.app.getSnapshot().value, rows()]).toEqual(['signedOut', []])
    inbox.unmount()
  })

  it('is deleted once the palette makes the computer a shared one, which can be taken back', async () => {
    await import('../../../src/views/shell/PaletteDialog.tsx')
    let isShared = false
    const inbox = await showInbox({ person, isShared: () => isShared, inspect: coverage.inspect })
    await inbox.answer('loadTop', listOf([c2, c1]))
    const choose = async (name: string) => {
      await act(async () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }))
      await act(async () => fireEvent.click(await screen.findByRole('option', { name })))
    }
    isShared = true
    await choose('This is a shared computer')
    await inbox.answer('clearDevice', undefined)
    await inbox.change([inserted('c2', 40)])
    await inbox.pass(2_000)
    expect(inbox.waiting('saveInbox')).toEqual([])
    isShared = false
    await choose('This is not a shared computer')
    await inbox.change([inserted('c2', 41)])
    await inbox.pass(2_000)
    expect(inbox.waiting('saveInbox')).toHaveLength(1)
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
