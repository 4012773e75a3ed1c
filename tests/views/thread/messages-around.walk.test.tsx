import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { AnyEventObject } from 'xstate'
import type { AroundRequest } from '../../../src/domain/thread/thread-calls.ts'
import { messagesAroundMachine } from '../../../src/machines/thread/messages-around.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createCoverage, driverOf } from '../../model/harness.ts'
import { followBeside } from '../../model/reference.ts'
import { answerOf } from '../../model/shell/palette-fixture.ts'
import { messageHit, messagesOf } from '../../model/shell/search-fixture.ts'
import {
  type AroundShown,
  answer,
  aroundModel,
  aroundReference,
  arrival,
  atMessage,
  message,
  phaseOf,
} from '../../model/thread/messages-around-fixture.ts'
import { found } from '../found.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

// A tall message keeps both edges out of reach, so that further messages load only on request.
vi.mock('../../../src/views/thread/message-heights.ts', async (load) => ({
  ...(await load<typeof import('../../../src/views/thread/message-heights.ts')>()),
  estimate: () => 2_000,
}))

beforeAll(() => import('../../../src/views/shell/PaletteDialog.tsx'))

const coverage = createCoverage(messagesAroundMachine)

async function start() {
  const inbox = await showInbox({
    person: { ...user, permissions: ['conversations.read', 'messages.send'], features: ['search'] },
    inspect: coverage.inspect,
  })
  const zoe = conversationOf({ primary_user_id: 'zoe', fb_user_id: 'zoe-p1', psid: 'psid-zoe-p1', unified_name: 'Zoe' })
  await inbox.answer('loadTop', listOf([conversationOf(), zoe]))
  const loadThread = async () => {
    while (inbox.waiting('loadMessages').length > 0)
      await inbox.answer('loadMessages', { messages: [], hasMore: false })
  }
  let isOnePage = false
  return {
    ...inbox,
    loadThread,
    open: async (id: string) => {
      await inbox.open(id)
      await loadThread()
    },
    /** Another page filter starts the thread anew. */
    restartThread: async () => {
      isOnePage = !isOnePage
      await inbox.tell({ type: 'page.chosen', pageId: isOnePage ? 'p1' : null })
      await loadThread()
    },
    send: (event: AnyEventObject) => act(async () => inbox.app.system.get('around').send(event)),
  }
}
type Inbox = Awaited<ReturnType<typeof start>>

// Queries by role take several times as long as everything else.
const sectionOf = (name: string) => document.querySelector<HTMLElement>(`section[aria-label="${name}"]`)
const pane = () => found(sectionOf('Thread'), 'the thread pane')
const around = () => sectionOf('Messages around the message that you found')
const button = (name: RegExp) =>
  [...pane().querySelectorAll('button')].find(({ textContent }) => name.test(textContent))
const press = (name: RegExp) => act(async () => fireEvent.click(found(button(name), `the button ${name}`)))
const says = (text: RegExp) => within(pane()).queryByText(text)?.textContent ?? null

const tryAgain = /^Try again$/
const toNewest = /^Go to newest/
const numberIn = (element: Element) => Number(/text of m(\d)/.exec(element.textContent)?.[1])

const seen = (inbox: Inbox) => {
  const range = around()
  return {
    says: says(/^(Loading messages\.\.\.|Failed to load messages|This message no longer exists)$/),
    isOutdated: says(/^We could not check these messages for changes\.$/) !== null,
    mayRetry: button(tryAgain) !== undefined,
    mayLeave: button(toNewest) !== undefined,
    ids: [...(range?.querySelectorAll('article') ?? [])].map(numberIn),
    marked: [...(range?.querySelectorAll('[data-found]') ?? [])].map(numberIn),
    top: range && says(/^(Loading older messages…|Load older messages|Start of the conversation)$/),
    bottom: says(/^(Loading newer messages…|Load newer messages)$/),
    calls: inbox.waiting('loadAround'),
    failures: inbox.app.system
      .get('notifier')
      .getSnapshot()
      .context.toasts.filter(({ kind }: { kind: string }) => kind === 'error').length,
  }
}

const call = (side: AroundRequest['side'], number: number | undefined) => ({
  conversationId: 'ana',
  messageId: `m${number}`,
  at: side === 'both' || number === undefined ? null : message(number).timestamp_fb,
  side,
})

/** The last message of the pages that a refetch has fetched so far. */
const fetchedTo = [undefined, 5, 7] as const

function callsIn({ phase, ids, pages }: AroundShown) {
  switch (phase) {
    case 'loading':
      return [call('both', 5)]
    case 'loadingOlder':
      return [call('older', ids[0])]
    case 'loadingNewer':
      return [call('newer', ids.at(-1))]
    case 'fetching':
      return [pages === 0 ? call('from', ids[0]) : call('newer', fetchedTo[pages])]
    default:
      return []
  }
}

const texts = {
  loading: 'Loading messages...',
  failed: 'Failed to load messages',
  missing: 'This message no longer exists',
} as const

