// Written by `npm run docs` from src/machines/session/sign-out.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    countElsewhere: fromPromise(async () => {}),
  },
  guards: {
    "deletes nothing": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "sign out": enqueueActions(() => {}),
    ask: enqueueActions(() => {}),
    "count the work of this tab": assign({}),
    "add the work outside this tab": assign({}),
  },
  delays: {
    flushTimeout: 3000,
  },
}).createMachine({
  id: "signOut",
  initial: "idle",
  states: {
    idle: {
      on: {
        "signOut.requested": "saving",
      },
    },
    saving: {
      entry: {
        type: "tellSession",
        params: {
          type: "flush.requested",
        },
      },
      on: {
        "drafts.flushed": "counting",
      },
      after: {
        flushTimeout: "counting",
      },
    },
    counting: {
      entry: "count the work of this tab",
      invoke: {
        id: "countElsewhere",
        src: "countElsewhere",
        onDone: {
          target: "deciding",
          actions: {
            type: "add the work outside this tab",
          },
        },
        onError: "deciding",
      },
    },
    deciding: {
      always: [
        {
          guard: "deletes nothing",
          target: "idle",
          actions: "sign out",
        },
        {
          target: "idle",
          actions: "ask",
        },
      ],
    },
  },
})
