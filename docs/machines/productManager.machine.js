// Written by `npm run docs` from src/machines/client/product-manager.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    itemForm: createMachine({}),
    loadItems: fromPromise(async () => {}),
    deleteItem: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "was dismissed": () => true,
    "may have saved": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the items": assign({}),
    "keep the item": assign({}),
    "remove the item from the list": assign({}),
    "invalidate the items": raise({ type: "items.invalidated" }),
    "request close of the form": sendTo("itemForm", { type: "dialog.dismissed" }),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "productManager",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        list: {
          initial: "loading",
          on: {
            "items.invalidated": ".loading",
          },
          states: {
            loading: {
              invoke: {
                id: "loadItems",
                src: "loadItems",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "keep the items",
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
            showing: {},
            failed: {
              initial: "waiting",
              states: {
                waiting: {
                  after: {
                    retryDelay: "#productManager.open.list.loading",
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
        },
        work: {
          initial: "list",
          states: {
            list: {
              on: {
                "item.added": {
                  target: "form",
                  actions: {
                    type: "keep the item",
                    params: {
                      item: null,
                    },
                  },
                },
                "item.edited": {
                  target: "form",
                  actions: {
                    type: "keep the item",
                  },
                },
                "deletion.requested": {
                  target: "asking",
                  actions: {
                    type: "keep the item",
                  },
                },
                "dialog.dismissed": "#productManager.dismissed",
              },
            },
            form: {
              invoke: {
                id: "itemForm",
                src: "itemForm",
                onDone: [
                  {
                    guard: {
                      type: "was dismissed",
                    },
                    target: "#productManager.dismissed",
                  },
                  {
                    guard: {
                      type: "may have saved",
                    },
                    target: "list",
                    actions: "invalidate the items",
                  },
                  {
                    target: "list",
                  },
                ],
              },
              on: {
                "dialog.dismissed": {
                  actions: "request close of the form",
                },
              },
            },
            asking: {
              on: {
                "deletion.confirmed": "deleting",
                "deletion.cancelled": "list",
                "dialog.dismissed": "list",
              },
            },
            deleting: {
              invoke: {
                id: "deleteItem",
                src: "deleteItem",
                onDone: {
                  target: "list",
                  actions: [
                    "remove the item from the list",
                    {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "Product deleted",
                      },
                    },
                    "invalidate the items",
                  ],
                },
                onError: {
                  target: "list",
                  actions: [
                    {
                      type: "notify failure",
                    },
                    "invalidate the items",
                  ],
                },
              },
            },
          },
        },
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
