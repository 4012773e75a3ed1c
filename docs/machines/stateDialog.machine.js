// Written by `npm run docs` from src/machines/list/state-dialog.ts.
import { enqueueActions, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {},
  actions: {
    "request the change": enqueueActions(() => {}),
  },
  delays: {},
}).createMachine({
  id: "stateDialog",
  initial: "open",
  states: {
    open: {
      on: {
        "dialog.dismissed": "closed",
        "decision.made": {
          target: "closed",
          actions: {
            type: "request the change",
          },
        },
      },
    },
    closed: {
      type: "final",
    },
  },
})
