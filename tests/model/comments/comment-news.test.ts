import { describe, expect, it } from 'vitest'
import type { ActorRefFrom, AnyActorRef, AnyEventObject } from 'xstate'
import { createActor, createMachine, fromCallback, SimulatedClock, setup } from 'xstate'
import type { CommentNews } from '../../../src/domain/list/comment-news.ts'
import { type CommentNewsEvent, commentNewsMachine } from '../../../src/machines/comments/comment-news.ts'
import { commentThreadMachine } from '../../../src/machines/comments/comment-thread.ts'
import { commentsMachine } from '../../../src/machines/comments/comments.ts'
import {
  type DialogName,
  dialogMachine,
  type LoadedDialog,
  selectIsOpen,
  selectOpened,
} from '../../../src/machines/shell/dialog.ts'
import { infoDialogMachine } from '../../../src/machines/shell/info-dialog.ts'
import type { CommentList, CommentThread } from '../../../src/schemas/comment.ts'
import { createControl, createCoverage, createToastLog, driverOf, inspectAll, modelOf, settled } from '../harness.ts'
import { followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(commentNewsMachine)
const second = 1_000
const minute = 60_000

const came = (thread: string, text = `text of ${thread}`): CommentNewsEvent => ({
  type: 'comments.changed',
  thread: {
    id: thread,
    postId: 'post-1',
    isWaiting: true,
    news: { threadId: thread, name: `Person ${thread}`, line: text },
  },
})
const answered = (thread: string): CommentNewsEvent => ({
  type: 'comments.changed',
  thread: { id: thread, postId: 'post-1', isWaiting: false },
})

type Announced = { type: 'comments.announced'; news: (CommentNews & { isOpen: boolean })[] }

/** The news beside the dialogs, the notifications and the toasts. */
function start() {
  const clock = new SimulatedClock()
  const code = createControl<LoadedDialog, { name: DialogName }>()
  const log = createToastLog()
  const announced: Announced[] = []
  const root = createActor(
    setup({
      actors: {
        dialog: dialogMachine.provide({ actors: { loadDialog: code.logic }, actions: { 'load ahead': () => {} } }),
        notifications: fromCallback<AnyEventObject>(({ receive }) =>
          receive((event) => announced.push(event as Announced)),
        ),
        commentNews: commentNewsMachine.provide({ actors: { readAddress: fromCallback(() => {}) } }),
      },
    }).createMachine({
      invoke: [
        { src: 'dialog', id: 'dialog', systemId: 'dialog' },
        { src: 'notifications', id: 'notifications', systemId: 'notifications' },
        { src: 'commentNews', id: 'commentNews', systemId: 'commentNews', input: { isHidden: false } },
      ],
    }),
    {
      clock,
      inspect: inspectAll(coverage.inspect, log.inspect),
    },
  ).start()
  const dialog: ActorRefFrom<typeof dialogMachine> = root.system.get('dialog')
  const news: ActorRefFrom<typeof commentNewsMachine> = root.system.get('commentNews')
  const comments = commentsMachine.provide({
    actors: {
      loadThreads: createControl<CommentList>().logic as never,
      commentThread: commentThreadMachine.provide({
        actors: { loadThread: createControl<CommentThread>().logic as never },
      }),
    },
  })
  const loaded = (logic: unknown, name: string) =>
    ({ name, title: name, View: () => null, logic }) as unknown as LoadedDialog
  return {
    send: (...events: CommentNewsEvent[]) => {
      for (const event of events) news.send(event)
    },
    pass: (milliseconds: number) => clock.increment(milliseconds),
    toasts: () => log.toasts.map(({ text }) => text),
    announced,
    dialog,
    code,
    /** The code of the dialog that was asked for arrives. */
    arrive: (name: 'comments' | 'shortcuts') =>
      code.resolve(loaded(name === 'comments' ? comments : infoDialogMachine, name)),
    /** The open dialog and its thread. */
    opened: () => {
      const opened = selectOpened(dialog.getSnapshot())
      return opened === null
        ? null
        : [opened.name, opened.name === 'comments' ? opened.actor.getSnapshot().context.threadId : null]
    },
    stop: () => root.stop(),
  }
}

const ofPerson = (thread: string) => `New comment from Person ${thread}`

describe('New comments', () => {
  it('are announced together that arrive within a second, each thread once, by its newest comment', () => {
    const sut = start()
    sut.send(came('t1', 'first'), came('t2'), came('t1', 'second'))
    sut.pass(second - 1)
    expect(sut.toasts()).toEqual([])
    sut.pass(1)
    expect([sut.toasts(), sut.announced[0]?.news.map(({ line }) => line)]).toEqual([
      [ofPerson('t1'), ofPerson('t2')],
      ['first', 'text of t2', 'second'],
    ])
    sut.stop()
  })

  it('are announced at most once in a minute, and after news of many once in five', () => {
    const sut = start()
    sut.send(came('t1'))
    sut.pass(second)
    const many = ['t1', 't2', 't3', 't4'].map((thread) => came(thread))
    sut.send(...many)
    sut.pass(minute)
    expect(sut.toasts()).toEqual([ofPerson('t1')])
    sut.pass(second)
    expect(sut.toasts()).toEqual([ofPerson('t1'), 'New comments from 4 people'])
    sut.send(came('t5'))
    sut.pass(5 * minute)
    expect(sut.toasts()).toHaveLength(2)
    sut.pass(second)
    expect(sut.toasts().at(-1)).toBe(ofPerson('t5'))
    sut.stop()
  })

  it('are not announced any more once they need no answer', () => {
    const sut = start()
    sut.send(came('t1'), came('t2'), answered('t1'), { type: 'comments.changed', thread: null })
    sut.pass(second)
    expect([sut.toasts(), sut.announced[0]?.news.map(({ threadId }) => threadId)]).toEqual([[ofPerson('t2')], ['t2']])
    sut.pass(minute)
    sut.send(came('t1'), answered('t1'))
    sut.pass(second)
    sut.send(came('t3'))
    sut.pass(second)
    // A comment that was answered at once holds nothing back.
    expect(sut.toasts()).toEqual([ofPerson('t2'), ofPerson('t3')])
    sut.stop()
  })

  it('raise no toast in a visible tab that shows their thread', async () => {
    const sut = start()
    sut.send({ type: 'comments.requested', threadId: 't1' })
    await sut.arrive('comments')
    sut.send(came('t1'), came('t2'))
    sut.pass(second)
    sut.pass(minute)
    sut.send({ type: 'tab.hidden' }, came('t1'))
    sut.pass(second)
    sut.pass(minute)
    sut.send({ type: 'tab.shown' }, came('t1'))
    sut.pass(second)
    expect(sut.toasts()).toEqual([ofPerson('t2'), ofPerson('t1')])
    expect(sut.announced.map(({ news }) => news.map(({ threadId, isOpen }) => [threadId, isOpen]))).toEqual([
      [
        ['t1', true],
        ['t2', false],
      ],
      [['t1', false]],
      [['t1', true]],
    ])
    sut.stop()
  })
})

describe('A press on the news', () => {
  it('opens the comments at the thread, at another thread in the open dialog, and at the list', async () => {
    const sut = start()
    sut.send({ type: 'comments.requested', threadId: 't1' })
    await sut.arrive('comments')
    expect(sut.opened()).toEqual(['comments', 't1'])
    sut.send({ type: 'comments.requested', threadId: 't2' })
    expect(sut.opened()).toEqual(['comments', 't2'])
    sut.send({ type: 'comments.requested', threadId: null })
    expect([sut.opened(), sut.code.calls.length]).toEqual([['comments', 't2'], 1])
    sut.dialog.send({ type: 'dialog.dismissed' })
    sut.send({ type: 'comments.requested', threadId: null })
    await sut.arrive('comments')
    expect(sut.opened()).toEqual(['comments', null])
    sut.stop()
  })

  it('closes another dialog first, also one whose code is still loading', async () => {
    const sut = start()
    sut.dialog.send({ type: 'dialog.requested', dialog: { name: 'shortcuts' } })
    sut.send({ type: 'comments.requested', threadId: 't1' })
    expect(sut.code.inputs().map(({ name }) => name)).toEqual(['shortcuts'])
    await sut.arrive('shortcuts')
    await settled()
    await sut.arrive('comments')
    expect(sut.opened()).toEqual(['comments', 't1'])
    sut.stop()
  })

  it('closes the dialog that follows another one too', async () => {
    const sut = start()
    const shortcuts = { name: 'shortcuts' } as const
    sut.dialog.send({ type: 'dialog.requested', dialog: shortcuts, next: shortcuts })
    sut.send({ type: 'comments.requested', threadId: 't1' })
    for (const name of ['shortcuts', 'shortcuts', 'comments'] as const) {
      await sut.arrive(name)
      await settled()
    }
    expect(sut.opened()).toEqual(['comments', 't1'])
    sut.stop()
  })

  it('opens the comments after a dialog that stays until the person closes it', async () => {
    const sut = start()
    sut.dialog.send({ type: 'dialog.requested', dialog: { name: 'shortcuts' } })
    const asked: string[] = []
    const stays = createMachine({
      on: { 'dialog.dismissed': { actions: () => void asked.push('dismissed') }, closed: '.done' },
      initial: 'open',
      states: { open: {}, done: { type: 'final' } },
    })
    await sut.code.resolve({ name: 'shortcuts', title: '', View: () => null, logic: stays } as unknown as LoadedDialog)
    sut.send({ type: 'comments.requested', threadId: 't1' })
    expect([asked, sut.opened()?.[0]]).toEqual([['dismissed'], 'shortcuts'])
    const opened: AnyActorRef | undefined = selectOpened(sut.dialog.getSnapshot())?.actor
    opened?.send({ type: 'closed' })
    await sut.arrive('comments')
    expect([asked.length, sut.opened(), selectIsOpen(sut.dialog.getSnapshot())]).toEqual([1, ['comments', 't1'], true])
    sut.stop()
  })
})

describe('The walk through the news', () => {
  const model = modelOf(commentNewsMachine, {
    input: { isHidden: false },
    vertex: ({ context }) => ({ ...context, news: context.news.map(({ threadId }) => threadId).slice(0, 2) }),
    limit: 20_000,
    cases: {
      'comments.changed': [came('t1'), came('t2'), answered('t1'), { type: 'comments.changed', thread: null }].map(
        ({ type: _, ...payload }) => payload,
      ),
      'comments.requested': [{ threadId: 't1' }, { threadId: null }],
      'comments.shown': [{}],
      'tab.shown': [{}],
      'tab.hidden': [{}],
      'xstate.done.actor.openComments': [],
      'xstate.error.actor.openComments': [],
    },
  })
  const paths = model.everyTransition()

  type State = { phase: 'idle' | 'gathering' | 'throttled'; news: string[]; announced: number; opening: boolean }
  const heard = (state: State, { thread }: AnyEventObject): State => {
    const news =
      thread?.news !== undefined
        ? [...state.news, thread.id]
        : thread?.isWaiting === false
          ? state.news.filter((id) => id !== thread.id)
          : state.news
    return { ...state, news, phase: state.phase === 'idle' && news.length > 0 ? 'gathering' : state.phase }
  }
  const reference: Reference<State> = {
    start: { phase: 'idle', news: [], announced: 0, opening: false },
    accepts: ({ phase, opening }) => [
      ...['comments.changed', 'comments.requested', 'tab.shown', 'tab.hidden'],
      ...when(phase === 'gathering', 'xstate.after.gatherTime.commentNews.announcing.gathering'),
      ...when(phase === 'throttled', 'xstate.after.pause.commentNews.announcing.throttled'),
      ...when(opening, 'comments.shown'),
    ],
    rules: {
      'comments.changed': heard,
      'comments.requested': () => ({ opening: true }),
      'comments.shown': () => ({ opening: false }),
      'xstate.after.gatherTime.commentNews.announcing.gathering': ({ news, announced }) =>
        news.length === 0 ? { phase: 'idle' } : { phase: 'throttled', news: [], announced: announced + 1 },
      'xstate.after.pause.commentNews.announcing.throttled': ({ news }) => ({
        phase: news.length > 0 ? 'gathering' : 'idle',
      }),
    },
    shown: ({ phase, news, announced, opening }) => ({ phase, news, announced, opening }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const clock = new SimulatedClock()
      let announced = 0
      const actor = createActor(
        commentNewsMachine.provide({
          actors: { openComments: fromCallback(() => {}), readAddress: fromCallback(() => {}) },
          actions: {
            announce: () => {
              announced += 1
            },
          },
        }),
        { input: { isHidden: false }, clock, inspect: coverage.inspect },
      ).start()
      const drive = driverOf(actor.send, {
        delays: { gatherTime: () => clock.increment(second), pause: () => clock.increment(5 * minute) },
      })
      await followBeside(path, drive, reference, () => {
        const { context, value } = actor.getSnapshot()
        return {
          phase: value.announcing,
          news: context.news.map(({ threadId }) => threadId),
          announced,
          opening: value.opening === 'asked',
        }
      })
      actor.stop()
    }
  })
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
