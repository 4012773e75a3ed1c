// Written by `npm run docs` from src/machines/client/client-details.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadClient: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is about the client": () => true,
    "does not exist": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "write to the owners": enqueueActions(() => {}),
    "start the request": assign({}),
    "keep the data": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    changeDelay: 1000,
  },
}).createMachine({
  id: "clientDetails",
  initial: "loading",
  states: {
    loading: {
      entry: "start the request",
      invoke: {
        id: "loadClient",
        src: "loadClient",
        onDone: {
          target: "showing",
          actions: [
            {
              type: "write to the owners",
            },
            {
              type: "keep the data",
            },
          ],
        },
        onError: [
          {
            guard: {
              type: "is temporary",
            },
            target: "failed.waiting",
            actions: [
              {
                type: "notify failure",
              },
              {
                type: "count the failure",
              },
            ],
          },
          {
            guard: {
              type: "does not exist",
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
      initial: "idle",
      states: {
        idle: {
          on: {
            "refetch.requested": "refreshing",
            "clientData.changed": {
              guard: {
                type: "is about the client",
              },
              target: "changed",
            },
          },
        },
        changed: {
          after: {
            changeDelay: "refreshing",
          },
          on: {
            "refetch.requested": "refreshing",
          },
        },
        refreshing: {
          entry: "start the request",
          on: {
            "clientData.changed": {
              guard: {
                type: "is about the client",
              },
              target: "changed",
            },
          },
          invoke: {
            id: "refreshClient",
            src: "loadClient",
            onDone: {
              target: "idle",
              actions: [
                {
                  type: "write to the owners",
                },
                {
                  type: "keep the data",
                },
              ],
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
    },
    failed: {
      initial: "waiting",
      on: {
        "refetch.requested": {
          target: "loading",
          actions: "reset the failure count",
        },
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
