// Written by `npm run docs` from src/machines/shell/notifier.ts.
import { assign, enqueueActions, raise, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {
    "was said just now": () => true,
    "something is remembered": () => true,
  },
  actions: {
    show: enqueueActions(({ enqueue }) => { enqueue.raise({ type: "toast.expired" }) }),
    "schedule a place": raise({ type: "place.due" }, {
  delay: "placeDelay",
}),
    "make a place": assign({}),
    hide: assign({}),
    "forget what is stale": assign({}),
  },
  delays: {
    oldestIsStale: () => 1000,
    placeDelay: 100,
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
      actions: "schedule a place",
    },
    "place.due": {
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
