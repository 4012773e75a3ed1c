// Written by `npm run docs` from src/machines/thread/message-prefetch.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadMessages: fromPromise(async () => {}),
  },
  guards: {
    "has a request": () => true,
  },
  actions: {
    "store the request": assign({}),
    "store the answer": assign({}),
    "remember the changes": assign({}),
    clear: assign({}),
  },
  delays: {
    untakenLimit: 1000,
  },
}).createMachine({
  id: "messagePrefetch",
  initial: "idle",
  on: {
    "conversation.pressed": {
      target: ".pressed",
      actions: {
        type: "store the request",
      },
    },
  },
  states: {
    idle: {
      entry: "clear",
    },
    pressed: {
      always: [
        {
          guard: "has a request",
          target: "requested",
        },
        {
          target: "idle",
        },
      ],
    },
    requested: {
      invoke: {
        id: "loadMessages",
        src: "loadMessages",
        onDone: {
          actions: {
            type: "store the answer",
          },
        },
        onError: "idle",
      },
      initial: "untaken",
      states: {
        untaken: {
          after: {
            untakenLimit: "#messagePrefetch.idle",
          },
          on: {
            "prefetch.taken": "taken",
            "messages.changed": {
              actions: {
                type: "remember the changes",
              },
            },
            "resync.requested": "#messagePrefetch.idle",
            "refetch.requested": "#messagePrefetch.idle",
            "users.changed": "#messagePrefetch.idle",
            "conversation.gone": "#messagePrefetch.idle",
          },
        },
        taken: {},
      },
    },
  },
})
