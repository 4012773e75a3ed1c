// Written by `npm run docs` from src/machines/send/unsent.ts.
import { assign, enqueueActions, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {
    "is about one message": () => true,
  },
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
      always: {
        guard: "is about one message",
        target: "askingAlone",
      },
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
          actions: [
            {
              type: "tellOwners",
              params: {
                type: "send.discarded",
              },
            },
            {
              type: "forget the message",
            },
          ],
        },
        "discard.refused": {
          target: "listing",
          actions: {
            type: "forget the message",
          },
        },
        "dialog.dismissed": {
          target: "listing",
          actions: {
            type: "forget the message",
          },
        },
      },
    },
    askingAlone: {
      on: {
        "discard.confirmed": {
          target: "closed",
          actions: [
            {
              type: "tellOwners",
              params: {
                type: "send.discarded",
              },
            },
            {
              type: "forget the message",
            },
          ],
        },
        "discard.refused": {
          target: "closed",
          actions: {
            type: "forget the message",
          },
        },
        "dialog.dismissed": {
          target: "closed",
          actions: {
            type: "forget the message",
          },
        },
      },
    },
    closed: {
      type: "final",
    },
  },
})
