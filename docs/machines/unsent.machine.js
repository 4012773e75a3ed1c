// Written by `npm run docs` from src/machines/send/unsent.ts.
import { assign, enqueueActions, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {},
  actions: {
    tellOwners: enqueueActions(() => {}),
    "keep the message": assign({}),
    "forget the message": assign({}),
  },
  delays: {},
}).createMachine({
  id: "unsent",
  initial: "listing",
  states: {
    listing: {
      entry: "forget the message",
      on: {
        "discard.requested": {
          target: "asking",
          actions: {
            type: "keep the message",
          },
        },
        "dialog.dismissed": "closed",
      },
    },
    asking: {
      on: {
        "discard.confirmed": {
          target: "listing",
          actions: {
            type: "tellOwners",
            params: {
              type: "send.discarded",
            },
          },
        },
        "discard.refused": "listing",
        "dialog.dismissed": "listing",
      },
    },
    closed: {
      type: "final",
    },
  },
})
