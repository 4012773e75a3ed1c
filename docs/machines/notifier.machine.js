// Written by `npm run docs` from src/machines/shell/notifier.ts.
import { assign, enqueueActions, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {
    "was said just now": () => true,
    "something is remembered": () => true,
  },
  actions: {
    show: enqueueActions(({ enqueue }) => { enqueue.raise({ type: "toast.expired" }) }),
    "make a place": assign({}),
    hide: assign({}),
    "forget what is stale": assign({}),
  },
  delays: {
    oldestIsStale: () => 1000,
  },
}).createMachine({
  id: "notifier",
  initial: "quiet",
  on: {
    "toast.requested": [
      {
        guard: {
          type: "was said just now",
        },
      },
      {
        actions: {
          type: "show",
        },
      },
    ],
    "toasts.awaited": {
      actions: "make a place",
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
    quiet: {
      always: {
        guard: "something is remembered",
        target: "remembering",
      },
    },
    remembering: {
      after: {
        oldestIsStale: {
          target: "quiet",
          actions: "forget what is stale",
        },
      },
    },
  },
})