function expected(state: AroundShown): ReturnType<typeof seen> {
  const { phase, ids, hasOlder, hasNewer, failures } = state
  const isShown = ids.length > 0
  const older = hasOlder ? 'Load older messages' : 'Start of the conversation'
  const newer = hasNewer ? 'Load newer messages' : null
  return {
    says: phase === 'loading' || phase === 'failed' || phase === 'missing' ? texts[phase] : null,
    isOutdated: phase === 'outdated',
    mayRetry: phase === 'failed' || phase === 'outdated',
    mayLeave: phase !== 'none' && phase !== 'loading',
    ids: [...ids],
    marked: ids.filter((number) => number === 5),
    top: !isShown ? null : phase === 'loadingOlder' ? 'Loading older messages…' : older,
    bottom: phase === 'loadingNewer' ? 'Loading newer messages…' : newer,
    calls: callsIn(state),
    // The same toast twice within 3 s is one.
    failures: Math.min(failures, 1),
  }
}

/** The part of the walk that a person can do: Ana's conversation is open at each request, so the view shows its thread. */
const paths = aroundModel({
  'newest.requested': (snapshot) => (['none', 'loading'].includes(phaseOf(snapshot)) ? [] : [{}]),
  'conversation.opened': [{ id: 'zoe' }],
  'thread.shown': (snapshot) =>
    phaseOf(snapshot) === 'idle'
      ? [{ conversationId: 'ana', threadId: snapshot.context.threadId === null ? 't1' : 't2' }]
      : [],
}).everyTransitionInFewPaths()

const driveOf = (inbox: Inbox) => {
  const load = inbox.control('loadAround')
  const steps: Readonly<Record<string, (event: AnyEventObject) => unknown>> = {
    // As the palette does.
    'message.requested': async (event) => {
      await inbox.send(event)
      await inbox.open('ana')
    },
    'older.requested': () => press(/^Load older messages$/),
    'newer.requested': () => press(/^Load newer messages$/),
    'newest.requested': () => press(toNewest),
    'refetch.requested': () => (button(tryAgain) ? press(tryAgain) : inbox.tell({ type: 'refetch.requested' })),
    'resync.requested': () => inbox.tell({ type: 'resync.requested' }),
    // The view tells of the first thread by itself.
    'thread.shown': ({ threadId }) => (threadId === 't1' ? undefined : inbox.restartThread()),
    'conversation.opened': ({ id }) => inbox.open(id),
    'conversation.closed': () => inbox.leave(),
    'messages.changed': ({ changes }) => inbox.change(changes),
  }
  return driverOf((event: AnyEventObject) => found(steps[event.type], event.type)(event), {
    calls: { loadAround: load, loadOlderAround: load, loadNewerAround: load, refetchAround: load },
    delays: {},
  })
}

describe('every transition of the messages around a message, through the thread', () => {
  it.each(paths.map((path) => [path.title.slice(0, 200), path] as const))('%s', async (_, path) => {
    const inbox = await start()
    await followBeside(path, driveOf(inbox), { ...aroundReference, shown: expected }, () => seen(inbox))
    inbox.unmount()
  })
})

describe('The messages around a message in the thread', () => {
  it('appear when the message is chosen in the palette, with the message marked', async () => {
    const inbox = await start()
    await act(async () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }))
    const input = await screen.findByRole('combobox', { name: 'Find people and actions' })
    await act(async () => fireEvent.change(input, { target: { value: 'magkano' } }))
    await inbox.pass(300)
    await inbox.answer('loadPage', answerOf([]))
    const ofAna = messagesOf([]).messages ?? { next: null }
    await inbox.answer('search', {
      ...messagesOf([]),
      messages: { ...ofAna, hits: [{ ...messageHit('m5'), primary_user_id: 'ana' }] },
    })
    await act(async () => fireEvent.click(screen.getByRole('option', { name: /Magkano po ang m5/ })))
    await inbox.loadThread()
    expect([inbox.opened, inbox.waiting('loadAround')]).toEqual([['ana'], [call('both', 5)]])
    await inbox.answer('loadAround', atMessage)
    expect([seen(inbox).ids, seen(inbox).marked, document.activeElement]).toEqual([[4, 5, 6], [5], around()])
    inbox.unmount()
  })

  it('say how many messages of the customer have arrived below them', async () => {
    const inbox = await start()
    await inbox.send({ type: 'message.requested', conversationId: 'ana', messageId: 'm5' })
    await inbox.tell({ type: 'conversation.selected', id: 'ana' })
    await inbox.answer('loadAround', atMessage)
    await inbox.answer('loadMessages', { messages: [message(8)], hasMore: false })
    expect(button(toNewest)?.textContent).toBe('Go to newest')
    await inbox.change([arrival, { type: 'INSERT', record: message(10) }])
    expect(button(toNewest)?.textContent).toBe('Go to newest (2 new)')
    inbox.unmount()
  })

  it('give way to a text when the last of them is deleted', async () => {
    const inbox = await start()
    await driveOf(inbox)({ type: 'message.requested', conversationId: 'ana', messageId: 'm5' })
    await inbox.answer('loadAround', answer([5], false, false))
    expect(seen(inbox).ids).toEqual([5])
    await inbox.change([{ type: 'DELETE', messageId: 'm5' }])
    expect(seen(inbox)).toEqual(expected({ ...aroundReference.start, phase: 'missing' }))
    inbox.unmount()
  })
})

describe('The walk of the messages around a message', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
