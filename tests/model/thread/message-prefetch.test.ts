import { expect, it } from 'vitest'
import { type AnyEventObject, SimulatedClock } from 'xstate'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import type { MessagesRequest } from '../../../src/domain/thread/thread-calls.ts'
import type { FetchedPage } from '../../../src/domain/thread/thread-messages.ts'
import { type MessagePrefetchEvent, messagePrefetchMachine } from '../../../src/machines/thread/message-prefetch.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { faults } from '../client/clients-fixture.ts'
import { createControl, createCoverage, driverOf, modelOf } from '../harness.ts'
import { recordsOf, startWithRecords } from '../records-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(messagePrefetchMachine)

const ana = conversationOf()
const zoe = conversationOf({ primary_user_id: 'zoe', fb_user_id: 'zoe-p1', psid: 'psid-zoe-p1' })
type ThreadPage = { conversationId: string; pageId: string | null }
const ofAna: ThreadPage = { conversationId: 'ana', pageId: null }
const ofZoe: ThreadPage = { conversationId: 'zoe', pageId: null }
const page: FetchedPage = { messages: [messageOf('m1', 1)], hasMore: false }
const committedAt = '2026-03-01T10:00:00Z'
const inserted: MessageChange = { type: 'INSERT', record: messageOf('m2', 2), committedAt }
const ofOther: MessageChange = {
  type: 'INSERT',
  record: messageOf('m3', 3, { primary_user_id: 'zoe', fb_user_id: 'zoe-p1' }),
  committedAt,
}

function start() {
  const clock = new SimulatedClock()
  const load = createControl<FetchedPage, MessagesRequest>()
  const { actor } = startWithRecords(messagePrefetchMachine.provide({ actors: { loadMessages: load.logic } }), {
    input: undefined,
    rows: [ana, zoe],
    clock,
    inspect: coverage.inspect,
  })
  return {
    actor,
    clock,
    load,
    send: (event: MessagePrefetchEvent) => actor.send(event),
    /** What the thread gets for its newest page; undefined while the thread waits. */
    take: (request = ofAna, number = 1) => {
      const given: { page?: FetchedPage | null; error?: unknown } = {}
      actor.send({
        type: 'page.requested',
        request: { ...request, page: number },
        reply: (page) => {
          given.page = page
        },
        fail: (error) => {
          given.error = error
        },
      })
      return given
    },
  }
}

const pressed = (id = 'ana', openId: string | null = null) =>
  ({ type: 'prefetch.requested', id, pageId: null, openId }) as const

it('gives the thread the page that was loaded since the press, with the changes of its conversation in between', async () => {
  const sut = start()
  sut.send(pressed())
  await sut.load.resolve(page)
  sut.send({ type: 'messages.changed', changes: [inserted, ofOther] })
  const deleted: MessageChange = { type: 'DELETE', messageId: 'm1' }
  sut.send({ type: 'messages.changed', changes: [deleted] })
  expect(sut.load.inputs()).toEqual([{ ...ofAna, page: 1 }])
  expect(sut.take()).toEqual({ page: { ...page, changes: [inserted, deleted] } })
})

it('is limited to the page filter, unless the person never wrote to that page', async () => {
  const sut = start()
  for (const pageId of ['p2', 'p9']) sut.send({ ...pressed(), pageId })
  expect(sut.load.inputs()).toEqual([
    { conversationId: 'ana', pageId: 'p2', page: 1 },
    { conversationId: 'ana', pageId: null, page: 1 },
  ])
})

it.each([
  ['the open conversation', pressed('ana', 'ana')],
  ['a chat of the open conversation', pressed('ana', 'ana-p1')],
  ['a conversation that the records do not hold', pressed('mia')],
])('asks for nothing at a press on %s', (_, press) => {
  const sut = start()
  sut.send(press)
  expect(sut.load.calls.length).toBe(0)
})

it('lets a thread wait for an answer that is on its way, and leaves later changes to the thread', async () => {
  const sut = start()
  sut.send(pressed())
  const taken = sut.take()
  sut.send({ type: 'messages.changed', changes: [inserted] })
  sut.clock.increment(60_000)
  expect(taken).toEqual({})
  await sut.load.resolve(page)
  expect(taken).toEqual({ page: { ...page, changes: [] } })
})

