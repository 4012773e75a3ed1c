// Written by `npm run docs` from src/machines/shell/search.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    search: fromPromise(async () => {}),
  },
  guards: {
    "can be searched": () => true,
    "has more": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "keep the term": assign({}),
    "forget the hits": assign({}),
    "keep the hits": assign({}),
    "choose the group": assign({}),
    "add the hits": assign({}),
  },
  delays: {
    searchDebounce: 300,
  },
}).createMachine({
  id: "search",
  initial: "idle",
  on: {
    "term.typed": [
      {
        guard: {
          type: "can be searched",
        },
        target: ".debouncing",
        actions: {
          type: "keep the term",
        },
      },
      {
        target: ".idle",
      },
    ],
  },
  states: {
    idle: {
      entry: "forget the hits",
    },
    debouncing: {
      after: {
        searchDebounce: "searching",
      },
    },
    searching: {
      invoke: {
        id: "search",
        src: "search",
        onDone: {
          target: "found",
          actions: {
            type: "keep the hits",
          },
        },
        onError: {
          target: "failed",
          actions: [
            "forget the hits",
            {
              type: "notify failure",
            },
          ],
        },
      },
    },
    found: {
      on: {
        "more.requested": {
          guard: {
            type: "has more",
          },
          target: "loadingMore",
          actions: {
            type: "choose the group",
          },
        },
      },
    },
    loadingMore: {
      invoke: {
        id: "searchMore",
        src: "search",
        onDone: {
          target: "found",
          actions: {
            type: "add the hits",
          },
        },
        onError: {
          target: "found",
          actions: {
            type: "notify failure",
          },
        },
      },
    },
    failed: {
      on: {
        "refetch.requested": "searching",
      },
    },
  },
})
