// Written by `npm run docs` from src/machines/sync/recent-sync.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    syncRecent: fromPromise(async () => {}),
    syncAllRecent: fromPromise(async () => {}),
  },
  guards: {
    "is of all pages": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify when": enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the page": assign({}),
  },
  delays: {},
}).createMachine({
  id: "recentSync",
  initial: "idle",
  states: {
    idle: {
      on: {
        "recentSync.requested": [
          {
            guard: {
              type: "is of all pages",
            },
            target: "syncing.all",
          },
          {
            target: "syncing.one",
            actions: {
              type: "keep the page",
            },
          },
        ],
      },
    },
    syncing: {
      initial: "one",
      exit: {
        type: "tellSession",
        params: {
          type: "inbox.invalidated",
        },
      },
      states: {
        one: {
          invoke: {
            id: "syncRecent",
            src: "syncRecent",
            onDone: {
              target: "#recentSync.idle",
              actions: {
                type: "notify",
              },
            },
            onError: {
              target: "#recentSync.idle",
              actions: {
                type: "notify failure",
              },
            },
          },
        },
        all: {
          invoke: {
            id: "syncAllRecent",
            src: "syncAllRecent",
            onDone: {
              target: "#recentSync.idle",
              actions: [
                {
                  type: "notify",
                },
                {
                  type: "notify when",
                },
              ],
            },
            onError: {
              target: "#recentSync.idle",
              actions: {
                type: "notify failure",
              },
            },
          },
        },
      },
    },
  },
})
