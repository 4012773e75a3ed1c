// Written by `npm run docs` from src/machines/comments/comment-thread.ts.
import { assign, createMachine, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    comment: createMachine({}),
    loadThread: fromPromise(async () => {}),
    finishThread: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is old": () => true,
    "is about the thread": () => true,
    "tells the thread": () => true,
    waits: () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "tell the comments": enqueueActions(() => {}),
    "mark as old": assign({}),
    "expect a new answer": assign({}),
    "keep the thread": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    pause: 300,
  },
}).createMachine({
  description: "The action \"keep the thread\" starts the child comment.",
  id: "commentThread",
  initial: "loading",
  states: {
    loading: {
      entry: "expect a new answer",
      on: {
        "comments.changed": {
          guard: {
            type: "is about the thread",
          },
          actions: "mark as old",
        },
      },
      invoke: {
        id: "loadThread",
        src: "loadThread",
        onDone: {
          target: "showing",
          actions: [
            {
              type: "tell the comments",
            },
            {
              type: "keep the thread",
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
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#commentThread.loading",
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
    showing: {
      initial: "idle",
      on: {
        "comments.changed": [
          {
            guard: {
              type: "tells the thread",
            },
            actions: [
              {
                type: "tell the comments",
              },
              {
                type: "keep the thread",
              },
            ],
          },
          {
            guard: {
              type: "is about the thread",
            },
            actions: "mark as old",
          },
        ],
        "thread.told": {
          actions: [
            {
              type: "tell the comments",
            },
            {
              type: "keep the thread",
            },
          ],
        },
        "thread.invalidated": {
          actions: "mark as old",
        },
      },
      states: {
        idle: {
          always: {
            guard: "is old",
            target: "old",
          },
          on: {
            "done.requested": {
              guard: "waits",
              target: "finishing",
            },
          },
        },
        old: {
          after: {
            pause: "#commentThread.loading",
          },
        },
        finishing: {
          invoke: {
            id: "finishThread",
            src: "finishThread",
            onDone: {
              target: "idle",
              actions: [
                {
                  type: "tell the comments",
                },
                {
                  type: "keep the thread",
                },
              ],
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
