// Written by `npm run docs` from src/machines/send/gone-conversations.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    isGone: fromPromise(async () => {}),
  },
  guards: {
    "has one to check": () => true,
    "is gone": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "queue the stored conversations": assign({}),
    "queue the stored conversations if the resync is over": assign({}),
    "remove the first": assign({}),
    "clear the queue": assign({}),
  },
  delays: {},
}).createMachine({
  id: "goneConversations",
  initial: "idle",
  entry: "queue the stored conversations if the resync is over",
  on: {
    "resync.done": {
      actions: "queue the stored conversations",
    },
  },
  states: {
    idle: {
      always: {
        guard: "has one to check",
        target: "checking",
      },
    },
    checking: {
      invoke: {
        id: "isGone",
        src: "isGone",
        onDone: [
          {
            guard: {
              type: "is gone",
            },
            target: "idle",
            actions: [
              {
                type: "tellSession",
                params: {
                  type: "conversation.gone",
                },
              },
              "remove the first",
            ],
          },
          {
            target: "idle",
            actions: "remove the first",
          },
        ],
        onError: {
          target: "idle",
          actions: "clear the queue",
        },
      },
    },
  },
})
