import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { describe, expect, it } from 'vitest'
import { selectSession } from '../../../src/machines/app.ts'
import { sessionMachine } from '../../../src/machines/session/session.ts'
import { SessionProvider } from '../../../src/views/actors.tsx'
import ClientScreen from '../../../src/views/client/ClientScreen.tsx'
import { clientOf } from '../../model/client/clients-fixture.ts'
import { autoSyncOf } from '../../model/dialogs-fixture.ts'
import { everyMoveInFewPaths } from '../../model/hand-model.ts'
import { createCoverage, followByHand } from '../../model/harness.ts'
import { at, inserted, messageIn, renamed, row, stateOf } from '../../model/inbox-fixture.ts'
import { cafe, shop } from '../../model/list/stats-and-pages-fixture.ts'
import { draftOf } from '../../model/send/drafts-fixture.ts'
import { found } from '../found.ts'
import { listOf, showInbox, user, userWithStates } from '../inbox-harness.tsx'
import { expectToasts, nextFrame, shownToasts } from '../shown-toasts.ts'

const coverage = createCoverage(sessionMachine)

const rows = [
  row('c1', 2, { page_ids: 'p1, p2', page_count: 2, unread_messages: 2 }),
  row('c2', 1, { page_ids: 'p1, p2', page_count: 2 }),
]

async function start(person = user) {
  const inbox = await showInbox({ inspect: coverage.inspect, withToasts: true, person })
  /** Responds with the current list to every pending request. */
  const showList = async () => {
    while (inbox.waiting('loadTop').length > 0) await inbox.answer('loadTop', listOf(rows))
  }
  await inbox.answer('loadPages', [shop, cafe])
  await showList()
  return { ...inbox, showList }
}
type Inbox = Awaited<ReturnType<typeof start>>

const thread = () => within(screen.getByRole('region', { name: 'Thread' }))
const option = (id: string) => screen.getByRole('option', { name: new RegExp(`Person ${id}`) })
const filter = () => screen.getByLabelText<HTMLSelectElement>('Page')
const header = () => within(screen.getByRole('banner'))
const connection = () => header().getByRole('status').textContent?.split('.')[0]

/** The open conversation, the page filter, and whether the tab is visible. */
type Place = { open: 'c1' | 'c2' | null; pageId: string | null; isHidden: boolean }
type Deed = {
  to: (place: Place) => Place
  run: (inbox: Inbox, minute: number) => unknown
  tells?: (place: Place) => string | null
}

const choose = (pageId: string | null): Deed => ({
  to: (place) => ({ ...place, pageId }),
  run: () => fireEvent.change(filter(), { target: { value: pageId ?? '' } }),
})
const press = (open: 'c1' | 'c2'): Deed => ({
  to: (place) => ({ ...place, open }),
  run: () => fireEvent.click(option(open)),
})
const show = (isHidden: boolean): Deed => ({
  to: (place) => ({ ...place, isHidden }),
  run: (inbox) => inbox.tell({ type: isHidden ? 'tab.hidden' : 'tab.shown' }),
})

/** Spec section 4: no toast for a message in the conversation that the user is looking at. */
const write = (id: 'c1' | 'c2', pageId: string): Deed => ({
  to: (place) => place,
  run: (inbox, minute) => inbox.change([inserted(id, minute, { page_id: pageId })]),
  tells: (place) =>
    !place.isHidden && place.open === id && [null, pageId].includes(place.pageId)
      ? null
      : `info: New message from Person ${id}`,
})

const deeds: Readonly<Record<string, Deed>> = {
  'the first row is pressed': press('c1'),
  'the second row is pressed': press('c2'),
  'the thread is left': {
    to: (place) => ({ ...place, open: null }),
    run: () => {
      const back = screen.queryByRole('button', { name: 'Back to conversations' })
      if (back) fireEvent.click(back)
    },
  },
  'the page is chosen': choose('p1'),
  'all pages are chosen': choose(null),
  'the tab is hidden': show(true),
  'the tab is shown': show(false),
  'the first writes to the page': write('c1', 'p1'),
  'the first writes to another': write('c1', 'p2'),
}

/** Leaves out events that change nothing and show no toast. */
const moves = (at: Place) =>
  Object.fromEntries(
    Object.entries(deeds)
      .map(([name, deed]) => [name, deed.to(at), deed] as const)
      .filter(([, place, { tells }]) => tells !== undefined || JSON.stringify(place) !== JSON.stringify(at))
      .map(([name, place]) => [name, place]),
  )

