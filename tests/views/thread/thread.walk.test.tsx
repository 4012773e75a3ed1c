import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import { selectSession } from '../../../src/machines/app.ts'
import { threadMachine } from '../../../src/machines/thread/thread.ts'
import type { ThreadEvent } from '../../../src/machines/thread/thread-setup.ts'
import { withoutBeginnings } from '../../model/few-paths.ts'
import { type Cases, createCoverage, eventsOf, follow } from '../../model/harness.ts'
import { failures } from '../../model/thread/thread-fixture.ts'
import { newestPageInTurn, type ThreadWalk, threadModel, threadWalks } from '../../model/thread/thread-walk-fixture.ts'
import { layout } from '../browser-globals.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

vi.mock('../../../src/domain/limits.ts', () => import('../../model/limits-of-walks.ts'))

type Snapshot = SnapshotFrom<typeof threadMachine>
type Inbox = Awaited<ReturnType<typeof showInbox>>

const coverage = createCoverage(threadMachine)

const roomy = { ...layout }
beforeEach(() => {
  // A result page of a walk is two messages high: it fills the pane, so that older messages load only on request.
  layout.scroller = 180
})
afterEach(() => {
  Object.assign(layout, roomy)
})

// Queries by role take several times as long as everything else.
const pane = () => {
  const region = document.querySelector<HTMLElement>('section[aria-label="Thread"]')
  if (region === null) throw new Error('there is no thread pane')
  return region
}
const button = (name: string) => [...pane().querySelectorAll('button')].find(({ textContent }) => textContent === name)
const press = (name: string) =>
  act(async () => {
    const found = button(name)
    if (found === undefined) throw new Error(`there is no button "${name}"`)
    fireEvent.click(found)
  })
const box = () => pane().querySelector('textarea')
const said = (text: RegExp) => within(pane()).queryByText(text)?.textContent ?? null

const typed = 'half a sentence'

/** Types a draft as soon as the composer exists. */
function type() {
  const input = box()
  if (input !== null && input.value === '') fireEvent.change(input, { target: { value: typed } })
}

const textOf = (article: HTMLElement) => article.querySelector('[dir="auto"]')?.textContent ?? ''

/** What the pane shows. */
const shown = () => ({
  name: pane().querySelector('h2')?.textContent ?? null,
  says: said(/^(Loading messages\.\.\.|Failed to load messages|This conversation was not found|No messages yet.*)$/),
  isOutdated: said(/is not up to date/) !== null,
  canRetry: button('Try again') !== undefined,
  canRead: button('Mark as Read') !== undefined,
  messages: [...pane().querySelectorAll('article')].map(textOf),
  top: said(/^(Loading older messages…|Load older messages|Start of the conversation)$/),
  draft: box()?.value ?? null,
})

const nothingShown = {
  name: null,
  says: null,
  isOutdated: false,
  canRetry: false,
  canRead: false,
  messages: [] as string[],
  top: null,
  draft: null,
}

/** What the specification requires. Loaded messages stay, whatever the result of a call. */
function expected(snapshot: Snapshot): ReturnType<typeof shown> {
  const { conversationId, thread } = snapshot.context
  const messages = thread.messages.map(({ message_text }) => message_text ?? '')
  if (snapshot.matches({ content: 'notFound' })) return { ...nothingShown, says: 'This conversation was not found' }
  const failed = snapshot.matches({ content: 'failed' })
  const open = conversationId !== null && {
    name: 'Ana Cruz',
    draft: typed,
    canRead:
      snapshot.context.unreadAtOpening > 0 ||
      thread.messages.some(({ direction, is_read }) => direction === 'incoming' && !is_read),
  }
  if (messages.length === 0)
    return {
      ...nothingShown,
      ...open,
      says: failed ? 'Failed to load messages' : 'Loading messages...',
      canRetry: failed,
    }
  const isOutdated =
    snapshot.matches({ content: { showing: 'invalidated' } }) || snapshot.matches({ content: { failed: 'refused' } })
  return {
    ...nothingShown,
    ...open,
    messages,
    isOutdated,
    canRetry: isOutdated,
    top: snapshot.matches({ content: { showing: 'loadingOlder' } })
      ? 'Loading older messages…'
      : thread.floor === null
        ? 'Start of the conversation'
        : 'Load older messages',
  }
}

const threadIn = (inbox: Inbox) => {
  const thread = selectSession(inbox.app.getSnapshot())?.getSnapshot().children.thread
  if (thread === undefined) throw new Error('no conversation is open')
  return thread
}

function drive(inbox: Inbox) {
  const tell = (event: AnyEventObject) => act(async () => threadIn(inbox).send(event as ThreadEvent))
  const loaded = ({ output }: AnyEventObject) => inbox.answer('loadMessages', output)
  const notLoaded = ({ error }: AnyEventObject) => inbox.fail('loadMessages', error)
  const retry = () => inbox.pass(2_000)
  return {
    'conversation.changed': ({ row }: AnyEventObject) => inbox.answer('loadTop', listOf([row])),
    'messages.changed': ({ changes }: AnyEventObject) => inbox.change(changes),
    'older.requested': () => press('Load older messages'),
    'read.requested': () => press('Mark as Read'),
    'resync.requested': () => act(async () => fireEvent.click(screen.getByLabelText('Refresh conversations'))),
    'tab.hidden': tell,
    'tab.shown': tell,
    'refetch.requested': () => press('Try again'),
    ...inbox.ends('findConversation'),
    'xstate.done.actor.loadNewest': loaded,
    'xstate.error.actor.loadNewest': notLoaded,
    'xstate.done.actor.refetchNewest': loaded,
    'xstate.error.actor.refetchNewest': notLoaded,
    'xstate.done.actor.loadOlder': loaded,
    'xstate.error.actor.loadOlder': notLoaded,
    'xstate.done.actor.markRead': () => inbox.answer('markRead', undefined),
    'xstate.error.actor.markRead': ({ error }: AnyEventObject) => inbox.fail('markRead', error),
    'xstate.after.retryDelay.thread.content.failed.waiting': retry,
    'xstate.after.retryDelay.thread.content.failed.refused': retry,
    'xstate.after.retryDelay.thread.content.showing.backingOff': retry,
    'xstate.after.retryDelay.thread.content.showing.invalidated': retry,
    'xstate.after.readInterval.thread.reading.throttled': () => inbox.pass(1_000),
  }
}

