// Written by `npm run docs` from src/machines/list/picture-renewal.ts.
import { assign, fromPromise, not, setup } from 'xstate'

export const machine = setup({
  actors: {
    renewPicture: fromPromise(async () => {}),
  },
  guards: {
    "shows a picture": () => true,
    "has one to renew": () => true,
  },
  actions: {
    "add the picture": assign({}),
    "remove the picture": assign({}),
    "queue expiring pictures": assign({}),
    "store the new address": assign({}),
  },
  delays: {
    tick: 30000,
  },
}).createMachine({
  id: "pictureRenewal",
  on: {
    "picture.shown": {
      actions: [
        {
          type: "add the picture",
        },
        "queue expiring pictures",
      ],
    },
    "picture.hidden": {
      actions: {
        type: "remove the picture",
      },
    },
  },
  type: "parallel",
  states: {
    watching: {
      initial: "idle",
      states: {
        idle: {
          always: {
            guard: "shows a picture",
            target: "waiting",
          },
        },
        waiting: {
          always: {
            guard: not("shows a picture"),
            target: "idle",
          },
          after: {
            tick: {
              target: "waiting",
              reenter: true,
              actions: "queue expiring pictures",
            },
          },
        },
      },
    },
    renewal: {
      initial: "idle",
      states: {
        idle: {
          always: {
            guard: "has one to renew",
            target: "renewing",
          },
        },
        renewing: {
          invoke: {
            id: "renewPicture",
            src: "renewPicture",
            onDone: {
              target: "idle",
              actions: {
                type: "store the new address",
              },
            },
            onError: {
              target: "idle",
              actions: {
                type: "store the new address",
                params: {
                  address: null,
                },
              },
            },
          },
        },
      },
    },
  },
})
