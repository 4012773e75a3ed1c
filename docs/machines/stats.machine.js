// Written by `npm run docs` from src/machines/list/stats.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadStats: fromPromise(async () => {}),
  },
  guards: {
    "was overtaken": () => true,
    "is temporary": () => true,
    "is another page": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "use page": assign({}),
    "count the change": assign({}),
    "mark the number as inexact": assign({}),
    "show stats": assign({}),
    "start counting": assign({}),
    "mark the answer as overtaken": assign({}),
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
      actions: [
        {
          type: "use page",
        },
        "mark the number as inexact",
      ],
    },
    "refetch.requested": {
      target: ".loading",
      actions: "reset the failure count",
    },
  },
  states: {
    idle: {
      on: {
        "stats.invalidated": {
          target: "debouncing",
          actions: "mark the number as inexact",
        },
        "unread.changed": {
          target: "debouncing",
          actions: "count the change",
        },
      },
    },
    debouncing: {
      after: {
        changesDebounce: "loading",
      },
      on: {
        "stats.invalidated": {
          actions: "mark the number as inexact",
        },
        "unread.changed": {
          actions: "count the change",
        },
      },
    },
    loading: {
      entry: "start counting",
      invoke: {
        id: "loadStats",
        src: "loadStats",
        onDone: [
          {
            guard: "was overtaken",
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
            guard: "was overtaken",
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
          actions: [
            "mark the answer as overtaken",
            "mark the number as inexact",
          ],
        },
        "unread.changed": {
          actions: [
            "mark the answer as overtaken",
            "count the change",
          ],
        },
      },
    },
    backingOff: {
      after: {
        retryDelay: "loading",
      },
      on: {
        "stats.invalidated": {
          actions: "mark the number as inexact",
        },
        "unread.changed": {
          actions: "count the change",
        },
      },
    },
  },
})
