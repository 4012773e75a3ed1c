// Written by `npm run docs` from src/machines/faq/faq-test.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    testMatch: fromPromise(async () => {}),
  },
  guards: {
    "has a message": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "keep the message": assign({}),
    "keep the page": assign({}),
    "show the result": assign({}),
    "forget the result": assign({}),
  },
  delays: {},
}).createMachine({
  id: "faqTest",
  on: {
    "message.typed": {
      actions: {
        type: "keep the message",
      },
    },
  },
  initial: "idle",
  states: {
    idle: {
      on: {
        "test.requested": {
          guard: "has a message",
          target: "testing",
        },
        "result.invalidated": {
          actions: "forget the result",
        },
        "page.chosen": {
          actions: [
            {
              type: "keep the page",
            },
            "forget the result",
          ],
        },
      },
    },
    testing: {
      entry: "forget the result",
      invoke: {
        id: "testMatch",
        src: "testMatch",
        onDone: {
          target: "idle",
          actions: {
            type: "show the result",
          },
        },
        onError: {
          target: "idle",
          actions: {
            type: "notify failure",
          },
        },
      },
      on: {
        "result.invalidated": {
          target: "testing",
          reenter: true,
        },
        "page.chosen": {
          target: "testing",
          reenter: true,
          actions: {
            type: "keep the page",
          },
        },
      },
    },
  },
})