it('gives a page once, and only for the same conversation, page and result page', async () => {
  const sut = start()
  expect(sut.take()).toEqual({ page: null })
  sut.send(pressed())
  await sut.load.resolve(page)
  expect([sut.take(ofZoe), sut.take({ ...ofAna, pageId: 'p1' }), sut.take(ofAna, 2)]).toEqual([
    { page: null },
    { page: null },
    { page: null },
  ])
  expect([sut.take(), sut.take()]).toEqual([{ page: { ...page, changes: [] } }, { page: null }])
})

it('gives a second thread nothing while the first one waits', async () => {
  const sut = start()
  sut.send(pressed())
  const taken = [sut.take(), sut.take()]
  await sut.load.resolve(page)
  expect(taken).toEqual([{ page: { ...page, changes: [] } }, { page: null }])
})

it('passes a failure on to the thread that waits, and not to a later one', async () => {
  const sut = start()
  sut.send(pressed())
  const first = sut.take()
  await sut.load.reject(faults.forbidden)
  sut.send(pressed())
  await sut.load.reject(faults.forbidden)
  expect([first, sut.take()]).toEqual([{ error: faults.forbidden }, { page: null }])
})

it('lets a thread that waits load by itself when another row is pressed', () => {
  const sut = start()
  sut.send(pressed())
  const taken = sut.take()
  sut.send(pressed('zoe'))
  expect([taken, sut.load.calls.map(({ signal }) => signal.aborted)]).toEqual([{ page: null }, [true, false]])
})

it.each([
  ['the conversation that the click has opened', pressed('ana', 'ana')],
  ['a conversation that the records do not hold', pressed('mia')],
])('goes on loading for a thread at a press on %s', async (_, press) => {
  const sut = start()
  sut.send(pressed())
  const taken = sut.take()
  sut.send(press)
  await sut.load.resolve(page)
  expect([taken, sut.load.calls.length]).toEqual([{ page: { ...page, changes: [] } }, 1])
})

const gone = (id: string) => ({ type: 'conversation.gone', id }) as const
const changed = (id: string, primary: string | null) =>
  ({ type: 'users.changed', changes: [{ type: 'UPDATE', row: { id, primary_user_id: primary } }] }) as const

it.each<[string, MessagePrefetchEvent, boolean]>([
  ['after a gap', { type: 'resync.requested' }, true],
  ['at a refresh', { type: 'refetch.requested' }, true],
  ['when its conversation is gone', gone('ana'), true],
  ['when another conversation is gone', gone('zoe'), false],
  ['when a chat of its person changed', changed('ana-p1', null), true],
  ['when a chat joined its person', changed('mia-p1', 'ana'), true],
  ['when a chat of another person changed', changed('zoe-p1', 'zoe'), false],
])('%s, a page that no thread took is forgotten or kept', async (_, event, isForgotten) => {
  const sut = start()
  sut.send(pressed())
  await sut.load.resolve(page)
  sut.send(event)
  expect(sut.take()).toEqual({ page: isForgotten ? null : { ...page, changes: [] } })
})

it('forgets a page that no thread took within a second, and aborts the request', () => {
  const sut = start()
  sut.send(pressed())
  sut.clock.increment(999)
  expect(sut.load.last().signal.aborted).toBe(false)
  sut.clock.increment(1)
  expect([sut.load.last().signal.aborted, sut.take()]).toEqual([true, { page: null }])
})

type State = {
  asks: number
  isOpen: boolean
  isTaken: boolean
  isLoading: boolean
  isAnswered: boolean
  changes: number
  /** What the threads got, oldest first. */
  given: readonly ('page' | 'nothing' | 'failure')[]
}

