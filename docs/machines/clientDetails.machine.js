// Written by `npm run docs` from src/machines/client/client-details.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadClient: fromPromise(async () => {}),
  },
  guards: {
    "may pass by itself": () => true,
    "is not there": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "keep the file": assign({}),
    "count the failure": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "clientDetails",
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "loadClient",
        src: "loadClient",
        onDone: {
          target: "showing",
          actions: {
            type: "keep the file",
          },
        },
        onError: [
          {
            guard: {
              type: "may pass by itself",
            },
            target: "failed.waiting",
            actions: [
              {
                type: "notify failure",
              },
              "count the failure",
            ],
          },
          {
            guard: {
              type: "is not there",
            },
            target: "failed.missing",
            actions: {
              type: "notify failure",
            },
          },
          {
            target: "failed.refused",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    showing: {
      initial: "resting",
      states: {
        resting: {
          on: {
            "refresh.requested": "refreshing",
          },
        },
        refreshing: {
          invoke: {
            id: "refreshClient",
            src: "loadClient",
            onDone: {
              target: "resting",
              actions: {
                type: "keep the file",
              },
            },
            onError: {
              target: "resting",
              actions: {
                type: "notify failure",
              },
            },
          },
        },
      },
    },
    failed: {
      initial: "waiting",
      on: {
        "refresh.requested": "loading",
      },
      states: {
        waiting: {
          after: {
            retryDelay: "#clientDetails.loading",
          },
        },
        missing: {},
        refused: {},
      },
    },
  },
})
