import { type ActorRefFrom, type AnyActorRef, assign, type EventObject, fromCallback, setup } from 'xstate'
import type { CommentsChanged } from '../../domain/comments/comment-calls.ts'
import {
  type CommentNews,
  type CommentsRequested,
  commentToastsOf,
  pauseAfterNews,
} from '../../domain/list/comment-news.ts'
import { mustBeGiven } from '../must-be-provided.ts'
import { type dialogMachine, type OpenDialog, selectIsOpen, selectOpened } from '../shell/dialog.ts'
import type { CommentsAnnounced } from '../shell/notifications-setup.ts'
import { createSendAction, type System, toast } from '../system.ts'
import { selectThreadId } from './comments.ts'

export type CommentNewsEvent =
  | CommentsChanged
  | CommentsRequested
  /** The comments are open, or their dialog is asked for. */
  | { type: 'comments.shown' }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }

type Context = {
  isHidden: boolean
  /** New comments that were not announced yet, in the order of their arrival. */
  news: readonly CommentNews[]
  /** In milliseconds: without further news after the last ones. */
  pause: number
  /** The thread to open; null opens the list. */
  threadId: string | null
}

/** Milliseconds: comments that one delivery brings are announced together. */
const gatherTime = 1_000

function isOpenIn(system: System, threadId: string): boolean {
  const dialog: ActorRefFrom<typeof dialogMachine> | undefined = system.get('dialog')
  const opened = dialog && selectOpened(dialog.getSnapshot())
  return opened?.name === 'comments' && selectThreadId(opened.actor.getSnapshot()) === threadId
}

/** Toasts, and the news for sounds and desktop notifications. A visible tab shows no toast about the thread that it shows. */
const announce = createSendAction<Pick<Context, 'isHidden' | 'news'>>(({ isHidden, news }, sender) => {
  const told = news.map((one) => ({ ...one, isOpen: !isHidden && isOpenIn(sender.system, one.threadId) }))
  const toasts = commentToastsOf(told.filter(({ isOpen }) => !isOpen))
  const notifications: AnyActorRef | undefined = sender.system.get('notifications')
  const event: CommentsAnnounced = { type: 'comments.announced', news: told }
  return [
    ...toasts.map((text) => toast(sender, text)),
    ...(notifications === undefined ? [] : [{ to: notifications, event }]),
  ]
})

/**
 * Opens the comments at a thread, or chooses the thread if they are open. Other dialogs are closed first: the open one, and
 * one that follows it. If a dialog asks the person about what is typed and stays, the comments open after it.
 */
const openComments = fromCallback<EventObject, { threadId: string | null }>(({ system, input, sendBack }) => {
  const dialog: ActorRefFrom<typeof dialogMachine> = system.get('dialog')
  const { threadId } = input
  let isDone = false
  let asked: OpenDialog | null = null
  function look(): void {
    if (isDone) return
    const snapshot = dialog.getSnapshot()
    const opened = selectOpened(snapshot)
    if (!selectIsOpen(snapshot)) {
      isDone = true
      dialog.send({
        type: 'dialog.requested',
        dialog: { name: 'comments', input: threadId === null ? {} : { threadId } },
      })
      sendBack({ type: 'comments.shown' })
    } else if (opened?.name === 'comments') {
      isDone = true
      if (threadId !== null) opened.actor.send({ type: 'thread.chosen', id: threadId })
      sendBack({ type: 'comments.shown' })
    } else if (opened !== null && opened !== asked) {
      asked = opened
      dialog.send({ type: 'dialog.dismissed' })
    }
  }
  const watching = dialog.subscribe(look)
  look()
  return () => watching.unsubscribe()
})

/** News of comments (feature 'comments'): announces new comments that need an answer, and opens them. */
export const commentNewsMachine = setup({
  types: { context: {} as Context, events: {} as CommentNewsEvent, input: {} as Pick<Context, 'isHidden'> },
  actors: {
    openComments,
    /** Sends `comments.requested` if the page was opened by a notification about comments. */
    readAddress: fromCallback<EventObject>(mustBeGiven('readAddress')),
  },
  delays: { gatherTime, pause: ({ context }) => context.pause },
  guards: {
    'has news': ({ context }) => context.news.length > 0,
    'is news': (_, { thread }: CommentsChanged) => thread?.news !== undefined,
    'needs no answer': (_, { thread }: CommentsChanged) => thread?.isWaiting === false,
  },
  actions: {
    announce,
    'keep the news': assign({
      news: ({ context }, { thread }: CommentsChanged) =>
        thread?.news === undefined ? context.news : [...context.news, thread.news],
    }),
    'drop the news': assign({
      news: ({ context }, { thread }: CommentsChanged) =>
        context.news.filter(({ threadId }) => threadId !== thread?.id),
    }),
    'forget the news': assign({ news: [], pause: ({ context }) => pauseAfterNews(context.news) }),
    'keep the request': assign({ threadId: (_, { threadId }: { threadId: string | null }) => threadId }),
    'remember that the tab is hidden': assign({ isHidden: true }),
    'remember that the tab is visible': assign({ isHidden: false }),
  },
}).createMachine({
  id: 'commentNews',
  context: ({ input: { isHidden } }) => ({ isHidden, news: [], pause: 0, threadId: null }),
  type: 'parallel',
  invoke: { id: 'readAddress', src: 'readAddress' },
  on: {
    'tab.shown': { actions: 'remember that the tab is visible' },
    'tab.hidden': { actions: 'remember that the tab is hidden' },
  },
  states: {
    announcing: {
      initial: 'idle',
      on: {
        'comments.changed': [
          {
            guard: { type: 'is news', params: ({ event }) => event },
            actions: { type: 'keep the news', params: ({ event }) => event },
          },
          // Somebody has answered, or the comment is hidden or gone.
          {
            guard: { type: 'needs no answer', params: ({ event }) => event },
            actions: { type: 'drop the news', params: ({ event }) => event },
          },
        ],
      },
      states: {
        idle: { always: { guard: 'has news', target: 'gathering' } },
        gathering: {
          after: {
            gatherTime: [
              {
                guard: 'has news',
                target: 'throttled',
                actions: [{ type: 'announce', params: ({ context }) => context }, 'forget the news'],
              },
              { target: 'idle' },
            ],
          },
        },
        throttled: { after: { pause: 'idle' } },
      },
    },
    opening: {
      initial: 'none',
      on: {
        'comments.requested': {
          target: '.asked',
          actions: { type: 'keep the request', params: ({ event }) => event },
        },
      },
      states: {
        none: {},
        asked: {
          invoke: {
            id: 'openComments',
            src: 'openComments',
            input: ({ context: { threadId } }) => ({ threadId }),
          },
          on: { 'comments.shown': 'none' },
        },
      },
    },
  },
})
