// Written by `npm run docs` from src/machines/send/product-card.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadProducts: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    tellOutbox: enqueueActions(() => {}),
    "keep the products": assign({}),
    "keep the chosen product": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "productCard",
  initial: "loading",
  on: {
    "dialog.dismissed": ".closed",
  },
  states: {
    loading: {
      invoke: {
        id: "loadProducts",
        src: "loadProducts",
        onDone: {
          target: "choosing",
          actions: {
            type: "keep the products",
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
            retryDelay: "#productCard.loading",
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
    choosing: {
      on: {
        "product.chosen": {
          target: "previewing",
          actions: {
            type: "keep the chosen product",
          },
        },
      },
    },
    previewing: {
      on: {
        "product.left": "choosing",
        "card.sent": {
          target: "closed",
          actions: {
            type: "tellOutbox",
            params: {
              type: "send.requested",
            },
          },
        },
      },
    },
    closed: {
      type: "final",
    },
  },
})
