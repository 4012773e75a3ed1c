import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, enqueueActions, raise, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { ChangeUndone, ToastRequested } from '../system.ts'

export type Toast = { id: number } & ToastText

/** A text that was shown, with what its toast opens, and the time in milliseconds. */
type ShownText = { text: string; at: number }

/** Two people may have the same name, so toasts with the same text are different if they open different things. */
const textOf = ({ text, news }: ToastText): string => text + (news?.conversationId ?? news?.comments?.threadId ?? '')

type NotifierEvent =
  | ToastRequested
  | ChangeUndone
  /** The screen now shows a page that may cause toasts. */
  | { type: 'toasts.awaited' }
  | { type: 'toaster.due' }
  | { type: 'toast.expired'; id: number }
  /** The person closed the toast. */
  | { type: 'toast.dismissed'; id: number }

type Context = {
  now: () => number
  toasts: readonly Toast[]
  /** Whether the component that shows toasts must be rendered. */
  isToasterNeeded: boolean
  recent: readonly ShownText[]
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
    oldestExpires: ({ context: { recent, now } }) => limits.toastStaleAfter - (now() - (recent[0]?.at ?? now())),
    /** Milliseconds. The page is painted before the code for toasts is loaded. */
    toasterDelay: 100,
  },
  guards: {
    // Without its toast, a change could not be undone.
    'was shown recently': ({ context }, toast: ToastText) =>
      toast.undo === undefined &&
      context.recent.some(({ text, at }) => text === textOf(toast) && context.now() - at < limits.toastDuplicateWindow),
    'has recent texts': ({ context }) => context.recent.length > 0,
  },
  actions: {
    show: enqueueActions(({ context, enqueue }, toast: ToastText) => {
      const { kind, text, undo, news } = toast
      const id = context.nextId
      enqueue.assign({
        nextId: id + 1,
        isToasterNeeded: true,
        toasts: [
          ...context.toasts,
          { id, kind, text, ...(undo !== undefined && { undo }), ...(news !== undefined && { news }) },
        ],
        recent: [
          ...context.recent.filter((shown) => shown.text !== textOf(toast)),
          { text: textOf(toast), at: context.now() },
        ],
      })
      if (news?.stays) return
      enqueue.raise(
        { type: 'toast.expired', id },
        { delay: undo === undefined ? limits.toastDuration[kind] : limits.undoDuration },
      )
    }),
    'schedule the toaster': raise({ type: 'toaster.due' }, { delay: 'toasterDelay', id: 'toaster' }),
    'render the toaster': assign({ isToasterNeeded: true }),
    hide: assign({
      toasts: ({ context }, { id }: { id: number }) => context.toasts.filter((toast) => toast.id !== id),
    }),
    'hide the undo': assign({
      toasts: ({ context }, { key }: { key: string }) => context.toasts.filter(({ undo }) => undo !== key),
    }),
    'drop old texts': assign({
      recent: ({ context }) => context.recent.filter(({ at }) => context.now() - at < limits.toastStaleAfter),
    }),
  },
}).createMachine({
  id: 'notifier',
  context: ({ input }) => ({ now: input.now, toasts: [], isToasterNeeded: false, recent: [], nextId: 1 }),
  initial: 'idle',
  on: {
    'toast.requested': [
      { guard: { type: 'was shown recently', params: ({ event }) => event } },
      { actions: { type: 'show', params: ({ event }) => event } },
    ],
    'toasts.awaited': { actions: 'schedule the toaster' },
    'toaster.due': { actions: 'render the toaster' },
    'toast.expired': { actions: { type: 'hide', params: ({ event }) => event } },
    'change.undone': { actions: { type: 'hide the undo', params: ({ event }) => event } },
    'toast.dismissed': { actions: { type: 'hide', params: ({ event }) => event } },
  },
  states: {
    idle: {
      always: { guard: 'has recent texts', target: 'remembering' },
    },
    remembering: {
      after: { oldestExpires: { target: 'idle', actions: 'drop old texts' } },
    },
  },
})

export type NotifierActor = ActorRefFrom<typeof notifierMachine>
export const selectToasts = (snapshot: SnapshotFrom<typeof notifierMachine>) => snapshot.context.toasts
export const selectIsToasterNeeded = (snapshot: SnapshotFrom<typeof notifierMachine>) =>
  snapshot.context.isToasterNeeded
