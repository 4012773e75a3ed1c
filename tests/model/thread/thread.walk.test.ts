import { describe, expect, it, vi } from 'vitest'
import type { AnyEventObject } from 'xstate'
import type { FetchedPage } from '../../../src/domain/thread/thread-messages.ts'
import {
  selectClientProfile,
  selectHasOlder,
  selectMessages,
  selectSendRoute,
  threadMachine,
} from '../../../src/machines/thread/thread.ts'
import type { ThreadEvent } from '../../../src/machines/thread/thread-setup.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createCoverage, follow } from '../harness.ts'
import { startThread } from './thread-fixture.ts'
import { createThreadReference } from './thread-reference.ts'
import { history, pageIn, seen, type ThreadWalk, threadModel, threadWalks, wayOf } from './thread-walk-fixture.ts'

vi.mock('../../../src/domain/limits.ts', () => import('../limits-of-walks.ts'))

const coverage = createCoverage(threadMachine)

const walks = Object.keys(threadWalks) as ThreadWalk[]

/** Executes a step of the path. Answers settle the current call. */
function driveThread(sut: ReturnType<typeof startThread>, failures: () => number) {
  const send = (event: AnyEventObject) => sut.tell(event as ThreadEvent)
  const loaded = ({ output }: AnyEventObject) => sut.load.resolve(output as FetchedPage)
  const notLoaded = ({ error }: AnyEventObject) => sut.load.reject(error)
  const retry = () => sut.clock.increment([2_000, 4_000][failures() - 1] ?? 0)
  return {
    'conversation.changed': ({ row }: AnyEventObject) => sut.fetch(row),
    'end.left': send,
    'end.seen': send,
    'message.sent': send,
    'messages.changed': send,
    'older.requested': send,
    'read.requested': send,
    'resync.requested': send,
    'route.requested': send,
    'tab.hidden': send,
    'tab.shown': send,
    'refetch.requested': send,
    'xstate.done.actor.findConversation': ({ output }: AnyEventObject) =>
      sut.find.resolve(output as Conversation | null),
    'xstate.error.actor.findConversation': ({ error }: AnyEventObject) => sut.find.reject(error),
    'xstate.done.actor.loadNewest': loaded,
    'xstate.error.actor.loadNewest': notLoaded,
    'xstate.done.actor.refetchNewest': loaded,
    'xstate.error.actor.refetchNewest': notLoaded,
    'xstate.done.actor.loadOlder': loaded,
    'xstate.error.actor.loadOlder': notLoaded,
    'xstate.done.actor.markRead': () => sut.read.resolve(),
    'xstate.error.actor.markRead': ({ error }: AnyEventObject) => sut.read.reject(error),
    'xstate.after.retryDelay.thread.content.failed.waiting': retry,
    'xstate.after.retryDelay.thread.content.failed.refused': retry,
    'xstate.after.retryDelay.thread.content.showing.backingOff': retry,
    'xstate.after.retryDelay.thread.content.showing.invalidated': retry,
    'xstate.after.readInterval.thread.reading.throttled': () => sut.clock.increment(1_000),
    'xstate.after.readRetryDelay.thread.reading.waiting': () => sut.clock.increment(30_000),
  }
}

const isResync = ({ event }: { event: AnyEventObject }) => event.type === 'resync.requested'
const isCaughtUp = (told: unknown) => (told as AnyEventObject).type === 'resync.done'

type Sut = ReturnType<typeof startThread>
type Reference = ReturnType<typeof createThreadReference>

const held = (sut: Sut) => sut.ids().filter((id) => !id.startsWith('temp_'))

/** All messages that a new fetch would return, from the oldest held message. */
const fresh = (sut: Sut, reference: Reference) => {
  const ids = reference.written().map(({ message_id }) => message_id)
  return ids.slice(ids.indexOf(held(sut)[0] ?? ''))
}

/** Makes the thread visible, requests a resync, and answers every call until none is open. */
async function quieten(sut: Sut, reference: Reference) {
  sut.tell({ type: 'tab.shown' })
  sut.tell({ type: 'end.seen' })
  sut.tell({ type: 'refetch.requested' })
  for (let round = 0; round < 12; round += 1) {
    if (sut.find.calls.length > 0) await sut.find.resolve(conversationOf())
    if (sut.load.calls.length > 0) await sut.load.resolve(pageIn(reference.written(), sut.load.last().input.page))
    if (sut.read.calls.length > 0) await sut.read.resolve()
    if (sut.snapshot().matches({ content: { showing: 'idle' }, reading: 'idle' })) return
    sut.clock.increment(30_000)
  }
}

