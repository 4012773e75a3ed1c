// Written by `npm run docs` from src/machines/shell/notifier.ts.
import { assign, enqueueActions, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {
    "was shown recently": () => true,
    "has remembered toasts": () => true,
  },
  actions: {
    show: enqueueActions(({ enqueue }) => { enqueue.raise({ type: "toast.expired" }) }),
    "make room for a toast": assign({}),
    hide: assign({}),
    "drop expired toasts": assign({}),
  },
  delays: {
    oldestExpires: () => 1000,
  },
}).createMachine({
  id: "notifier",
  initial: "idle",
  on: {
    "toast.requested": [
      {
        guard: {
          type: "was shown recently",
        },
      },
      {
        actions: {
          type: "show",
        },
      },
    ],
    "toasts.awaited": {
      actions: "make room for a toast",
    },
    "toast.expired": {
      actions: {
        type: "hide",
      },
    },
    "toast.dismissed": {
      actions: {
        type: "hide",
      },
    },
  },
  states: {
    idle: {
      always: {
        guard: "has remembered toasts",
        target: "remembering",
      },
    },
    remembering: {
      after: {
        oldestExpires: {
          target: "idle",
          actions: "drop expired toasts",
        },
      },
    },
  },
})
