import { act, fireEvent } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import { selectSession } from '../../../src/machines/app.ts'
import { conversationsMachine } from '../../../src/machines/list/conversations.ts'
import { selectConversations } from '../../../src/machines/session/session.ts'
import type { Label } from '../../../src/schemas/label.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { faults, inserted, renamed, row, stateOf } from '../../model/inbox-fixture.ts'
import { whole } from '../../model/list/conversations-fixture.ts'
import {
  first,
  listModel,
  notChanging,
  notPatching,
  notSearching,
  rowsBeside,
} from '../../model/list/conversations-walk-fixture.ts'
import { cafe, shop } from '../../model/list/stats-and-pages-fixture.ts'
import { found } from '../found.ts'
import { showInbox, userWithStates } from '../inbox-harness.tsx'

vi.mock('../../../src/domain/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../../src/domain/limits.ts')>()
  return { limits: { ...limits, conversationPageSize: 2 } }
})

type Snapshot = SnapshotFrom<typeof conversationsMachine>
type Inbox = Awaited<ReturnType<typeof showInbox>>

const coverage = createCoverage(conversationsMachine)

// Queries by role take several times as long as everything else.
function only<Found extends Element = HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector)
  if (found === null) throw new Error(`there is no ${selector}`)
  return found
}
const pane = () => only('section[aria-label="Conversations"]')
const button = (name: string) => [...pane().querySelectorAll('button')].find(({ textContent }) => textContent === name)
const searchBox = () => only<HTMLInputElement>('input[type="search"]')
const pageFilter = () => only<HTMLSelectElement>('select[aria-label="Page"]')
const unreadOnly = () => only<HTMLInputElement>('section[aria-label="Conversations"] label input[type="checkbox"]')
const refresh = () => only<HTMLButtonElement>('[aria-label="Refresh conversations"]')

function press(name: string) {
  const found = button(name)
  if (found === undefined) throw new Error(`there is no button "${name}"`)
  fireEvent.click(found)
}

const wordsOf = (option: Element) => ({
  name: option.querySelector('bdi')?.textContent,
  preview: option.querySelector('[dir="auto"]')?.textContent,
  isUnread: option.textContent.includes(' unread'),
  isLinked: option.textContent.includes('Linked'),
})

/** What the pane shows, and the requests it made. */
function shown(inbox: Inbox) {
  const listbox = pane().querySelector('[role="listbox"]')
  const more = button('Load more') ?? button('Loading…')
  const texts = [...pane().querySelectorAll('p')].map(
    (said) => [...said.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)?.textContent,
  )
  return {
    query: { search: searchBox().value, pageId: pageFilter().value || null, unreadOnly: unreadOnly().checked },
    rows: [...pane().querySelectorAll('[role="option"]')].map(wordsOf),
    isOutdated: listbox?.getAttribute('aria-busy') === 'true',
    skeletons: pane().querySelectorAll('.animate-breathe.rounded-full').length,
    says: texts,
    canRetry: button('Try again') !== undefined,
    more: more ? { text: more.textContent, isBusy: more.getAttribute('aria-disabled') === 'true' } : null,
    isRefreshing: refresh().getAttribute('aria-busy') === 'true',
    topAsked: inbox.waiting('loadTop'),
    pageAsked: inbox.waiting('loadPage'),
  }
}