describe.each(walks)('the thread matches its model and the reference while %s', (walk) => {
  const paths = threadModel(walk).everyTransition()

  it(`on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const way = wayOf(path)
      const sut = startThread({ conversation: threadWalks[walk].conversation }, coverage.inspect)
      const reference = createThreadReference(threadWalks[walk].conversation, history)
      const asked = { page: 1, loads: sut.load.calls.length, reads: 0 }

      await follow(path, driveThread(sut, reference.failures), ({ event, expected }) => {
        const loads = sut.load.calls.length
        reference.hear(event, { page: asked.page, asksOn: loads > asked.loads })
        if (loads > asked.loads) {
          reference.ask()
          const { input } = sut.load.last()
          expect(input, way).toEqual({ conversationId: 'ana', pageId: null, page: input.page })
          Object.assign(asked, { loads, page: input.page })
        }
        const told = sut.read.calls.length - asked.reads
        expect(told, way).toBeLessThanOrEqual(reference.look())
        if (told > 0) reference.tell()
        asked.reads += told

        const snapshot = sut.snapshot()
        expect([snapshot.value, seen(snapshot)], way).toEqual([expected.value, seen(expected)])
        expect(
          {
            messages: selectMessages(snapshot),
            toasts: sut.toasts,
            session: sut.session.filter((told) => (told as AnyEventObject).type !== 'conversation.read'),
          },
          way,
        ).toEqual({ messages: reference.shown(), toasts: reference.toasts, session: reference.session })
        if (snapshot.matches({ content: 'showing' })) expect(selectHasOlder(snapshot), way).toBe(reference.hasOlder())
        if (snapshot.matches({ content: { showing: 'idle' } })) expect(held(sut), way).toEqual(fresh(sut, reference))
      })
      await quieten(sut, reference)
      const messages = selectMessages(sut.snapshot())
      expect(
        {
          content: sut.content(),
          reading: sut.reading(),
          held: held(sut),
          unread: messages.filter((message) => message.direction === 'incoming' && !message.is_read),
          caughtUp: sut.session.some(isCaughtUp) || !path.steps.some(isResync),
        },
        way,
      ).toEqual({
        content: { showing: 'idle' },
        reading: 'idle',
        held: fresh(sut, reference),
        unread: [],
        caughtUp: true,
      })
      sut.actor.stop()
    }
  }, 120_000)
})

const linkedTo = (client_id: string | null) => (sut: Sut) => sut.fetch(conversationOf({ client_id }))
const linking: Record<string, (sut: Sut) => void> = {
  'the first': linkedTo('k1'),
  'the second': linkedTo('k2'),
  nobody: linkedTo(null),
  'the second, by the user': (sut) =>
    sut.tellRecords({
      type: 'users.changed',
      changes: [{ type: 'UPDATE', row: { id: 'ana-p1', name: 'Ana Cruz', client_id: 'k2' } }],
    }),
}

/** The walk cannot run an actor with a system id before its start, so these paths are written by hand. */
describe('client details, summaries and the send route', () => {
  const ways = Object.keys(linking).flatMap((first) =>
    Object.keys(linking).flatMap((second) => Object.keys(linking).map((third) => [first, second, third] as const)),
  )
  it.each(ways)('follow the linked client: %s, %s, %s', (...way) => {
    const sut = startThread({}, coverage.inspect)
    let clientId: string | null = null
    for (const step of way) {
      const link = linking[step]
      if (link === undefined) throw new Error(`nobody is called ${step}`)
      link(sut)
      clientId = step === 'the first' ? 'k1' : step === 'nobody' ? null : 'k2'
      const profile = selectClientProfile(sut.snapshot())
      expect([profile?.getSnapshot().context.request.clientId ?? null, sut.row('ana')?.client_id ?? null]).toEqual([
        clientId,
        clientId,
      ])
    }
    sut.tell({ type: 'summary.requested', kind: 'orders' })
    expect(sut.toasts).toEqual(clientId === null ? [{ kind: 'warning', text: 'No linked client found' }] : [])
    sut.tell({ type: 'route.requested', pageId: 'p2' })
    expect(selectSendRoute(sut.snapshot())?.getSnapshot().context.asked?.chosenPageId).toBe('p2')
    sut.actor.stop()
  })
})

/** thread.test.ts covers the messages from an earlier start and changed permissions, with every transition. */
const isElsewhere = (name: string) => name.includes('thread.content.saved') || name.includes('user.confirmed')

describe('the walk through the thread', () => {
  it('enters every state except the initial one, which is left before a snapshot exists', () =>
    expect(coverage.statesMissed().filter((id) => id !== 'thread.content.opening' && !isElsewhere(id))).toEqual([]))
  it('takes every transition', () =>
    expect(coverage.transitionsMissed().filter((name) => !isElsewhere(name))).toEqual([]))
})
