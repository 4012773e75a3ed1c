import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { selectWaitingCount } from '../../../src/machines/list/displayed-list.ts'
import { paletteMachine } from '../../../src/machines/shell/palette.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import { features } from '../../../src/schemas/feature.ts'
import { faults } from '../../model/client/clients-fixture.ts'
import { createCoverage, driverOf } from '../../model/harness.ts'
import { at, row, stateOf } from '../../model/inbox-fixture.ts'
import { followBeside } from '../../model/reference.ts'
import {
  ana,
  answerOf,
  anton,
  type PaletteShown,
  paletteModel,
  paletteReference,
} from '../../model/shell/palette-fixture.ts'
import { messageHit, messagesOf } from '../../model/shell/search-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const coverage = createCoverage(paletteMachine)

const manager: AuthUser = {
  ...user,
  permissions: [
    'conversations.read',
    'conversations.manage',
    'conversations.mark_read',
    'messages.send',
    'notes.write',
    'clients.link',
    'sync.run',
    'staff.manage',
    'audit.read',
    'persons.erase',
  ],
  features: ['conversation-states'],
}

const everything = [
  ...manager.permissions,
  'api-keys.manage',
  'clients.manage',
  'clients.remove',
  'data.export',
  'faq.manage',
  'imports.manage',
  'labels.manage',
  'orders.manage',
  'orders.read',
  'pages.manage',
  'reports.read',
  'shops.manage',
  'webhooks.manage',
]

const orderFound = {
  hits: [
    {
      id: 'o1',
      order_number: 'A-NUN-7',
      status: 'pending',
      created_at: messageHit('m').at,
      client_id: 'k1',
      client_name: 'Ana Núñez',
    },
  ],
  next: null,
}
const searcher: AuthUser = { ...manager, features: ['conversation-states', 'search'] }

beforeAll(() => import('../../../src/views/shell/PaletteDialog.tsx'))

async function showList(person: AuthUser = manager) {
  const inbox = await showInbox({ person, inspect: coverage.inspect })
  const states = person.features?.includes('conversation-states')
  await inbox.answer('loadTop', listOf([row('c1', 100, states ? { state: stateOf(1) } : {}), row('c2', 99)]))
  return inbox
}