describe('The inbox shows the open conversation and the page filter, and a toast for other messages', () => {
  const paths = everyMoveInFewPaths<Place>({ open: null, pageId: null, isHidden: false }, moves)

  it(`over ${paths.length} paths: every possible action in each state`, async () => {
    for (const path of paths) {
      const inbox = await start()
      await inbox.connect()
      await followByHand(
        sessionMachine,
        path.map(({ name, place }, index) => ({
          name,
          run: () => found(deeds[name], name).run(inbox, 3 + index),
          check: async () => {
            await inbox.showList()
            const { open, pageId } = place
            expect({
              heading: thread().queryByRole('heading', { level: 2 })?.textContent ?? null,
              asksToSelect: thread().queryByText('Select a conversation') !== null,
              chosen: ['c1', 'c2'].filter((id) => option(id).ariaSelected === 'true'),
              filter: filter().value,
              asks: inbox.waiting('loadMessages'),
            }).toEqual({
              heading: open && `Person ${open}`,
              asksToSelect: open === null,
              chosen: open === null ? [] : [open],
              filter: pageId ?? '',
              asks: open === null ? [] : [{ conversationId: open, pageId, page: 1 }],
            })
            const said = deeds[name]?.tells?.(place) ?? null
            await expectToasts(said === null ? [] : [said])
            // The toast goes, so that the next one with the same text is shown.
            if (said !== null) await inbox.pass(5_000)
          },
        })),
      )
      inbox.unmount()
    }
  }, 300_000)
})

type Journey = (inbox: Inbox) => readonly (readonly [run: () => unknown, shows: () => unknown, expected: unknown])[]

/** Renders the screen of a client next to the inbox, as another route would. */
function showClient(inbox: Inbox) {
  const session = selectSession(inbox.app.getSnapshot())
  if (!session) throw new Error('nobody is signed in')
  return render(
    <MemoryRouter initialEntries={['/clients/k1']}>
      <SessionProvider session={session}>
        <Routes>
          <Route path="/clients/:clientId" element={<ClientScreen />} />
        </Routes>
      </SessionProvider>
    </MemoryRouter>,
  )
}

const answersRead = { messages: [messageIn('c1', 2)], hasMore: false }