const idle = { isOpen: false, isTaken: false, isLoading: false, isAnswered: false, changes: 0 }
const isUntaken = ({ isOpen, isTaken }: State) => isOpen && !isTaken
const forgetting = (state: State) => (isUntaken(state) ? idle : {})
const limitOfUntaken = 'xstate.after.untakenLimit.messagePrefetch.requested.untaken'
const reference: Reference<State> = {
  start: { asks: 0, ...idle, given: [] },
  accepts: (state) => [
    'prefetch.requested',
    'page.requested',
    ...when(
      isUntaken(state),
      'messages.changed',
      'users.changed',
      'conversation.gone',
      'resync.requested',
      'refetch.requested',
      limitOfUntaken,
    ),
    ...(state.isLoading ? ends('loadMessages') : []),
  ],
  rules: {
    'prefetch.requested': ({ asks, isTaken, given }, { openId }) =>
      openId !== null
        ? {}
        : { ...idle, asks: asks + 1, isOpen: true, isLoading: true, given: isTaken ? [...given, 'nothing'] : given },
    'page.requested': (state, { request: { conversationId } }) => {
      if (!isUntaken(state) || conversationId !== 'ana') return { given: [...state.given, 'nothing'] }
      return state.isAnswered ? { ...idle, given: [...state.given, 'page'] } : { isTaken: true }
    },
    'messages.changed': (state) => (isUntaken(state) ? { changes: state.changes + 1 } : {}),
    'users.changed': forgetting,
    'conversation.gone': forgetting,
    'resync.requested': forgetting,
    'refetch.requested': forgetting,
    [limitOfUntaken]: forgetting,
    'xstate.done.actor.loadMessages': ({ isTaken, given }) =>
      isTaken ? { ...idle, given: [...given, 'page'] } : { isLoading: false, isAnswered: true },
    'xstate.error.actor.loadMessages': ({ isTaken, given }) => ({
      ...idle,
      given: isTaken ? [...given, 'failure'] : given,
    }),
  },
  shown: ({ asks, isOpen, isTaken, isAnswered, changes, given }) => ({
    asks,
    isOpen,
    isTaken,
    isAnswered,
    changes,
    given,
  }),
}

const ignore = () => {}

const paths = modelOf(messagePrefetchMachine, {
  input: undefined,
  records: recordsOf(ana, zoe),
  vertex: ({ context: { prefetch, answer, changes, taker } }) => [
    prefetch?.request.conversationId,
    answer !== null,
    Math.min(changes.length, 1),
    taker !== null,
  ],
  cases: {
    'prefetch.requested': [pressed(), pressed('ana', 'ana')],
    // Raised by the machine.
    'prefetch.resolved': [],
    'page.requested': [ofAna, ofZoe].map((request) => ({
      request: { ...request, page: 1 },
      reply: ignore,
      fail: ignore,
    })),
    'messages.changed': ({ context }) => (context.changes.length > 0 ? [] : [{ changes: [inserted] }]),
    'users.changed': [{ changes: changed('ana-p1', null).changes }],
    'conversation.gone': [{ id: 'ana' }],
    'resync.requested': [{}],
    'refetch.requested': [{}],
    'xstate.done.actor.loadMessages': ({ context }) => (context.answer === null ? [{ output: page }] : []),
    'xstate.error.actor.loadMessages': ({ context }) => (context.answer === null ? [{ error: faults.noAnswer }] : []),
  },
}).everyTransition()

it(`does what the reference does on ${paths.length} paths`, async () => {
  for (const path of paths) {
    const sut = start()
    const given: string[] = []
    const taker = {
      reply: (taken: FetchedPage | null) => void given.push(taken === null ? 'nothing' : 'page'),
      fail: () => void given.push('failure'),
    }
    const drive = driverOf(
      (event: AnyEventObject) => sut.send({ ...event, ...(event.type === 'page.requested' && taker) } as never),
      { calls: { loadMessages: sut.load }, delays: { untakenLimit: () => sut.clock.increment(1_000) } },
    )
    await followBeside(path, drive, reference, () => {
      const snapshot = sut.actor.getSnapshot()
      const { prefetch, answer, changes } = snapshot.context
      return {
        asks: sut.load.calls.length,
        isOpen: prefetch !== null,
        isTaken: snapshot.matches({ requested: 'taken' }),
        isAnswered: answer !== null,
        changes: changes.length,
        given,
      }
    })
    sut.actor.stop()
  }
})

it('the tests of the prefetch enter every state and take every transition', () => {
  expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []])
})
