// Written by `npm run docs` from src/machines/list/saved-filters.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadFilters: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is newer": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the filters": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "savedFilters",
  initial: "loading",
  on: {
    "savedFilters.told": {
      actions: {
        type: "keep the filters",
      },
    },
  },
  states: {
    loading: {
      invoke: {
        id: "loadFilters",
        src: "loadFilters",
        onDone: {
          target: "known",
          actions: {
            type: "keep the filters",
          },
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
            target: "failed.refused",
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
        "savedFilters.changed": {
          target: "loading",
          reenter: true,
        },
      },
    },
    known: {
      on: {
        "refetch.requested": "loading",
        "savedFilters.changed": {
          guard: {
            type: "is newer",
          },
          target: "loading",
        },
      },
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#savedFilters.loading",
          },
        },
        refused: {},
      },
      on: {
        "refetch.requested": "loading",
        "savedFilters.changed": "loading",
        "savedFilters.told": {
          target: "#savedFilters.known",
          actions: {
            type: "keep the filters",
          },
        },
      },
    },
  },
})