const journeys: Readonly<Record<string, Journey>> = {
  'the conversation and the query of an address': (inbox) => {
    const shows = () => [
      screen.getByLabelText<HTMLInputElement>('Unread only').checked,
      filter().value,
      inbox.waiting('loadMessages'),
    ]
    const query = { search: '', pageId: 'p1', unreadOnly: true }
    return [
      [() => inbox.open('c1'), shows, [false, '', [{ conversationId: 'c1', pageId: null, page: 1 }]]],
      [
        () => inbox.tell({ type: 'query.opened', query }),
        shows,
        [true, 'p1', [{ conversationId: 'c1', pageId: 'p1', page: 1 }]],
      ],
    ]
  },
  'the removal of the filtered page': (inbox) => {
    const shows = () => [filter().value, inbox.waiting('loadPages').length]
    return [
      [() => fireEvent.change(filter(), { target: { value: 'p1' } }), shows, ['p1', 0]],
      [() => inbox.tell({ type: 'pages.invalidated' }), shows, ['p1', 1]],
      [() => inbox.answer('loadPages', [cafe]), shows, ['', 0]],
      [() => inbox.tell({ type: 'pages.changed' }), shows, ['', 1]],
    ]
  },
  'a refresh and a recent sync': (inbox) => {
    const shows = () => [
      inbox.waiting('loadTop').length,
      inbox.waiting('loadPages').length,
      inbox.waiting('syncAllRecent').length,
      inbox.waiting('syncRecent'),
    ]
    const sync = () =>
      fireEvent.click(found(header().getAllByRole('button', { name: 'Sync recent' })[0], 'Sync recent'))
    return [
      [() => fireEvent.click(header().getByRole('button', { name: 'Refresh conversations' })), shows, [1, 1, 0, []]],
      [sync, shows, [1, 1, 1, []]],
    ]
  },
  'the status of the automatic sync': (inbox) => {
    const shows = () => header().getAllByRole('button', { name: /^Auto-sync/ })[0]?.textContent
    return [
      [() => inbox.answer('loadStatus', autoSyncOf()), shows, 'Auto-sync On'],
      [
        () => inbox.tell({ type: 'autoSync.received', status: autoSyncOf({ isRunning: false }) }),
        shows,
        'Auto-sync Off',
      ],
      [() => inbox.tell({ type: 'autoSync.invalidated' }), () => inbox.waiting('loadStatus').length, 1],
    ]
  },
  'a person who is linked and renamed': (inbox) => [
    [
      () => inbox.tell({ type: 'client.linked', userId: 'u2', clientId: 'k1' }),
      () => within(option('c2')).queryByText('Linked') !== null,
      true,
    ],
    [
      () => inbox.changeUsers([renamed('u2', 'Person c2, Maria')]),
      () => option('c2').textContent?.includes('Person c2, Maria'),
      true,
    ],
  ],
  'a chat that moved to another conversation': (inbox) => [
    [
      () =>
        inbox.tell({
          type: 'chats.changed',
          changes: [{ type: 'UPDATE', row: { id: 'u2', primary_user_id: 'u2', client_id: null } }],
          unlinkedClient: null,
        }),
      () => inbox.waiting('loadStats').length,
      1,
    ],
    [() => inbox.open('c2'), () => inbox.waiting('loadMessages').length, 1],
    [
      () => inbox.answer('loadMessages', { messages: [], hasMore: false }),
      () => inbox.waiting('loadMessages').length,
      0,
    ],
    [
      () => inbox.changeUsers([{ type: 'UPDATE', row: { id: 'c2', primary_user_id: 'c1' } }]),
      () => inbox.waiting('loadMessages').length,
      1,
    ],
  ],
  'an erased person': (inbox) => [
    [() => inbox.tell({ type: 'person.erased', conversationId: 'c2' }), () => inbox.waiting('loadStats').length, 1],
  ],
  'a conversation that the server no longer knows': (inbox) => [
    [
      () => inbox.hearDraft('c2', draftOf('d1', 'Opo')),
      () => within(option('c2')).queryByText('Draft:') !== null,
      true,
    ],
    [
      () => inbox.tell({ type: 'conversation.gone', id: 'c2' }),
      () => within(option('c2')).queryByText('Draft:') !== null,
      false,
    ],
  ],
  'marking a thread as read': (inbox) => {
    const unread = () => within(option('c1')).queryByText('2') !== null
    return [
      [() => fireEvent.click(option('c1')), unread, true],
      [() => inbox.answer('loadMessages', answersRead), () => inbox.waiting('markRead').length, 1],
      [() => inbox.answer('markRead', undefined), unread, false],
    ]
  },
  'a sent message': (inbox) => {
    const message = messageIn('c1', 4, {
      message_id: 'temp_1',
      direction: 'outgoing',
      message_text: 'Opo',
      is_read: true,
    })
    return [
      [() => inbox.open('c1'), () => inbox.waiting('loadMessages').length, 1],
      [() => inbox.answer('loadMessages', answersRead), () => thread().queryByText('Opo'), null],
      [
        () => inbox.tell({ type: 'message.sent', conversationId: 'c1', message, realMessageId: null }),
        () => thread().getAllByText('Opo').length,
        1,
      ],
    ]
  },
  'an opened conversation that the list does not hold': (inbox) => [
    [() => inbox.open('c9'), () => inbox.waiting('findConversation'), [{ id: 'c9' }]],
    [
      () => inbox.answer('findConversation', row('c9', 1)),
      () => thread().getByRole('heading', { level: 2 }).textContent,
      'Person c9',
    ],
  ],
  'a new message of a conversation that the list does not hold': (inbox) => [
    [() => inbox.change([inserted('c8', 3)]), () => inbox.waiting('findConversation'), [{ id: 'c8' }]],
    [() => inbox.answer('findConversation', null), shownToasts, []],
    [() => inbox.pass(999), () => inbox.waiting('findConversation'), []],
    [() => inbox.pass(1), () => inbox.waiting('findConversation'), [{ id: 'c8' }]],
    [() => inbox.pass(1_999), shownToasts, []],
    [() => inbox.pass(1), shownToasts, ['info: New message from Unknown User']],
    [() => inbox.change([inserted('c1', 4)]), shownToasts, ['info: New message from Unknown User']],
    [() => inbox.pass(3_000), shownToasts, ['info: New message from Person c1']],
  ],
  'a new message of a conversation that is looked up': (inbox) => [
    [() => inbox.change([inserted('c8', 3)]), shownToasts, []],
    [() => inbox.answer('findConversation', row('c8', 3)), shownToasts, ['info: New message from Person c8']],
  ],
  'a new message of a conversation whose look-up fails': (inbox) => [
    [() => inbox.change([inserted('c8', 3)]), shownToasts, []],
    [() => inbox.fail('findConversation', new Error('no answer')), shownToasts, []],
    [() => inbox.pass(3_000), shownToasts, ['info: New message from Unknown User']],
  ],
  'nothing new after a click on a notification, which the routes handle, and after saved settings': (inbox) => [
    [() => inbox.tell({ type: 'conversation.requested', id: 'c2' }), shownToasts, []],
    [() => inbox.tell({ type: 'settings.saved', saved: { settings: null, version: 1 } }), shownToasts, []],
  ],
  'a connection that is established, lost, and restored': (inbox) => {
    const connect = async () => {
      await inbox.connect()
      await inbox.showList()
    }
    return [
      [connect, connection, 'Connection: Live'],
      [() => inbox.tell({ type: 'clock.jumped' }), connection, 'Connection: Connecting'],
      [inbox.showList, connection, 'Connection: Live'],
      [() => inbox.tell({ type: 'browser.offline' }), connection, 'Connection: Offline'],
      [() => inbox.tell({ type: 'browser.online' }), connection, 'Connection: Offline'],
      [connect, connection, 'Connection: Live'],
    ]
  },
  'a connection that is never established': (inbox) => [
    [() => inbox.pass(30_000), () => inbox.waiting('loadTop').length, 1],
    [() => {}, connection, 'Connection: Offline'],
  ],
  'the screen of a client': (inbox) => {
    let page: ReturnType<typeof showClient> | null = null
    const open = () =>
      act(async () => {
        page = showClient(inbox)
      })
    return [
      [open, () => inbox.waiting('loadProfile'), [{ clientId: 'k1' }]],
      [
        () => inbox.answer('loadProfile', { client: clientOf('k1') }),
        () => screen.getByRole('heading', { level: 1, name: /k1/ }).tagName,
        'H1',
      ],
      [
        () => act(async () => page?.unmount()),
        () => selectSession(inbox.app.getSnapshot())?.getSnapshot().children.clientPage,
        undefined,
      ],
    ]
  },
}

