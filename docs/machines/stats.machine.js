// Written by `npm run docs` from src/machines/list/stats.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadStats: fromPromise(async () => {}),
  },
  guards: {
    "was invalidated meanwhile": () => true,
    "is temporary": () => true,
    "is another page": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "use page": assign({}),
    "show stats": assign({}),
    begin: assign({}),
    "remember the change": assign({}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
  },
  delays: {
    changesDebounce: 1000,
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
    "refetch.requested": {
      target: ".loading",
      actions: "reset the failure count",
    },
  },
  states: {
    idle: {
      on: {
        "stats.invalidated": "debouncing",
      },
    },
    debouncing: {
      after: {
        changesDebounce: "loading",
      },
    },
    loading: {
      entry: "begin",
      invoke: {
        id: "loadStats",
        src: "loadStats",
        onDone: [
          {
            guard: "was invalidated meanwhile",
            target: "debouncing",
            actions: {
              type: "show stats",
            },
          },
          {
            target: "idle",
            actions: {
              type: "show stats",
            },
          },
        ],
        onError: [
          {
            guard: {
              type: "is temporary",
            },
            target: "backingOff",
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
            guard: "was invalidated meanwhile",
            target: "debouncing",
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
            target: "idle",
            actions: [
              {
                type: "notify failure",
              },
              {
                type: "count the failure",
              },
            ],
          },
        ],
      },
      on: {
        "stats.invalidated": {
          actions: "remember the change",
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
