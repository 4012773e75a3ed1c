// Written by `npm run docs` from src/machines/sync/auto-sync.ts.
import { assign, enqueueActions, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadStatus: fromPromise(async () => {}),
    forceSync: fromPromise(async () => {}),
  },
  guards: {
    "is another run": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify when": enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    hear: raise({ type: "status.heard" }),
    ask: raise({ type: "status.asked" }),
    "keep the status": assign({}),
    "note that the tab is hidden": assign({}),
    "note that the tab is shown": assign({}),
  },
  delays: {
    pollDelay: () => 1000,
    knowledgeAges: 120000,
  },
}).createMachine({
  id: "autoSync",
  type: "parallel",
  states: {
    watching: {
      initial: "polling",
      on: {
        "status.asked": ".polling",
        "status.heard": ".waiting",
        "tab.hidden": {
          actions: "note that the tab is hidden",
        },
        "tab.shown": {
          target: ".polling",
          actions: "note that the tab is shown",
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
                type: "hear",
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
    knowledge: {
      initial: "none",
      on: {
        "status.heard": [
          {
            guard: {
              type: "is another run",
            },
            target: ".fresh",
            actions: [
              {
                type: "keep the status",
              },
              {
                type: "tellSession",
                params: {
                  type: "pages.outdated",
                },
              },
            ],
          },
          {
            target: ".fresh",
            actions: {
              type: "keep the status",
            },
          },
        ],
      },
      states: {
        none: {},
        fresh: {
          after: {
            knowledgeAges: "old",
          },
          on: {
            "clock.jumped": "old",
          },
        },
        old: {},
      },
    },
    forcing: {
      initial: "resting",
      states: {
        resting: {
          on: {
            "force.requested": "syncing",
          },
        },
        syncing: {
          exit: [
            "ask",
            {
              type: "tellSession",
              params: {
                type: "poll.due",
              },
            },
          ],
          invoke: {
            id: "forceSync",
            src: "forceSync",
            onDone: {
              target: "resting",
              actions: {
                type: "notify",
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
  },
})
