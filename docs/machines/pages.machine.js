// Written by `npm run docs` from src/machines/pages/pages.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadPages: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is disconnected": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    tellSession: enqueueActions(() => {}),
    "merge the answer": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "pages",
  initial: "loading",
  on: {
    "pages.invalidated": ".loading",
    "page.accepted": {
      guard: {
        type: "is disconnected",
      },
      target: ".loading",
    },
  },
  states: {
    loading: {
      invoke: {
        id: "loadPages",
        src: "loadPages",
        onDone: {
          target: "showing",
          actions: [
            {
              type: "merge the answer",
            },
            {
              type: "tellSession",
              params: {
                type: "pages.loaded",
              },
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
            target: "failed.refused",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    showing: {
      on: {
        "refetch.requested": "loading",
      },
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#pages.loading",
          },
        },
        refused: {},
      },
      on: {
        "refetch.requested": {
          target: "loading",
          actions: "reset the failure count",
        },
      },
    },
  },
})