async function openPalette(from: Element = document.body) {
  await act(async () => fireEvent.keyDown(from, { key: 'k', ctrlKey: true }))
  await screen.findByRole('dialog', { name: 'Find people and actions' })
  await waitFor(() => expect(document.activeElement).toBe(input()))
}
const input = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Find people and actions' })
const type = (value: string) => act(async () => fireEvent.change(input(), { target: { value } }))
/** The status, without the character that Base UI adds so that a screen reader notices every change. */
const status = () => within(screen.getByRole('dialog')).getByRole('status').textContent?.replace('\u2060', '')
const key = (name: string) => userEvent.keyboard(`{${name}}`)
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const group = (name: string | RegExp) =>
  within(screen.getByRole('group', { name }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
const isOpen = () => screen.queryByRole('dialog', { name: 'Find people and actions' }) !== null
const active = () => document.getElementById(input().getAttribute('aria-activedescendant') ?? '')?.textContent

describe('every transition of the palette, through its view', () => {
  const names: Readonly<Record<string, string>> = { u1: 'Ana Cruz', u2: 'Anton Reyes' }
  const seen = (inbox: Awaited<ReturnType<typeof showList>>) => {
    const dialog = screen.queryByRole('dialog', { name: 'Find people and actions' })
    const people = dialog && within(dialog).queryByRole('group', { name: 'People' })
    return {
      isOpen: dialog !== null,
      term: dialog && input().value,
      people: people
        ? within(people)
            .getAllByRole('option')
            .map((option) => option.querySelector('bdi')?.textContent)
        : [],
      isSearching: dialog !== null && within(dialog).queryByText(/Searching people…/) !== null,
      mayRetry: dialog !== null && within(dialog).queryByRole('button', { name: 'Try again' }) !== null,
      further: dialog !== null && within(dialog).queryByText('28 more people match. Type more of the name.') !== null,
      failures: inbox.app.system
        .get('notifier')
        .getSnapshot()
        .context.toasts.filter(({ kind }: { kind: string }) => kind === 'error').length,
    }
  }
  const expected = ({ phase, term, found, further, failures }: PaletteShown) => {
    const isOpen = phase !== 'closed'
    const isSearching = phase === 'debouncing' || phase === 'searching'
    // While another term is searched, the found people stay whose names match.
    const matching = (id: string) => phase === 'found' || names[id]?.toLowerCase().startsWith(term)
    return {
      isOpen,
      term: isOpen ? term : null,
      people: isOpen ? found.filter(matching).map((id) => names[id]) : [],
      isSearching,
      mayRetry: phase === 'failed',
      further: phase === 'found' && further === 28,
      // The same toast twice within 3 s is one.
      failures: Math.min(failures, 1),
    }
  }

  it.each(
    paletteModel()
      .everyTransitionInFewPaths()
      .map((path) => [path.title.slice(0, 200), path] as const),
  )('%s', async (_, path) => {
    const inbox = await showList()
    await openPalette()
    const drive = driverOf(
      (event: { type: string; term?: string; key?: string }) => {
        const steps: Readonly<Record<string, () => unknown>> = {
          'term.typed': async () => {
            // The same text again is no change, so another one comes before.
            if (input().value === event.term) await type(`${event.term}x`)
            await type(event.term ?? '')
          },
          'key.typed': () => act(async () => fireEvent.keyDown(document.body, { key: event.key ?? '' })),
          'refetch.requested': () =>
            act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' }))),
          'command.chosen': () => act(async () => fireEvent.click(screen.getByRole('option', { name: 'Manage FAQ' }))),
          'person.chosen': () =>
            act(async () => {
              const [person] = within(screen.getByRole('group', { name: 'People' })).getAllByRole('option')
              if (person) fireEvent.click(person)
            }),
          'dialog.dismissed': () => key('Escape'),
        }
        return steps[event.type]?.()
      },
      {
        calls: { findPeople: inbox.control('loadPage') },
        delays: { searchDebounce: () => inbox.pass(300) },
      },
    )
    await followBeside(path, drive, { ...paletteReference, shown: expected }, () => seen(inbox))
    inbox.unmount()
  })
})

describe('The palette', () => {
  it('opens by Ctrl K from anywhere, also from a field, and gives the focus back on Escape', async () => {
    const inbox = await showList()
    const search = screen.getByRole('searchbox', { name: 'Search conversations' })
    search.focus()
    await openPalette(search)
    await key('Escape')
    expect([isOpen(), document.activeElement]).toEqual([false, search])
    inbox.unmount()
  })

  it.each([
    ['⌘K on another system', { key: 'k', metaKey: true }],
    ['Alt', { key: 'k', ctrlKey: true, altKey: true }],
    ['another letter', { key: 'j', ctrlKey: true }],
  ])('leaves %s to the browser', async (_, press) => {
    const inbox = await showList()
    await act(async () => fireEvent.keyDown(document.body, press))
    expect(isOpen()).toBe(false)
    inbox.unmount()
  })

  it('lists the commands in groups, without axe violations, and says how many there are', async () => {
    const inbox = await showList()
    await openPalette()
    expect([
      screen.queryByRole('group', { name: 'Recently used' }),
      group('Inbox'),
      group('Views'),
      group('Settings'),
      screen.queryByRole('group', { name: 'This conversation' }),
    ]).toEqual([
      null,
      [
        'Open the next conversation that waitsu',
        'Search/',
        'Choose all loaded conversationsCtrl A',
        'Refresh conversations',
        'Sync recent messages from Business Suite',
        'Sync Historical Messages',
        'Auto-Sync',
        'Manage pages',
        'Manage FAQ',
        'Staff',
        'Audit log',
      ],
      ['Waiting1', 'Mine2', 'Unassigned3', 'All4', 'Snoozed5', 'Done6'],
      [
        'Appearance: Light',
        'Appearance: Dark',
        'Reduce motion',
        'Show the keyboard shortcuts?',
        'Save a problem report',
        'Change password',
        'Two-step sign-in',
        'Clear this device',
        'This is a shared computer',
        'Sign out',
      ],
      null,
    ])
    expect(status()).toBe('27 results')
    await expectScreen()
    inbox.unmount()
  })

  it('lists each command once for a person who may do everything, in the group that it belongs to', async () => {
    const inbox = await showInbox({ person: { ...user, permissions: everything, features: [...features] } })
    await inbox.answer('loadTop', listOf([row('c1', 100, { state: stateOf(1) })]))
    await openPalette()
    const all = options()
    const inboxDialogs = [
      'Auto-Sync',
      'Manage pages',
      'Manage FAQ',
      'Manage labels',
      'Comments',
      'Live sale',
      'Saved replies',
      'Saved filters',
      'Business hours',
      'FAQ matching',
      'Products',
      'Assignment rules',
      'Staff',
      'API keys',
      'Webhooks',
      'Shops',
      'Import and export',
      'Deleted clients',
      'Reports',
      'Audit log',
    ]
    const settings = group('Settings')
    expect([
      all.filter((name, at) => all.indexOf(name) !== at),
      group('Inbox').slice(group('Inbox').indexOf('Auto-Sync')),
      settings.slice(settings.indexOf('Notifications')),
    ]).toEqual([
      [],
      inboxDialogs,
      [
        'Notifications',
        'Save a problem report',
        'Change password',
        'Two-step sign-in',
        'Clear this device',
        'This is a shared computer',
        'Sign out',
      ],
    ])
    inbox.unmount()
  })

  it('lists the shortcuts under their headings, with Done and not Reopen while no conversation is open', async () => {
    const inbox = await showList()
    await userEvent.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }, { timeout: 5_000 })
    expect(
      Array.from(dialog.querySelectorAll('section section'), (section) =>
        Array.from(section.querySelectorAll('h3, dt'), ({ textContent }) => textContent),
      ),
    ).toEqual([
      [
        'Anywhere',
        'Next conversation in the list',
        'Previous conversation in the list',
        'Open the conversation',
        'Open the next conversation that waits',
        'Reply',
        'Search',
        'Back to the conversation list',
        'Show the conversations that are new or moved',
        'Show the keyboard shortcuts',
        'Find people, views and actions',
      ],
      [
        'In a conversation or the list',
        'Done',
        'Snooze',
        'End the snooze',
        'Assign',
        'Mark as unread',
        'Choose the conversation, for one action on several',
        'Choose all from the last chosen conversation on',
        'Choose all loaded conversations',
        'Undo the last change',
        'Mute',
      ],
      ['Views', 'Waiting', 'Mine', 'Unassigned', 'All', 'Snoozed', 'Done'],
      ['While writing', 'Send the message', 'Start a new line'],
    ])
    inbox.unmount()
  })

  it('offers to undo the last change while there is one', async () => {
    const inbox = await showList()
    const isOffered = async () => {
      await openPalette()
      const found = group('Inbox').includes('Undo the last changez')
      await userEvent.keyboard('{Escape}')
      return found
    }
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    await userEvent.keyboard('e')
    const whilePending = await isOffered()
    await inbox.answer('changeStates', [{ id: 'c1', state: stateOf(2, { done_at: at(0) }), refusal: null }])
    const afterAnswer = await isOffered()
    await userEvent.keyboard('z')
    expect([whilePending, afterAnswer, await isOffered()]).toEqual([true, true, false])
    inbox.unmount()
  })

  it('offers the actions of the open conversation by its state', async () => {
    const inbox = await showList()
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    await openPalette()
    expect(group('Person c1')).toEqual([
      'Replyr',
      'Back to the conversation listEsc',
      'Donee',
      'Snoozes',
      'Assigna',
      'Mark as unread⇧U',
      'Mute⇧M',
      'Link to Client',
      'Personal data…',
    ])
    inbox.unmount()
  })

  it('changes the conversation that it names, not the row that has the focus in the list', async () => {
    const inbox = await showInbox({ person: manager, inspect: coverage.inspect })
    const now = new Date().toISOString()
    const waits = { last_message_at: now, state: stateOf(1, { waiting_since: now }) }
    await inbox.answer('loadTop', listOf([row('c1', 100, waits), row('c2', 99, waits)]))
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    const list = screen.getByRole('listbox', { name: 'Conversations' })
    act(() => list.focus())
    await key('ArrowDown')
    expect(list.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name: /Person c2/ }).id)
    await openPalette(list)
    await userEvent.keyboard('mute')
    expect(active()).toBe('Mute⇧M')
    await key('Enter')
    expect(document.activeElement).toBe(list)
    expect(inbox.waiting('changeStates')).toMatchObject([{ changes: [{ id: 'c1', decision: { muted: true } }] }])
    inbox.unmount()
  })

  it.each<[string, AuthUser, string[]]>([
    [
      'a viewer',
      { ...manager, permissions: ['conversations.read'] },
      [
        'Open the next conversation that waitsu',
        'Search/',
        'Refresh conversations',
        'Auto-Sync',
        'Manage pages',
        'Manage FAQ',
      ],
    ],
    [
      'an API without features, whose permissions have other names',
      { ...user, permissions: [] },
      [
        'Open the next unread conversationu',
        'Search/',
        'Refresh conversations',
        'Sync recent messages from Business Suite',
        'Sync Historical Messages',
        'Auto-Sync',
        'Manage pages',
        'Manage FAQ',
      ],
    ],
  ])('offers %s only what is offered elsewhere', async (_, person, offered) => {
    const inbox = await showList(person)
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    await openPalette()
    expect([group('Inbox'), group('Person c1'), screen.queryByRole('group', { name: 'Views' }) === null]).toEqual([
      offered,
      person.features
        ? ['Back to the conversation listEsc']
        : ['Replyr', 'Back to the conversation listEsc', 'Link to Client'],
      person.features === undefined,
    ])
    inbox.unmount()
  })

  it('is used by keyboard alone: the best match is active, Enter runs it, and it comes first the next time', async () => {
    const inbox = await showList()
    await openPalette()
    await userEvent.keyboard('pass')
    expect([options(), active()]).toEqual([['Change password'], 'Change password'])
    await key('Enter')
    expect(isOpen()).toBe(false)
    const dialog = await screen.findByRole('dialog', { name: 'Change password' })
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
    await key('Escape')
    await waitFor(() => expect(dialog.isConnected).toBe(false))
    await openPalette()
    expect([group('Recently used'), group('Settings').includes('Change password'), active()]).toEqual([
      ['Change password'],
      false,
      'Change password',
    ])
    await key('ArrowDown')
    expect(active()).toBe('Open the next conversation that waitsu')
    inbox.unmount()
  })

  it('says that nothing was found', async () => {
    const inbox = await showList()
    await openPalette()
    await type('qqq')
    expect(status()).toBe('Searching people…')
    await inbox.pass(300)
    expect(inbox.waiting('loadPage')).toEqual([{ query: { search: 'qqq', pageId: null, unreadOnly: false }, page: 1 }])
    await inbox.answer('loadPage', answerOf([]))
    expect([options(), status()]).toEqual([[], 'Nothing found'])
    inbox.unmount()
  })

  it('opens the conversation of a found person', async () => {
    const inbox = await showList()
    await openPalette()
    await type('an')
    await inbox.pass(300)
    await inbox.answer('loadPage', answerOf([ana, anton]))
    await act(async () => fireEvent.click(screen.getByRole('option', { name: /Anton Reyes/ })))
    expect([isOpen(), inbox.opened, inbox.waiting('loadMessages').length]).toEqual([false, ['u2'], 1])
    inbox.unmount()
  })

  it('asks an API without the search for people alone', async () => {
    const inbox = await showList()
    await openPalette()
    await type('an')
    await inbox.pass(300)
    expect([inbox.waiting('loadPage').length, inbox.waiting('search')]).toEqual([1, []])
    inbox.unmount()
  })

  it('shows clients, orders and messages in groups, marked, and more of a group on request', async () => {
    const inbox = await showList(searcher)
    await openPalette()
    await type('nun')
    await inbox.pass(300)
    expect(inbox.waiting('search')).toEqual([{ term: 'nun', kinds: ['clients', 'orders', 'messages'], after: null }])
    await inbox.answer('loadPage', answerOf([]))
    await inbox.answer('search', {
      clients: {
        hits: [{ id: 'k1', name: 'Ana Núñez', company_name: null, email: 'nun@example.com', phone: null }],
        next: null,
      },
      orders: orderFound,
      messages: { hits: [{ ...messageHit('m1'), excerpt: 'Para kay Nunez <b>po</b>' }], next: 'n' },
      isPartial: true,
    })
    const marked = (name: string) =>
      [...screen.getByRole('group', { name }).querySelectorAll('mark')].map(({ textContent }) => textContent)
    expect([
      marked('Clients'),
      marked('Orders'),
      marked('Messages'),
      screen.queryByText(/Para kay/)?.textContent,
      status(),
      screen.queryByText('Some results may be missing here. Add another word to find them.') !== null,
    ]).toEqual([['Núñ', 'nun'], ['NUN'], ['Nun'], 'Para kay Nunez <b>po</b>', '3 results', true])
    await expectScreen()

    await act(async () => fireEvent.click(screen.getByRole('option', { name: 'Show more messages' })))
    expect(inbox.waiting('search')).toEqual([{ term: 'nun', kinds: ['messages'], after: 'n' }])
    await inbox.answer('search', messagesOf(['m0']))
    expect([group('Messages').length, status(), isOpen()]).toEqual([2, '4 results', true])
    inbox.unmount()
  })

  it.each([
    ['its dialog', ['conversation-states', 'search', 'chat-orders'], [{ orderId: 'o1' }], []],
    [
      "the client's page if the API has no dialogs of orders",
      ['conversation-states', 'search'],
      [],
      [['/clients/k1', '_blank', 'noopener']],
    ],
  ])('opens of a found order %s', async (_, features, loaded, opened) => {
    const openPage = vi.spyOn(window, 'open').mockReturnValue(null)
    const inbox = await showList({ ...manager, permissions: [...manager.permissions, 'orders.read'], features })
    await openPalette()
    await type('nun')
    await inbox.pass(300)
    await inbox.answer('loadPage', answerOf([]))
    await inbox.answer('search', { ...messagesOf([]), orders: orderFound })
    await act(async () => fireEvent.click(screen.getByRole('option', { name: /A-NUN-7/ })))
    if (loaded.length > 0) await screen.findByRole('dialog', { name: 'Order' })
    expect([isOpen(), inbox.waiting('loadOrder'), openPage.mock.calls]).toEqual([false, loaded, opened])
    openPage.mockRestore()
    inbox.unmount()
  })

  it('says that the search failed, and asks again on request, while people stay', async () => {
    const inbox = await showList(searcher)
    await openPalette()
    await type('ana cruz')
    await inbox.pass(300)
    await inbox.answer('loadPage', answerOf([ana]))
    await inbox.fail('search', faults.noAnswer)
    expect(status()).toBe('We could not search clients, orders and messages. 1 result')
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
    expect([inbox.waiting('search').length, inbox.waiting('loadPage').length, status()]).toEqual([1, 0, 'Searching…'])
    inbox.unmount()
  })

  it('filters by a label, and offers the other labels and all of them then', async () => {
    const inbox = await showList({ ...manager, features: ['conversation-states', 'labels'] })
    await inbox.answer('loadLabels', [
      { id: 'l1', name: 'Rush', colour: 'red', keywords: [] },
      { id: 'l2', name: 'Quote', colour: 'blue', keywords: [] },
    ])
    await openPalette()
    await userEvent.keyboard('rush')
    expect(active()).toBe('Label: Rush')
    await key('Enter')
    expect(inbox.waiting('loadTop')).toEqual([
      expect.objectContaining({ query: expect.objectContaining({ labelId: 'l1', view: 'waiting' }) }),
    ])
    await inbox.answer('loadTop', listOf([]))
    await openPalette()
    expect(group('Views').filter((name) => /abel/.test(name ?? ''))).toEqual(['All labels', 'Label: Quote'])
    await act(async () => fireEvent.click(screen.getByRole('option', { name: 'All labels' })))
    expect(inbox.waiting('loadTop')).toEqual([
      expect.objectContaining({ query: expect.not.objectContaining({ labelId: 'l1' }) }),
    ])
    inbox.unmount()
  })

  it('takes in the rows that wait while the order is held', async () => {
    const inbox = await showList()
    const displayed = inbox.app.system.get('displayedList')
    await openPalette()
    expect(options().some((name) => name?.includes('new or moved'))).toBe(false)
    await key('Escape')
    await act(async () => displayed.send({ type: 'pointer.entered' }))
    await inbox.tell({ type: 'inbox.invalidated' })
    await inbox.pass(1_000)
    while (inbox.waiting('loadTop').length > 0)
      await inbox.answer('loadTop', listOf([row('c9', 0, { state: stateOf(1, { waiting_since: at(0) }) })]))
    expect(selectWaitingCount(displayed.getSnapshot())).toBe(1)
    await openPalette()
    await userEvent.keyboard('new or moved')
    await key('Enter')
    expect(selectWaitingCount(displayed.getSnapshot())).toBe(0)
    inbox.unmount()
  })

  it('begins a note, as the key n does, and r returns to the reply', async () => {
    const inbox = await showList({ ...manager, features: ['conversation-states', 'notes'] })
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    const field = () => document.activeElement?.getAttribute('aria-label')
    await openPalette()
    await userEvent.keyboard('note')
    expect(active()).toBe('Write a noten')
    await key('Enter')
    await waitFor(() => expect(field()).toBe('Internal note'))
    act(() => (document.activeElement as HTMLElement).blur())
    await act(async () => fireEvent.keyDown(document.body, { key: 'r' }))
    await waitFor(() => expect(field()).toBe('Message'))
    act(() => (document.activeElement as HTMLElement).blur())
    await act(async () => fireEvent.keyDown(document.body, { key: 'n' }))
    await waitFor(() => expect(field()).toBe('Internal note'))
    expect(
      screen
        .getAllByRole('button', { pressed: true })
        .map((tab) => [tab.textContent, tab.getAttribute('aria-keyshortcuts')]),
    ).toEqual([['Note', 'n']])
    inbox.unmount()
  })

  it('leaves the keys of an input method to it while the code of the palette loads', async () => {
    const inbox = await showList()
    await act(async () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }))
    for (const way of [{ isComposing: true }, { keyCode: 229 }])
      expect(fireEvent.keyDown(document.body, { key: 'n', ...way })).toBe(true)
    expect(fireEvent.keyDown(document.body, { key: 'o' })).toBe(false)
    await waitFor(() => expect(input().value).toBe('o'))
    inbox.unmount()
  })

  it('moves the focus by a command that does so', async () => {
    const inbox = await showList()
    await openPalette()
    await userEvent.keyboard('search')
    await key('Enter')
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search conversations' }))
    inbox.unmount()
  })
})

describe('The walk of the palette', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
