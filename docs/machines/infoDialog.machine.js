// Written by `npm run docs` from src/machines/shell/info-dialog.ts.
import { setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {},
  actions: {},
  delays: {},
}).createMachine({
  id: "infoDialog",
  initial: "open",
  states: {
    open: {
      on: {
        "dialog.dismissed": "dismissed",
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
