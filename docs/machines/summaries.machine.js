// Written by `npm run docs` from src/machines/client/summaries.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    fetchOrders: fromPromise(async () => {}),
    fetchPayments: fromPromise(async () => {}),
  },
  guards: {
    "has no client": () => true,
    "is about orders": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the request": assign({}),
    "keep the summary": assign({}),
    "forget the summary": assign({}),
  },
  delays: {},
}).createMachine({
  id: "summaries",
  initial: "idle",
  states: {
    idle: {
      entry: "forget the summary",
      on: {
        "summary.requested": [
          {
            guard: {
              type: "has no client",
            },
            actions: {
              type: "notify",
              params: {
                kind: "warning",
                text: "No linked client found",
              },
            },
          },
          {
            guard: {
              type: "is about orders",
            },
            target: "fetchingOrders",
            actions: {
              type: "keep the request",
            },
          },
          {
            target: "fetchingPayments",
            actions: {
              type: "keep the request",
            },
          },
        ],
      },
    },
    fetchingOrders: {
      invoke: {
        id: "fetchOrders",
        src: "fetchOrders",
        onDone: {
          target: "composed",
          actions: {
            type: "keep the summary",
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
    fetchingPayments: {
      invoke: {
        id: "fetchPayments",
        src: "fetchPayments",
        onDone: {
          target: "composed",
          actions: {
            type: "keep the summary",
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
    composed: {
      on: {
        "summary.taken": "idle",
      },
    },
  },
})