/** What the specification requires. The rows of the previous query stay until the next response arrives. */
function expected(snapshot: Snapshot): ReturnType<typeof shown> {
  const { query, order, hasNext, covered } = snapshot.context
  const rows = order.flatMap((id) => rowsBeside(snapshot)(id) ?? [])
  const isAwaited = snapshot.matches('debouncing') || snapshot.matches('loading')
  const hasFailed = snapshot.matches('failed')
  const isRefreshing = snapshot.matches({ loaded: { freshness: 'refreshing' } })
  const isPaging = snapshot.matches({ loaded: { paging: 'loadingMore' } })
  const nothing = isAwaited ? ['Loading conversations...'] : ['No conversations found']
  const offersMore = rows.length > 0 && snapshot.matches('loaded') && hasNext
  return {
    query,
    rows: rows.map((each) => ({
      name: each.unified_name ?? 'Unknown User',
      preview: each.last_message_text ?? 'No messages',
      isUnread: each.unread_messages > 0,
      isLinked: each.client_id != null,
    })),
    isOutdated: rows.length > 0 && (isAwaited || hasFailed),
    skeletons: rows.length === 0 && isAwaited ? 10 : 0,
    says: hasFailed ? ['Failed to load conversations'] : rows.length === 0 ? nothing : [],
    canRetry: hasFailed,
    more: offersMore ? { text: isPaging ? 'Loading…' : 'Load more', isBusy: isPaging } : null,
    // A refetch after a change is no progress that a person waits for.
    isRefreshing: (isRefreshing && snapshot.context.isAsked) || snapshot.matches('loading'),
    topAsked: [
      ...(snapshot.matches('loading') ? [{ query, count: 2 }] : []),
      ...(isRefreshing ? [{ query, count: Math.max(2, covered) }] : []),
    ],
    pageAsked: isPaging ? [{ query, page: 2 }] : [],
  }
}

const listIn = (inbox: Inbox) => {
  const session = selectSession(inbox.app.getSnapshot())
  const list = session && selectConversations(session.getSnapshot())
  if (!list) throw new Error('there is no list')
  return list
}

const ways = {
  'Load more': () => press('Load more'),
  'Try again': () => press('Try again'),
  refresh: () => fireEvent.click(refresh()),
  scroll: () => fireEvent.scroll(pane().querySelector('.scroller') ?? pane()),
  end: () => fireEvent.keyDown(only('[role="listbox"]'), { key: 'End' }),
}
const byWay = ({ by }: AnyEventObject) => act(async () => void ways[by as keyof typeof ways]())

function drive(inbox: Inbox) {
  const top = {
    done: ({ output }: AnyEventObject) => inbox.answer('loadTop', output),
    failed: ({ error }: AnyEventObject) => inbox.fail('loadTop', error),
  }
  const retry = () => inbox.pass(2_000)
  return {
    'search.typed': ({ text }: AnyEventObject) => fireEvent.change(searchBox(), { target: { value: text } }),
    'page.chosen': ({ pageId }: AnyEventObject) => fireEvent.change(pageFilter(), { target: { value: pageId } }),
    'unreadOnly.chosen': () => fireEvent.click(unreadOnly()),
    'query.opened': ({ query }: AnyEventObject) => inbox.tell({ type: 'query.opened', query }),
    'more.requested': byWay,
    'refetch.requested': byWay,
    'list.invalidated': () => inbox.tell({ type: 'inbox.invalidated' }),
    'messages.changed': ({ changes }: AnyEventObject) => inbox.change(changes),
    'users.changed': ({ changes }: AnyEventObject) => inbox.changeUsers(changes),
    // The session forwards these only to people who see amounts.
    'clientData.changed': ({ clientIds }: AnyEventObject) =>
      act(async () => listIn(inbox).send({ type: 'clientData.changed', clientIds })),
    'conversation.read': ({ id }: AnyEventObject) => inbox.tell({ type: 'conversation.read', id }),
    'resync.requested': () => inbox.tell({ type: 'resync.requested' }),
    'xstate.done.actor.loadTop': top.done,
    'xstate.error.actor.loadTop': top.failed,
    'xstate.done.actor.refreshTop': top.done,
    'xstate.error.actor.refreshTop': top.failed,
    ...inbox.ends('loadPage'),
    'xstate.after.searchDebounce.conversations.debouncing': () => inbox.pass(500),
    'xstate.after.retryDelay.conversations.failed.waiting': retry,
    'xstate.after.retryDelay.conversations.failed.refused': retry,
    'xstate.after.retryDelay.conversations.loaded.freshness.backingOff': retry,
    'xstate.after.refreshInterval.conversations.loaded.freshness.throttled': () => inbox.pass(1_000),
  }
}

