// Written by `npm run docs` from src/machines/session/code-entry.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    enterCode: fromPromise(async () => {}),
  },
  guards: {
    "has a code": () => true,
    "is about the code": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "show at the field": assign({}),
    "clear the message": assign({}),
  },
  delays: {},
}).createMachine({
  id: "codeEntry",
  initial: "asking",
  on: {
    "dialog.dismissed": ".cancelled",
  },
  states: {
    asking: {
      on: {
        "code.submitted": {
          guard: {
            type: "has a code",
          },
          target: "checking",
          actions: "clear the message",
        },
      },
    },
    checking: {
      invoke: {
        id: "enterCode",
        src: "enterCode",
        onDone: "completed",
        onError: [
          {
            guard: {
              type: "is about the code",
            },
            target: "asking",
            actions: {
              type: "show at the field",
            },
          },
          {
            target: "asking",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    completed: {
      type: "final",
    },
    cancelled: {
      type: "final",
    },
  },
})
