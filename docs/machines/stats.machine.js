// Written by `npm run docs` from src/machines/list/stats.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadStats: fromPromise(async () => {}),
  },
  guards: {
    "is overtaken": () => true,
    "may pass by itself": () => true,
    "is another page": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "use page": assign({}),
    "show stats": assign({}),
    begin: assign({}),
    "note the change": assign({}),
    "count the failure": assign({}),
    "forget the failures": assign({}),
  },
  delays: {
    changesSettle: 1000,
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "stats",
  initial: "loading",
  on: {
    "page.chosen": {
      guard: {
        type: "is another page",
      },
      target: ".loading",
      actions: {
        type: "use page",
      },
    },
    "refresh.requested": {
      target: ".loading",
      actions: "forget the failures",
    },
  },
  states: {
    resting: {
      on: {
        "stats.outdated": "settling",
      },
    },
    settling: {
      after: {
        changesSettle: "loading",
      },
    },
    loading: {
      entry: "begin",
      invoke: {
        id: "loadStats",
        src: "loadStats",
        onDone: [
          {
            guard: "is overtaken",
            target: "settling",
            actions: {
              type: "show stats",
            },
          },
          {
            target: "resting",
            actions: {
              type: "show stats",
            },
          },
        ],
        onError: [
          {
            guard: {
              type: "may pass by itself",
            },
            target: "backingOff",
            actions: [
              {
                type: "notify failure",
              },
              "count the failure",
            ],
          },
          {
            guard: "is overtaken",
            target: "settling",
            actions: [
              {
                type: "notify failure",
              },
              "count the failure",
            ],
          },
          {
            target: "resting",
            actions: [
              {
                type: "notify failure",
              },
              "count the failure",
            ],
          },
        ],
      },
      on: {
        "stats.outdated": {
          actions: "note the change",
        },
      },
    },
    backingOff: {
      after: {
        retryDelay: "loading",
      },
    },
  },
})
