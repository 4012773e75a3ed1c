import { expect, it } from 'vitest'
import { type AnyEventObject, SimulatedClock } from 'xstate'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import type { MessagesRequest } from '../../../src/domain/thread/thread-calls.ts'
import type { FetchedPage } from '../../../src/domain/thread/thread-messages.ts'
import { type MessagePrefetchEvent, messagePrefetchMachine } from '../../../src/machines/thread/message-prefetch.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { faults } from '../client/clients-fixture.ts'
import { createControl, createCoverage, driverOf, modelOf, settled } from '../harness.ts'
import { recordsOf, startWithRecords } from '../records-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(messagePrefetchMachine)

const ana = conversationOf()
const zoe = conversationOf({ primary_user_id: 'zoe', fb_user_id: 'zoe-p1', psid: 'psid-zoe-p1' })
const ofAna = { conversationId: 'ana', pageId: null }
const ofZoe = { conversationId: 'zoe', pageId: null }
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
      const taken: { page?: FetchedPage | null } = {}
      const leaving = new AbortController()
      const taking = actor.getSnapshot().context.take({ ...request, page: number }, leaving.signal)
      taking.then(
        (given) => {
          taken.page = given
        },
        () => {},
      )
      return { page: () => settled().then(() => taken.page), leave: () => leaving.abort(), taking }
    },
  }
}

const pressed = (id = 'ana', openId: string | null = null) =>
  ({ type: 'conversation.pressed', id, pageId: null, openId }) as const

it('gives the thread the page that was loaded since the press, with the changes of its conversation in between', async () => {
  const sut = start()
  sut.send(pressed())
  await sut.load.resolve(page)
  sut.send({ type: 'messages.changed', changes: [inserted, ofOther] })
  const deleted: MessageChange = { type: 'DELETE', messageId: 'm1' }
  sut.send({ type: 'messages.changed', changes: [deleted] })
  expect(sut.load.inputs()).toEqual([{ ...ofAna, page: 1 }])
  expect(await sut.take().page()).toEqual({ ...page, changes: [inserted, deleted] })
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
])('asks for nothing at a press on %s, and forgets the page before', async (_, press) => {
  const sut = start()
  sut.send(pressed())
  sut.send(press)
  expect([sut.load.calls.length, await sut.take().page()]).toEqual([1, null])
})

it('lets a thread wait for an answer that is on its way, and leaves later changes to the thread', async () => {
  const sut = start()
  sut.send(pressed())
  const taken = sut.take()
  sut.send({ type: 'messages.changed', changes: [inserted] })
  sut.clock.increment(60_000)
  expect(await taken.page()).toBe(undefined)
  await sut.load.resolve(page)
  expect(await taken.page()).toEqual({ ...page, changes: [] })
})

it('gives a page once, and only for the same conversation, page and result page', async () => {
  const sut = start()
  expect(await sut.take().page()).toBe(null)
  sut.send(pressed())
  await sut.load.resolve(page)
  const others = [sut.take(ofZoe), sut.take({ ...ofAna, pageId: 'p1' } as never), sut.take(ofAna, 2)]
  expect(await Promise.all(others.map((other) => other.page()))).toEqual([null, null, null])
  expect(await sut.take().page()).toEqual({ ...page, changes: [] })
  expect(await sut.take().page()).toBe(null)
})

it('gives nothing to a thread that waits if loading fails, or if another row is pressed', async () => {
  const sut = start()
  sut.send(pressed())
  const failed = sut.take()
  await sut.load.reject(faults.noAnswer)
  sut.send(pressed())
  const replaced = sut.take()
  sut.send(pressed('zoe'))
  expect([await failed.page(), await replaced.page()]).toEqual([null, null])
  expect(sut.load.calls.map(({ signal }) => signal.aborted)).toEqual([false, true, false])
})

it('lets a thread that is left stop waiting', async () => {
  const sut = start()
  sut.send(pressed())
  const { taking, leave } = sut.take()
  leave()
  await expect(taking).rejects.toThrow()
})

