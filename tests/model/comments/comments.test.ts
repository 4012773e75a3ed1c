import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import type { DoneRequest, ThreadsRequest } from '../../../src/domain/comments/comment-calls.ts'
import { commentMachine } from '../../../src/machines/comments/comment.ts'
import { commentCountMachine } from '../../../src/machines/comments/comment-count.ts'
import {
  type CommentThreadEvent,
  commentThreadMachine,
  selectComments,
  selectIsFinishing,
  selectThread,
  selectThreadHasFailed,
} from '../../../src/machines/comments/comment-thread.ts'
import {
  type CommentsEvent,
  type CommentsInput,
  commentsMachine,
  selectHasMore,
  selectIsLoadingMore,
  selectIsOfPerson,
  selectListHasFailed,
  selectOpenThread,
  selectThreadId,
  selectThreads,
  selectView,
} from '../../../src/machines/comments/comments.ts'
import type { CommentList, CommentThread } from '../../../src/schemas/comment.ts'
import { createControl, createCoverage, createToastLog, driverOf, follow, inspectAll, modelOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { commentOf, listOf, now, threadOf } from './comments-fixture.ts'

const listCoverage = createCoverage(commentsMachine)
const threadCoverage = createCoverage(commentThreadMachine)
const countCoverage = createCoverage(commentCountMachine)
/** Longer than every delay of these machines. */
const long = 60_000

const changed = (id: string, postId: string | null = 'post-2') =>
  ({ type: 'comments.changed', thread: { id, postId } }) as const

function startList(input: CommentsInput = {}) {
  const clock = new SimulatedClock()
  const list = createControl<CommentList, ThreadsRequest>()
  const thread = createControl<CommentThread, { threadId: string }>()
  const log = createToastLog()
  const machine = commentsMachine.provide({
    actors: {
      loadThreads: list.logic,
      commentThread: commentThreadMachine.provide({ actors: { comment: commentMachine, loadThread: thread.logic } }),
    },
  })
  const actor = createActor(machine, {
    input: { now: () => now, ...input },
    clock,
    inspect: inspectAll(listCoverage.inspect, log.inspect),
  }).start()
  return {
    clock,
    list,
    thread,
    toasts: log.toasts,
    send: (event: CommentsEvent) => actor.send(event),
    snapshot: () => actor.getSnapshot(),
    ids: () => selectThreads(actor.getSnapshot())?.map(({ id }) => id) ?? null,
  }
}

const noFilter = { search: '', pageId: null, postId: null }

describe('the list of threads', () => {
  it('asks for those without an answer, or for all of one person', () => {
    expect([startList().list.inputs(), startList({ conversationId: 'ana' }).list.inputs()]).toEqual([
      [{ ...noFilter, view: 'waiting', conversationId: null, after: null, limit: 30 }],
      [{ ...noFilter, view: 'all', conversationId: 'ana', after: null, limit: 30 }],
    ])
    expect(selectIsOfPerson(startList({ conversationId: 'ana' }).snapshot())).toBe(true)
  })

  it('adds the next page once, without rows that it has', async () => {
    const sut = startList()
    await sut.list.resolve(listOf(['t1', 't2'], 'next'))
    sut.send({ type: 'more.requested' })
    sut.send({ type: 'more.requested' })
    expect([sut.list.inputs().length, sut.list.last().input.after, selectIsLoadingMore(sut.snapshot())]).toEqual([
      2,
      'next',
      true,
    ])
    await sut.list.resolve(listOf(['t2', 't3']))
    expect([sut.ids(), selectHasMore(sut.snapshot())]).toEqual([['t1', 't2', 't3'], false])
  })

  it('is read once in a second, however many comments arrive', async () => {
    const sut = startList()
    sut.send(changed('t9'))
    await sut.list.resolve(listOf(['t1']))
    for (let count = 0; count < 50; count++) sut.send(changed(`t${count}`))
    expect(sut.list.calls.length).toBe(1)
    sut.clock.increment(1_000)
    expect(sut.list.calls.length).toBe(2)
    await sut.list.resolve(listOf(['t9', 't1']))
    sut.clock.increment(long)
    expect([sut.list.calls.length, sut.ids()]).toEqual([2, ['t9', 't1']])
  })

  it('reads as many rows again as it shows, from 30 to 300, and 30 after the view changed', async () => {
    const sut = startList()
    const asked = () => {
      const { after, limit } = sut.list.last().input
      return { after, limit }
    }
    const readAgain = async (count: number) => {
      await sut.list.resolve(listOf(range(count), 'next'))
      sut.send(changed('t0'))
      sut.clock.increment(1_000)
      return asked()
    }
    const range = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)
    expect([await readAgain(5), await readAgain(31), await readAgain(301)]).toEqual([
      { after: null, limit: 30 },
      { after: null, limit: 31 },
      { after: null, limit: 300 },
    ])
    await sut.list.resolve(listOf(range(40), 'next'))
    sut.send({ type: 'more.requested' })
    expect(asked()).toEqual({ after: 'next', limit: 30 })
    sut.send({ type: 'view.chosen', view: 'all' })
    expect(asked()).toEqual({ after: null, limit: 30 })
  })

  it('loads the next page although comments arrive all the time, and is read again afterwards', async () => {
    const sut = startList()
    await sut.list.resolve(listOf(['t1'], 'next'))
    sut.send(changed('t9'))
    sut.send({ type: 'more.requested' })
    await sut.list.resolve(listOf(['t2'], 'next'))
    sut.clock.increment(1_000)
    const { signal } = sut.list.last()
    expect(selectHasMore(sut.snapshot())).toBe(true)
    sut.send({ type: 'more.requested' })
    expect([signal.aborted, sut.list.last().input.after, selectIsLoadingMore(sut.snapshot())]).toEqual([
      true,
      'next',
      true,
    ])
    await sut.list.resolve(listOf(['t3']))
    expect(sut.ids()).toEqual(['t1', 't2', 't3'])
    sut.clock.increment(1_000)
    expect(sut.list.last().input).toMatchObject({ after: null, limit: 30 })
  })

  it('shows another view empty until it is loaded', async () => {
    const sut = startList()
    await sut.list.resolve(listOf(['t1']))
    sut.send({ type: 'view.chosen', view: 'all' })
    expect([sut.ids(), selectView(sut.snapshot()), sut.list.last().input.view]).toEqual([null, 'all', 'all'])
  })

  it('keeps its rows after a failed read, which is shown once and repeated', async () => {
    const sut = startList()
    await sut.list.resolve(listOf(['t1']))
    sut.send(changed('t1'))
    sut.clock.increment(1_000)
    await sut.list.reject(faults.noAnswer)
    expect([sut.ids(), selectListHasFailed(sut.snapshot()), sut.toasts.length]).toEqual([['t1'], true, 1])
    sut.clock.increment(2_000)
    await sut.list.resolve(listOf(['t1', 't2']))
    expect([sut.ids(), selectListHasFailed(sut.snapshot())]).toEqual([['t1', 't2'], false])
  })

  it('is found by words after a pause of the keys, by page and by post, with the next page of the same', async () => {
    const sut = startList()
    await sut.list.resolve(listOf(['t1']))
    sut.send({ type: 'search.typed', search: 'a' })
    sut.clock.increment(299)
    sut.send({ type: 'search.typed', search: ' ana ' })
    sut.clock.increment(299)
    expect([sut.list.calls.length, sut.ids()]).toEqual([1, null])
    sut.clock.increment(1)
    await sut.list.resolve(listOf(['t1'], 'next'))
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'post.chosen', postId: 'post-1' })
    await sut.list.resolve(listOf(['t1'], 'next'))
    sut.send({ type: 'more.requested' })
    const all = { view: 'waiting', conversationId: null, limit: 30 }
    expect(sut.list.inputs().slice(1)).toEqual([
      { ...all, search: 'ana', pageId: null, postId: null, after: null },
      { ...all, search: 'ana', pageId: 'p1', postId: null, after: null },
      { ...all, search: 'ana', pageId: 'p1', postId: 'post-1', after: null },
      { ...all, search: 'ana', pageId: 'p1', postId: 'post-1', after: 'next' },
    ])
  })

  it('opens with a thread that is asked for', () => {
    const sut = startList({ threadId: 't7' })
    expect([sut.thread.inputs(), selectThreadId(sut.snapshot())]).toEqual([[{ threadId: 't7' }], 't7'])
  })

  it('opens a thread, the next one, and none again', async () => {
    const sut = startList()
    sut.send({ type: 'thread.chosen', id: 't1' })
    const first = selectOpenThread(sut.snapshot())
    sut.send({ type: 'thread.chosen', id: 't2' })
    expect([sut.thread.inputs(), selectThreadId(sut.snapshot()), first?.getSnapshot().status]).toEqual([
      [{ threadId: 't1' }, { threadId: 't2' }],
      't2',
      'stopped',
    ])
    expect(sut.list.calls.length).toBe(1)
    sut.send({ type: 'thread.left' })
    expect([selectOpenThread(sut.snapshot()), selectThreadId(sut.snapshot())]).toEqual([undefined, null])
  })

  const paths = modelOf(commentsMachine, {
    input: { now: () => now },
    vertex: ({ context: { view, filter, threads, next, isOld, threadId, failures } }) => [
      view,
      filter.search,
      threads?.length,
      next,
      isOld,
      threadId,
      Math.min(failures, 1),
    ],
    limit: 6_000,
    cases: {
      'comments.changed': [{ thread: { id: 't1', postId: 'post-1' } }],
      'view.chosen': [{ view: 'all' }],
      'search.typed': [{ search: 'ana' }],
      'page.chosen': [{ pageId: null }],
      'post.chosen': [{ postId: null }],
      'thread.chosen': [{ id: 't1' }],
      'thread.left': [{}],
      'more.requested': [{}],
      'refetch.requested': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadThreads': [{ output: listOf(['t1'], 'next') }],
      'xstate.error.actor.loadThreads': [{ error: faults.noAnswer }, { error: faults.refused }],
      'xstate.done.actor.loadMore': [{ output: listOf(['t2']) }],
      'xstate.error.actor.loadMore': [{ error: faults.refused }],
      'xstate.done.actor.commentThread': [],
      'xstate.error.actor.commentThread': [],
    },
  }).everyTransitionInFewPaths(60)

  it(`shows what the machine holds on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startList()
      const wait = () => sut.clock.increment(long)
      const drive = driverOf(sut.send, {
        calls: { loadThreads: sut.list, loadMore: sut.list },
        delays: { retryDelay: wait, listPause: wait, searchPause: wait },
      })
      await follow(path, drive, ({ expected }) => {
        expect(sut.snapshot().value).toEqual(expected.value)
        expect([sut.ids(), selectThreadId(sut.snapshot())]).toEqual([
          selectThreads(expected)?.map(({ id }) => id) ?? null,
          selectThreadId(expected),
        ])
      })
    }
  })
  it('enters every state', () => expect(listCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(listCoverage.transitionsMissed()).toEqual([]))
})

function startThread() {
  const clock = new SimulatedClock()
  const load = createControl<CommentThread, { threadId: string }>()
  const finish = createControl<CommentThread, DoneRequest>()
  const log = createToastLog()
  const machine = commentThreadMachine.provide({
    actors: { comment: commentMachine, loadThread: load.logic, finishThread: finish.logic },
  })
  const actor = createActor(machine, {
    input: { threadId: 't1', now: () => now },
    clock,
    inspect: inspectAll(threadCoverage.inspect, log.inspect),
  }).start()
  return {
    clock,
    load,
    finish,
    toasts: log.toasts,
    send: (event: CommentThreadEvent) => actor.send(event),
    snapshot: () => actor.getSnapshot(),
    comments: () => selectComments(actor.getSnapshot()).map((one) => one.getSnapshot().context.comment),
  }
}

describe('an open thread', () => {
  it('has one machine for each comment, which learns what changes', async () => {
    const sut = startThread()
    await sut.load.resolve(threadOf([commentOf()]))
    const [first] = selectComments(sut.snapshot())
    const answers = [commentOf({ is_liked: true }), commentOf({ id: 'c2', by_page: true, parent_id: 'c1' })]
    sut.send({ type: 'thread.told', thread: threadOf(answers) })
    expect([selectComments(sut.snapshot())[0] === first, sut.comments()]).toEqual([true, answers])
    sut.send({ type: 'thread.told', thread: threadOf([commentOf({ id: 'c2' })]) })
    expect(sut.comments().map(({ id }) => id)).toEqual(['c2'])
  })

  it('is read again after changes of itself or its post, once for many', async () => {
    const sut = startThread()
    await sut.load.resolve(threadOf())
    sut.send(changed('other', 'post-2'))
    sut.clock.increment(long)
    expect(sut.load.calls.length).toBe(1)
    sut.send(changed('other', 'post-1'))
    sut.send(changed('t1'))
    sut.send({ type: 'comments.changed', thread: null })
    sut.clock.increment(300)
    expect(sut.load.calls.length).toBe(2)
    sut.send(changed('t1'))
    await sut.load.resolve(threadOf())
    sut.clock.increment(300)
    expect(sut.load.calls.length).toBe(3)
  })

  it('is finished up to the comment that the person saw, and only while it waits', async () => {
    const sut = startThread()
    await sut.load.resolve(threadOf())
    sut.send({ type: 'done.requested' })
    expect([sut.finish.inputs(), selectIsFinishing(sut.snapshot())]).toEqual([
      [{ threadId: 't1', upTo: '2026-11-20T08:00:00Z' }],
      true,
    ])
    await sut.finish.resolve(threadOf([commentOf()], { waiting_since: null }))
    sut.send({ type: 'done.requested' })
    expect([sut.finish.calls.length, selectThread(sut.snapshot())?.waiting_since]).toEqual([1, null])
  })

  it('shows what it has after a failed read', async () => {
    const sut = startThread()
    await sut.load.resolve(threadOf())
    sut.send(changed('t1'))
    sut.clock.increment(300)
    await sut.load.reject(faults.refused)
    expect([selectThreadHasFailed(sut.snapshot()), sut.comments().length]).toEqual([true, 1])
  })

  const paths = modelOf(commentThreadMachine, {
    input: { threadId: 't1', now: () => now },
    vertex: ({ context: { thread, isOld, failures } }) => [thread, isOld, Math.min(failures, 1)],
    cases: {
      'comments.changed': [
        { thread: { id: 't1', postId: 'post-1' } },
        { thread: { id: 't1', postId: 'post-1' }, told: threadOf([commentOf({ message: 'Sent' })]) },
      ],
      'thread.told': [{ thread: threadOf([commentOf()], { waiting_since: null }) }, { thread: threadOf() }],
      'thread.invalidated': [{}],
      'done.requested': [{}],
      'refetch.requested': [{}],
      'xstate.done.actor.loadThread': [{ output: threadOf() }],
      'xstate.error.actor.loadThread': [{ error: faults.noAnswer }, { error: faults.refused }],
      'xstate.done.actor.finishThread': [{ output: threadOf([commentOf()], { waiting_since: null }) }],
      'xstate.error.actor.finishThread': [{ error: faults.refused }],
    },
  }).everyTransitionInFewPaths(60)

  it(`shows what the machine holds on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startThread()
      const wait = () => sut.clock.increment(long)
      const drive = driverOf(sut.send, {
        calls: { loadThread: sut.load, finishThread: sut.finish },
        delays: { retryDelay: wait, pause: wait },
      })
      await follow(path, drive, ({ expected }) => {
        expect(sut.snapshot().value).toEqual(expected.value)
        expect(selectThread(sut.snapshot())).toEqual(selectThread(expected))
      })
    }
  })
  it('enters every state', () => expect(threadCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(threadCoverage.transitionsMissed()).toEqual([]))
})

