// Written by `npm run docs` from src/machines/comments/comment-count.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadCount: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is old": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "mark as old": assign({}),
    "expect a new count": assign({}),
    "keep the count": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    pause: 1000,
  },
}).createMachine({
  id: "commentCount",
  initial: "loading",
  states: {
    loading: {
      entry: "expect a new count",
      invoke: {
        id: "loadCount",
        src: "loadCount",
        onDone: {
          target: "known",
          actions: {
            type: "keep the count",
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
        "comments.changed": {
          actions: "mark as old",
        },
      },
    },
    known: {
      always: {
        guard: "is old",
        target: "old",
      },
      on: {
        "comments.changed": "old",
        "refetch.requested": "loading",
      },
    },
    old: {
      after: {
        pause: "loading",
      },
      on: {
        "refetch.requested": "loading",
      },
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#commentCount.loading",
          },
        },
        refused: {},
      },
      on: {
        "comments.changed": "old",
        "refetch.requested": "loading",
      },
    },
  },
})
