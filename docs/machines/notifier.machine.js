// Written by `npm run docs` from src/machines/shell/notifier.ts.
import { assign, enqueueActions, raise, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {
    "was shown recently": () => true,
    "has recent texts": () => true,
  },
  actions: {
    show: enqueueActions(({ enqueue }) => { enqueue.raise({ type: "toast.expired" }) }),
    "schedule the toaster": raise({ type: "toaster.due" }, {
  delay: "toasterDelay",
}),
    "render the toaster": assign({}),
    hide: assign({}),
    "hide the undo": assign({}),
    "drop old texts": assign({}),
  },
  delays: {
    oldestExpires: () => 1000,
    toasterDelay: 100,
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
      actions: "schedule the toaster",
    },
    "toaster.due": {
      actions: "render the toaster",
    },
    "toast.expired": {
      actions: {
        type: "hide",
      },
    },
    "change.undone": {
      actions: {
        type: "hide the undo",
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
        guard: "has recent texts",
        target: "remembering",
      },
    },
    remembering: {
      after: {
        oldestExpires: {
          target: "idle",
          actions: "drop old texts",
        },
      },
    },
  },
})