const isPlain = ({ context: { query } }: Snapshot) => query.search === '' && query.pageId === null && !query.unreadOnly
const hasFailed = ({ context }: Snapshot) => context.failures > 0
const isOwing = ({ context }: Snapshot) => context.needsResync
const isTryingAgain = (snapshot: Snapshot) =>
  hasFailed(snapshot) && (snapshot.matches('loading') || snapshot.matches({ loaded: { freshness: 'refreshing' } }))
const isStill = (snapshot: Snapshot) => snapshot.matches({ loaded: { freshness: 'fresh' } })
const isSettled = (snapshot: Snapshot) => isStill(snapshot) || snapshot.matches({ loaded: { freshness: 'throttled' } })
/** No change of the second row has arrived yet. */
const isUntouched = (snapshot: Snapshot) => {
  const second = rowsBeside(snapshot)('c2')
  return second?.unified_name === 'Person c2' && second.last_message_text === 'at 20'
}

const mayBeTemporary = [{ error: faults.unavailable }]
const refused = [{ error: faults.refused }]
const asked = [{ by: 'refresh' }]

const where =
  <Payload,>(isOffered: (snapshot: Snapshot) => boolean, payloads: readonly Payload[]) =>
  (snapshot: Snapshot) =>
    isOffered(snapshot) ? payloads : []

/** The machine walks cover all orders of events. Each of these walks covers one kind of action. */
const walks = {
  'the user searches and filters': listModel(notSearching, {
    cases: {
      'search.typed': where(isPlain, [{ text: 'ma' }]),
      'page.chosen': where((now) => now.matches('debouncing') || (isPlain(now) && !hasFailed(now)), [{ pageId: 'p1' }]),
      'unreadOnly.chosen': where((now) => isPlain(now) && !hasFailed(now), [{ unreadOnly: true }]),
      'query.opened': where(
        (now) => isPlain(now) && !hasFailed(now),
        [{ query: { search: 'jo', pageId: 'p2', unreadOnly: true } }],
      ),
      'resync.requested': [],
      'xstate.done.actor.loadTop': (now) => (isPlain(now) ? [{ output: first }] : [{ output: whole() }]),
      'xstate.error.actor.loadTop': (now) => (hasFailed(now) ? [] : isPlain(now) ? refused : mayBeTemporary),
    },
  }),
  'more rows load': listModel(notChanging, {
    cases: {
      'more.requested': (now) => {
        if (now.context.order.length === 0) return []
        return isStill(now) ? [{ by: 'Load more' }, { by: 'scroll' }, { by: 'end' }] : [{ by: 'scroll' }]
      },
      'refetch.requested': where(
        (now) => isStill(now) && now.matches({ loaded: { paging: 'loadingMore' } }) && now.context.order.length < 3,
        asked,
      ),
      'list.invalidated': [],
      'clientData.changed': [],
      'resync.requested': [],
      'xstate.error.actor.loadTop': [],
      'xstate.error.actor.loadPage': where(isStill, mayBeTemporary),
      'xstate.error.actor.refreshTop': [],
    },
  }),
  'the list is refreshed': listModel(notChanging, {
    cases: {
      'more.requested': [],
      'refetch.requested': (now) => {
        if (isOwing(now) || isTryingAgain(now)) return []
        return now.matches('failed') ? [{ by: 'Try again' }] : asked
      },
      'list.invalidated': [],
      'clientData.changed': [],
      'resync.requested': where((now) => !isOwing(now) && !isTryingAgain(now), [{}]),
      'xstate.error.actor.loadTop': (now) =>
        hasFailed(now) ? [] : isOwing(now) ? refused : [...refused, ...mayBeTemporary],
      'xstate.error.actor.refreshTop': (now) =>
        hasFailed(now) ? [] : isOwing(now) ? refused : [...refused, ...mayBeTemporary],
    },
  }),
  'changes arrive': listModel(notPatching, {
    cases: {
      'conversation.read': where((now) => rowsBeside(now)('c2')?.unread_messages === 1, [{ id: 'c2' }]),
      'list.invalidated': where((now) => now.matches('failed') || isStill(now), [{}]),
      'messages.changed': where((now) => isUntouched(now) && !hasFailed(now), [{ changes: [inserted('c2', 40)] }]),
      'users.changed': where((now) => isUntouched(now) && isSettled(now), [{ changes: [renamed('u2', 'Maria')] }]),
      'clientData.changed': where((now) => isUntouched(now) && isStill(now), [{ clientIds: null }]),
      'refetch.requested': [],
      'xstate.error.actor.loadTop': where((now) => !hasFailed(now), refused),
      'xstate.error.actor.refreshTop': where(isUntouched, mayBeTemporary),
    },
  }),
}

