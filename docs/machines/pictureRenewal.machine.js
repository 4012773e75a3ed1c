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
    "note that it is shown": assign({}),
    "note that it is hidden": assign({}),
    "queue what runs out": assign({}),
    "take the answer": assign({}),
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
          type: "note that it is shown",
        },
        "queue what runs out",
      ],
    },
    "picture.hidden": {
      actions: {
        type: "note that it is hidden",
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
              actions: "queue what runs out",
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
                type: "take the answer",
              },
            },
            onError: {
              target: "idle",
              actions: {
                type: "take the answer",
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
