// Written by `npm run docs` from src/machines/client/client-details.ts.
import { assign, enqueueActions, fromPromise, setup, stateIn } from 'xstate'

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
    "keep the client that it was merged into": assign({}),
    "keep the data": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    changeDelay: 1000,
    longestChangeDelay: 10000,
  },
}).createMachine({
  id: "clientDetails",
  initial: "loading",
  states: {
    loading: {
      entry: "start the request",
      initial: "current",
      states: {
        current: {
          on: {
            "clientData.changed": {
              guard: {
                type: "is about the client",
              },
              target: "outdated",
            },
          },
        },
        outdated: {},
      },
      invoke: {
        id: "loadClient",
        src: "loadClient",
        onDone: [
          {
            guard: stateIn({"loading":"outdated"}),
            target: "showing.changed",
            actions: [
              {
                type: "write to the owners",
              },
              {
                type: "keep the data",
              },
            ],
          },
          {
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
        ],
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
            actions: [
              {
                type: "notify failure",
              },
              {
                type: "keep the client that it was merged into",
              },
            ],
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
            longestChangeDelay: "refreshing",
          },
          on: {
            "refetch.requested": "refreshing",
          },
          initial: "pausing",
          states: {
            pausing: {
              after: {
                changeDelay: "#clientDetails.showing.refreshing",
              },
              on: {
                "clientData.changed": {
                  guard: {
                    type: "is about the client",
                  },
                  target: "pausing",
                  reenter: true,
                },
              },
            },
          },
        },
        refreshing: {
          entry: "start the request",
          initial: "current",
          states: {
            current: {
              on: {
                "clientData.changed": {
                  guard: {
                    type: "is about the client",
                  },
                  target: "outdated",
                },
              },
            },
            outdated: {},
          },
          invoke: {
            id: "refreshClient",
            src: "loadClient",
            onDone: [
              {
                guard: stateIn({"showing":{"refreshing":"outdated"}}),
                target: "changed",
                actions: [
                  {
                    type: "write to the owners",
                  },
                  {
                    type: "keep the data",
                  },
                ],
              },
              {
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
            ],
            onError: [
              {
                guard: {
                  type: "does not exist",
                },
                target: "#clientDetails.failed.missing",
                actions: [
                  {
                    type: "notify failure",
                  },
                  {
                    type: "keep the client that it was merged into",
                  },
                ],
              },
              {
                guard: stateIn({"showing":{"refreshing":"outdated"}}),
                target: "changed",
                actions: {
                  type: "notify failure",
                },
              },
              {
                target: "idle",
                actions: {
                  type: "notify failure",
                },
              },
            ],
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