describe.each(Object.entries(walks))('The list shows the state of its machine while %s', (_, model) => {
  const paths = model.everyTransitionInFewPaths()

  it(`over ${paths.length} paths that take every transition`, async () => {
    for (const path of paths) {
      const inbox = await showInbox({ inspect: coverage.inspect })
      await inbox.answer('loadPages', [shop, cafe])
      await follow(path, drive(inbox), (step) =>
        expect([listIn(inbox).getSnapshot().value, shown(inbox)]).toEqual([
          step.expected.value,
          expected(step.expected),
        ]),
      )
      inbox.unmount()
    }
  }, 180_000)
})

describe('A resync after a failed first load', () => {
  it('loads the list at once and shows it', async () => {
    const inbox = await showInbox({ inspect: coverage.inspect })
    await inbox.fail('loadTop', faults.unavailable)
    await inbox.tell({ type: 'resync.requested' })
    await inbox.answer('loadTop', first)
    const { rows, says, isRefreshing } = shown(inbox)
    expect([rows.map(({ name }) => name), says, isRefreshing]).toEqual([['Person c3', 'Person c2'], [], false])
    inbox.unmount()
  })
})

describe('The views', () => {
  it('ask for their rows when they are chosen, and lose a row when its state changes', async () => {
    const inbox = await showInbox({ inspect: coverage.inspect, person: userWithStates })
    const now = new Date().toISOString()
    const waits = stateOf(1, { waiting_since: now })
    await inbox.answer('loadTop', whole(row('c1', 0, { last_message_at: now, state: waits })))
    const count = () => pane().querySelectorAll('[role="option"]').length
    const before = count()
    await inbox.changeStates([{ id: 'c1', state: stateOf(2), changedBy: 's2' }])
    const after = [count(), pane().textContent?.includes('Nobody is waiting')]
    fireEvent.click(
      found(
        [...document.querySelectorAll('nav button')].find((each) => each.textContent?.startsWith('Done')),
        'Done',
      ),
    )
    const [asked] = inbox.waiting('loadTop')
    expect([before, after, asked]).toEqual([
      1,
      [0, true],
      { query: { search: '', pageId: null, unreadOnly: false, view: 'done' }, count: 2 },
    ])
    inbox.unmount()
  })
})

describe('The filter by a label', () => {
  it('asks for the rows with the label, and ends when the label is deleted', async () => {
    const features = [...(userWithStates.features ?? []), 'labels']
    const inbox = await showInbox({ inspect: coverage.inspect, person: { ...userWithStates, features } })
    await inbox.answer('loadTop', whole(row('c1', 0, { state: stateOf(1) })))
    const vip: Label = { id: 'l1', name: 'VIP', colour: 'purple', keywords: [] }
    await inbox.answer('loadLabels', [vip])
    const asked = () => inbox.waiting('loadTop').map((call) => (call as { query: ListQuery }).query.labelId)
    fireEvent.click(
      found(
        [...document.querySelectorAll('nav button')].find((each) => each.textContent === 'VIP'),
        'VIP',
      ),
    )
    expect(asked()).toEqual(['l1'])
    await inbox.tell({ type: 'labels.told', labels: [] })
    expect(asked()).toEqual([undefined])
    inbox.unmount()
  })
})

describe('The walk through the list', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