/** What is shown and possible. This walk treats two snapshots with equal values as one state. */
const vertex = (snapshot: Snapshot) => {
  const { failures, needsResync, visible, isOlderRequested } = snapshot.context
  return [expected(snapshot), failures, needsResync, visible, isOlderRequested]
}

const walks = [
  'a link is followed',
  'the thread catches up',
  'older messages are asked for',
  'messages are read',
] as const satisfies readonly ThreadWalk[]

/**
 * The part of the walk that a user can do: actions that the screen does not offer are left out, and a link is found
 * once.
 */
const pathsOf = (walk: ThreadWalk) => {
  const cases: Cases<Snapshot> = threadWalks[walk].cases
  const where = (type: string, isOffered: (snapshot: Snapshot) => boolean) => (snapshot: Snapshot) => {
    const known = isOffered(snapshot) ? (cases[type] ?? []) : []
    return typeof known === 'function' ? known(snapshot) : known
  }
  const paths = threadModel(walk, {
    vertex,
    cases: {
      'conversation.changed': where('conversation.changed', ({ context }) => context.conversationId === null),
      'end.left': [],
      'end.seen': [],
      // While the thread loads, new messages show in the row of the list, which the list walk covers.
      'messages.changed': where('messages.changed', (snapshot) => snapshot.matches({ content: 'showing' })),
      'older.requested': where('older.requested', (snapshot) => expected(snapshot).top === 'Load older messages'),
      'read.requested': where('read.requested', (snapshot) => expected(snapshot).canRead),
      'route.requested': [],
      'refetch.requested': where('refetch.requested', (snapshot) => expected(snapshot).canRetry),
      'xstate.after.readRetryDelay.thread.reading.waiting': [],
      ...(walk === 'the thread catches up' && { 'xstate.error.actor.loadNewest': [{ error: failures.refused }] }),
      ...(walk === 'older messages are asked for' && { 'xstate.done.actor.refetchNewest': newestPageInTurn }),
    },
  }).everyTransition()
  return withoutBeginnings(paths, eventsOf)
}

describe.each(walks)('The pane shows the state of the thread while %s', (walk) => {
  const paths = pathsOf(walk)
  const { conversation } = threadWalks[walk]

  it(`over ${paths.length} paths`, async () => {
    for (const path of paths) {
      const inbox = await showInbox({ inspect: coverage.inspect })
      // A followed link opens before the list has loaded.
      if (conversation !== null) await inbox.answer('loadTop', listOf([conversation]))
      await inbox.open('ana')
      type()
      await follow(path, drive(inbox), (step) => {
        type()
        expect([threadIn(inbox).getSnapshot().value, shown()]).toEqual([step.expected.value, expected(step.expected)])
      })
      inbox.unmount()
    }
  }, 180_000)
})

/**
 * Only the walk of the machine covers these: changes that arrive while the thread is empty or loads a result page; the
 * events of the composer, of the inspector and of a hidden tab; Mark as Read after a colleague marked something unread;
 * and a linked client, which the walk of clientDetails covers.
 */
const elsewhere = [
  'thread -- message.sent --> stays',
  'thread -- user.confirmed --> stays',
  'thread -- tab.shown --> stays',
  'thread -- tab.hidden --> stays',
  'thread -- summary.requested --> stays',
  'thread.content.notFound -- refetch.requested --> thread.content.finding',
  'thread.content.loading -- messages.changed --> stays',
  'thread.content.showing.loadingOlder -- messages.changed --> stays',
  'thread.content.showing.resyncing -- messages.changed --> stays',
  'thread.reading.marking -- read.requested --> thread.reading.marking',
  'thread.reading.marking -- xstate.error.actor.markRead #1 --> thread.reading.throttled',
  'thread.reading.throttled -- read.requested --> thread.reading.marking',
  'thread.reading.throttled -- xstate.after.readInterval.thread.reading.throttled #1 --> thread.reading.due',
  'thread.reading.waiting -- read.requested --> thread.reading.marking',
  'thread.reading.waiting -- xstate.after.readRetryDelay.thread.reading.waiting --> thread.reading.due',
  'thread.reading.due -- read.requested --> thread.reading.marking',
  'thread.reading.due -- always --> thread.reading.marking',
  'thread.client.none -- always --> thread.client.linked',
  'thread.client.linked -- always #0 --> thread.client.none',
  'thread.client.linked -- always #1 --> thread.client.linked',
]

/** session/device-cache.walk.test.tsx covers the saved inbox. */
const isSaved = (name: string) => name.includes('thread.content.saved')

describe('The walk of the pane', () => {
  it('enters every state of the messages', () =>
    expect(coverage.statesMissed().filter((id) => !isSaved(id))).toEqual([
      'thread.reading.due',
      'thread.client.linked',
    ]))
  it('takes every transition except those that only the walk of the machine takes', () =>
    expect(coverage.transitionsMissed().filter((name) => !isSaved(name))).toEqual(elsewhere))
})
