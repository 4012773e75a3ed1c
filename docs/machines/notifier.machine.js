// Written by `npm run docs` from src/machines/shell/notifier.ts.
import { assign, enqueueActions, raise, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {
    "was shown recently": () => true,
    "has remembered toasts": () => true,
  },
  actions: {
    show: enqueueActions(({ enqueue }) => { enqueue.raise({ type: "toast.expired" }) }),
    "schedule a place": raise({ type: "place.due" }, {
  delay: "placeDelay",
}),
    "make room for a toast": assign({}),
    hide: assign({}),
    "drop expired toasts": assign({}),
  },
  delays: {
    oldestExpires: () => 1000,
    placeDelay: 100,
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
      actions: "schedule a place",
    },
    "place.due": {
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
