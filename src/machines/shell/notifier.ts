import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, enqueueActions, raise, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { ToastRequested } from '../system.ts'

export type Toast = { id: number } & ToastText

/** A text that was shown, and the time in milliseconds. */
type Said = { text: string; at: number }

type NotifierEvent =
  | ToastRequested
  /** The screen now shows a page that may cause toasts. */
  | { type: 'toasts.awaited' }
  | { type: 'place.due' }
  | { type: 'toast.expired'; id: number }
  /** The person closed the toast. */
  | { type: 'toast.dismissed'; id: number }

type Context = {
  now: () => number
  toasts: readonly Toast[]
  /** Whether the component that shows toasts must be rendered. */
  isToasterNeeded: boolean
  said: readonly Said[]
  nextId: number
}

/**
 * The toasts on the screen (spec sections 8 and 9). The kind of a toast decides its duration. The same text is shown
 * once in 3000 ms. Shown texts are remembered for 6000 ms.
 */
export const notifierMachine = setup({
  types: { context: {} as Context, events: {} as NotifierEvent, input: {} as { now: () => number } },
  delays: {
    /** The first text is the oldest, because a repeated text moves to the end. */
    oldestExpires: ({ context: { said, now } }) => limits.toastStaleAfter - (now() - (said[0]?.at ?? now())),
    /** Milliseconds. The page is painted before the code for toasts is loaded. */
    placeDelay: 100,
  },
  guards: {
    'was shown recently': ({ context }, { text }: { text: string }) =>
      context.said.some((said) => said.text === text && context.now() - said.at < limits.toastDuplicateWindow),
    'has remembered toasts': ({ context }) => context.said.length > 0,
  },
  actions: {
    show: enqueueActions(({ context, enqueue }, { kind, text }: ToastText) => {
      const id = context.nextId
      enqueue.assign({
        nextId: id + 1,
        isToasterNeeded: true,
        toasts: [...context.toasts, { id, kind, text }],
        said: [...context.said.filter((said) => said.text !== text), { text, at: context.now() }],
      })
      enqueue.raise({ type: 'toast.expired', id }, { delay: limits.toastDuration[kind] })
    }),
    'schedule a place': raise({ type: 'place.due' }, { delay: 'placeDelay', id: 'place' }),
    'make room for a toast': assign({ isToasterNeeded: true }),
    hide: assign({
      toasts: ({ context }, { id }: { id: number }) => context.toasts.filter((toast) => toast.id !== id),
    }),
    'drop expired toasts': assign({
      said: ({ context }) => context.said.filter(({ at }) => context.now() - at < limits.toastStaleAfter),
    }),
  },
}).createMachine({
  id: 'notifier',
  context: ({ input }) => ({ now: input.now, toasts: [], isToasterNeeded: false, said: [], nextId: 1 }),
  initial: 'idle',
  on: {
    'toast.requested': [
      { guard: { type: 'was shown recently', params: ({ event }) => event } },
      { actions: { type: 'show', params: ({ event }) => event } },
    ],
    'toasts.awaited': { actions: 'schedule a place' },
    'place.due': { actions: 'make room for a toast' },
    'toast.expired': { actions: { type: 'hide', params: ({ event }) => event } },
    'toast.dismissed': { actions: { type: 'hide', params: ({ event }) => event } },
  },
  states: {
    idle: {
      always: { guard: 'has remembered toasts', target: 'remembering' },
    },
    remembering: {
      after: { oldestExpires: { target: 'idle', actions: 'drop expired toasts' } },
    },
  },
})

export type NotifierActor = ActorRefFrom<typeof notifierMachine>
export const selectToasts = (snapshot: SnapshotFrom<typeof notifierMachine>) => snapshot.context.toasts
export const selectIsToasterNeeded = (snapshot: SnapshotFrom<typeof notifierMachine>) =>
  snapshot.context.isToasterNeeded