it.each([
  { type: 'resync.requested' },
  { type: 'refetch.requested' },
  { type: 'users.changed' },
  { type: 'conversation.gone' },
] as const)('forgets a page that no thread took on $type', async (event) => {
  const sut = start()
  sut.send(pressed())
  await sut.load.resolve(page)
  sut.send(event)
  expect(await sut.take().page()).toBe(null)
})

it('forgets a page that no thread took within a second, and aborts the request', async () => {
  const sut = start()
  sut.send(pressed())
  sut.clock.increment(999)
  expect(sut.load.last().signal.aborted).toBe(false)
  sut.clock.increment(1)
  expect([sut.load.last().signal.aborted, await sut.take().page()]).toEqual([true, null])
})

type State = { asks: number; isOpen: boolean; isTaken: boolean; isLoading: boolean; answered: boolean; changes: number }

const idle = { isOpen: false, isTaken: false, isLoading: false, answered: false, changes: 0 }
const isUntaken = ({ isOpen, isTaken }: State) => isOpen && !isTaken
const forgetting = (state: State) => (isUntaken(state) ? idle : {})
const reference: Reference<State> = {
  start: { asks: 0, ...idle },
  accepts: (state) => [
    'conversation.pressed',
    ...when(
      isUntaken(state),
      'messages.changed',
      'prefetch.taken',
      'resync.requested',
      'refetch.requested',
      'users.changed',
      'conversation.gone',
      'xstate.after.untakenLimit.messagePrefetch.requested.untaken',
    ),
    ...(state.isLoading ? ends('loadMessages') : []),
  ],
  rules: {
    'conversation.pressed': ({ asks }, { openId }) =>
      openId === null ? { ...idle, asks: asks + 1, isOpen: true, isLoading: true } : idle,
    'messages.changed': (state) => (isUntaken(state) ? { changes: state.changes + 1 } : {}),
    'prefetch.taken': (state) => (isUntaken(state) ? { isTaken: true } : {}),
    'resync.requested': forgetting,
    'refetch.requested': forgetting,
    'users.changed': forgetting,
    'conversation.gone': forgetting,
    'xstate.after.untakenLimit.messagePrefetch.requested.untaken': forgetting,
    'xstate.done.actor.loadMessages': () => ({ isLoading: false, answered: true }),
    'xstate.error.actor.loadMessages': () => idle,
  },
  shown: ({ asks, isOpen, isTaken, answered, changes }) => ({ asks, isOpen, isTaken, answered, changes }),
}

const paths = modelOf(messagePrefetchMachine, {
  input: undefined,
  records: recordsOf(ana, zoe),
  vertex: ({ context: { request, answer, changes }, children }) => [
    request?.conversationId,
    answer !== null,
    Math.min(changes.length, 1),
    // Done children stay in the snapshots of the model.
    answer === null && Object.keys(children),
  ],
  cases: {
    'conversation.pressed': [pressed(), pressed('ana', 'ana')],
    'messages.changed': ({ context }) => (context.changes.length > 0 ? [] : [{ changes: [inserted] }]),
    'prefetch.taken': [{}],
    'resync.requested': [{}],
    'refetch.requested': [{}],
    'users.changed': [{}],
    'conversation.gone': [{}],
    'xstate.done.actor.loadMessages': ({ context }) => (context.answer === null ? [{ output: page }] : []),
    'xstate.error.actor.loadMessages': ({ context }) => (context.answer === null ? [{ error: faults.noAnswer }] : []),
  },
}).everyTransition()

it(`does what the reference does on ${paths.length} paths`, async () => {
  for (const path of paths) {
    const sut = start()
    const drive = driverOf((event: AnyEventObject) => sut.send(event as MessagePrefetchEvent), {
      calls: { loadMessages: sut.load },
      delays: { untakenLimit: () => sut.clock.increment(1_000) },
    })
    await followBeside(path, drive, reference, () => {
      const snapshot = sut.actor.getSnapshot()
      const { request, answer, changes } = snapshot.context
      return {
        asks: sut.load.calls.length,
        isOpen: request !== null,
        isTaken: snapshot.matches({ requested: 'taken' }),
        answered: answer !== null,
        changes: changes.length,
      }
    })
    sut.actor.stop()
  }
})

it('the tests of the prefetch enter every state and take every transition', () => {
  expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []])
})