describe('The session in the inbox', () => {
  it.each(Object.entries(journeys))(
    'shows %s',
    async (_, journey) => {
      const inbox = await start()
      await followByHand(
        sessionMachine,
        journey(inbox).map(([run, shows, expected], index) => ({
          name: `step ${index + 1}`,
          run,
          check: async () => {
            await nextFrame()
            await expect.poll(shows, { interval: 5, timeout: 10_000 }).toEqual(expected)
          },
        })),
      )
      inbox.unmount()
    },
    60_000,
  )

  it('shows the views, the states and the changes of an API that offers them', async () => {
    const inbox = await start(userWithStates)
    const text = () => option('c2').textContent
    await act(async () => selectSession(inbox.app.getSnapshot())?.send({ type: 'view.chosen', view: 'all' }))
    while (inbox.waiting('loadTop').length > 0) {
      await inbox.answer('loadTop', listOf(rows.map((each) => ({ ...each, state: stateOf(1) }))))
    }
    await inbox.changeStates([{ id: 'c2', state: stateOf(2, { muted_at: at(0) }) }])
    expect(text()).toContain('Muted')
    await inbox.tell({ type: 'change.requested', ids: ['c2'], decision: { muted: false } })
    expect([text()?.includes('Muted'), inbox.waiting('changeStates').length]).toEqual([false, 1])
    await inbox.answer('changeStates', [{ id: 'c2', state: stateOf(3), refusal: null }])
    await inbox.tell({ type: 'undo.requested' })
    expect(text()).toContain('Muted')
    await inbox.tell({ type: 'conversations.unread', ids: ['c2'] })
    expect(text()).toContain('1 unread')
    await inbox.tell({ type: 'conversation.pressed', id: 'c2' })
    expect(inbox.waiting('loadMessages')).toEqual([{ conversationId: 'c2', pageId: null, page: 1 }])
    await inbox.tell({ type: 'labels.told', labels: [] })
    await inbox.tell({ type: 'labels.loaded', labels: [] })
    await inbox.tell({ type: 'labels.invalidated' })
    await inbox.tell({ type: 'clientLabels.told', clientId: 'unknown', labels: { version: 1, label_ids: [] } })
    await inbox.tell({ type: 'clientData.changed', clientIds: ['unknown'] })
    await inbox.tell({ type: 'comments.changed', thread: null })
    await inbox.tell({ type: 'comments.requested', threadId: null })
    expect(text()).toContain('1 unread')
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition except those of a saved inbox and of drafts, which have walks of their own', () =>
    expect(coverage.transitionsMissed().filter((missed) => !/ (drafts?|flush)\./.test(missed))).toEqual([
      'session.relaying -- user.confirmed --> stays',
    ]))
})
