// Written by `npm run docs` from src/machines/send/reactions.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    react: fromPromise(async () => {}),
  },
  guards: {
    "has a wish": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the wish": assign({}),
    "take the first wish": assign({}),
    "forget the sent wish": assign({}),
  },
  delays: {},
}).createMachine({
  id: "reactions",
  initial: "idle",
  on: {
    "reaction.chosen": {
      actions: {
        type: "keep the wish",
      },
    },
  },
  states: {
    idle: {
      always: {
        guard: "has a wish",
        target: "sending",
      },
    },
    sending: {
      entry: "take the first wish",
      exit: "forget the sent wish",
      invoke: {
        id: "react",
        src: "react",
        onDone: {
          target: "idle",
          actions: {
            type: "tellSession",
            params: {
              type: "messages.changed",
            },
          },
        },
        onError: {
          target: "idle",
          actions: {
            type: "notify failure",
          },
        },
      },
    },
  },
})
