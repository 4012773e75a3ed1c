// Written by `npm run docs` from src/machines/thread/message-prefetch.ts.
import { assign, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadMessages: fromPromise(async () => {}),
  },
  guards: {
    "can be requested": () => true,
    "is this page": () => true,
    "is this page and has arrived": () => true,
    "was taken": () => true,
    "concerns the conversation": () => true,
  },
  actions: {
    "resolve the request": raise({ type: "prefetch.resolved" }),
    "store the request": assign({}),
    "store the answer": assign({}),
    "store the taker": assign({}),
    "remember the changes": assign({}),
    "give the stored page": () => {},
    "give the page": () => {},
    "give nothing": () => {},
    "let the taker load by itself": () => {},
    "pass on the failure": () => {},
    clear: assign({}),
  },
  delays: {
    untakenLimit: 1000,
  },
}).createMachine({
  id: "messagePrefetch",
  initial: "idle",
  on: {
    "prefetch.requested": {
      actions: {
        type: "resolve the request",
      },
    },
    "prefetch.resolved": {
      guard: {
        type: "can be requested",
      },
      target: ".requested",
      reenter: true,
      actions: [
        "let the taker load by itself",
        {
          type: "store the request",
        },
      ],
    },
    "page.requested": {
      actions: {
        type: "give nothing",
      },
    },
  },
  states: {
    idle: {
      entry: "clear",
    },
    requested: {
      invoke: {
        id: "loadMessages",
        src: "loadMessages",
        onDone: [
          {
            guard: "was taken",
            target: "idle",
            actions: {
              type: "give the page",
            },
          },
          {
            actions: {
              type: "store the answer",
            },
          },
        ],
        onError: [
          {
            guard: "was taken",
            target: "idle",
            actions: {
              type: "pass on the failure",
            },
          },
          "idle",
        ],
      },
      initial: "untaken",
      states: {
        untaken: {
          after: {
            untakenLimit: "#messagePrefetch.idle",
          },
          on: {
            "page.requested": [
              {
                guard: {
                  type: "is this page and has arrived",
                },
                target: "#messagePrefetch.idle",
                actions: {
                  type: "give the stored page",
                },
              },
              {
                guard: {
                  type: "is this page",
                },
                target: "taken",
                actions: {
                  type: "store the taker",
                },
              },
              {
                actions: {
                  type: "give nothing",
                },
              },
            ],
            "messages.changed": {
              actions: {
                type: "remember the changes",
              },
            },
            "users.changed": {
              guard: {
                type: "concerns the conversation",
              },
              target: "#messagePrefetch.idle",
            },
            "conversation.gone": {
              guard: {
                type: "concerns the conversation",
              },
              target: "#messagePrefetch.idle",
            },
            "resync.requested": "#messagePrefetch.idle",
            "refetch.requested": "#messagePrefetch.idle",
          },
        },
        taken: {},
      },
    },
  },
})