describe('the number of threads without an answer', () => {
  const startCount = () => {
    const clock = new SimulatedClock()
    const load = createControl<number>()
    const log = createToastLog()
    const actor = createActor(commentCountMachine.provide({ actors: { loadCount: load.logic } }), {
      clock,
      inspect: inspectAll(countCoverage.inspect, log.inspect),
    }).start()
    return { actor, clock, load, toasts: log.toasts, waiting: () => actor.getSnapshot().context.waiting }
  }

  it('is read once in a second, also while comments arrive without a pause', async () => {
    const sut = startCount()
    sut.actor.send(changed('t1'))
    await sut.load.resolve(3)
    expect(sut.waiting()).toBe(3)
    for (let count = 0; count < 20; count++) sut.actor.send(changed('t1'))
    sut.clock.increment(1_000)
    await sut.load.resolve(4)
    sut.clock.increment(long)
    expect([sut.waiting(), sut.load.calls.length]).toEqual([4, 2])
  })

  const paths = modelOf(commentCountMachine, {
    input: undefined,
    vertex: ({ context: { waiting, isOld, failures } }) => [waiting, isOld, Math.min(failures, 1)],
    cases: {
      'comments.changed': [{ thread: null }],
      'refetch.requested': [{}],
      'xstate.done.actor.loadCount': [{ output: 3 }],
      'xstate.error.actor.loadCount': [{ error: faults.noAnswer }, { error: faults.refused }],
    },
  }).everyTransitionInFewPaths()

  it(`is what was answered last on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startCount()
      const wait = () => sut.clock.increment(long)
      const drive = driverOf(sut.actor.send, {
        calls: { loadCount: sut.load },
        delays: { retryDelay: wait, pause: wait },
      })
      await follow(path, drive, ({ expected }) => {
        expect([sut.actor.getSnapshot().value, sut.waiting()]).toEqual([expected.value, expected.context.waiting])
      })
    }
  })
  it('enters every state', () => expect(countCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(countCoverage.transitionsMissed()).toEqual([]))
})
