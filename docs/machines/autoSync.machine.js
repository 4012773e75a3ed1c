// Written by `npm run docs` from src/machines/sync/auto-sync.ts.
import { assign, enqueueActions, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadStatus: fromPromise(async () => {}),
    forceSync: fromPromise(async () => {}),
  },
  guards: {
    "is a different run": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify when": enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "receive the status": raise({ type: "status.received" }),
    "refetch the status": raise({ type: "refetch.requested" }),
    "store the status": assign({}),
    "remember that the tab is hidden": assign({}),
    "remember that the tab is visible": assign({}),
  },
  delays: {
    pollDelay: () => 1000,
    statusMaxAge: 120000,
  },
}).createMachine({
  id: "autoSync",
  type: "parallel",
  states: {
    watching: {
      initial: "polling",
      on: {
        "refetch.requested": ".polling",
        "status.received": ".waiting",
        "tab.hidden": {
          actions: "remember that the tab is hidden",
        },
        "tab.shown": {
          target: ".polling",
          actions: "remember that the tab is visible",
        },
        "clock.jumped": ".polling",
      },
      states: {
        polling: {
          invoke: {
            id: "loadStatus",
            src: "loadStatus",
            onDone: {
              actions: {
                type: "receive the status",
              },
            },
            onError: "waiting",
          },
        },
        waiting: {
          after: {
            pollDelay: "polling",
          },
        },
      },
    },
    freshness: {
      initial: "none",
      on: {
        "status.received": [
          {
            guard: {
              type: "is a different run",
            },
            target: ".fresh",
            actions: [
              {
                type: "store the status",
              },
              {
                type: "tellSession",
                params: {
                  type: "pages.invalidated",
                },
              },
            ],
          },
          {
            target: ".fresh",
            actions: {
              type: "store the status",
            },
          },
        ],
      },
      states: {
        none: {},
        fresh: {
          after: {
            statusMaxAge: "old",
          },
          on: {
            "clock.jumped": "old",
          },
        },
        old: {},
      },
    },
    forcing: {
      initial: "idle",
      states: {
        idle: {
          on: {
            "force.requested": "syncing",
          },
        },
        syncing: {
          exit: [
            "refetch the status",
            {
              type: "tellSession",
              params: {
                type: "inbox.invalidated",
              },
            },
          ],
          invoke: {
            id: "forceSync",
            src: "forceSync",
            onDone: {
              target: "idle",
              actions: {
                type: "notify",
              },
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
  },
})
