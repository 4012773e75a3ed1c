// Written by `npm run docs` from src/machines/client/shops.ts.
import { assign, enqueueActions, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadShops: fromPromise(async () => {}),
    connectShop: fromPromise(async () => {}),
    changeRun: fromPromise(async () => {}),
    disconnectShop: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is whole": () => true,
    "has no typed text": () => true,
    "was dismissed": () => true,
    "webhooks were removed": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the shops": assign({}),
    "keep the item": assign({}),
    "keep the change": assign({}),
    "begin a draft": assign({}),
    "change the draft": assign({}),
    "forget the draft": assign({}),
    "store the next target": assign({}),
    "forget the failure": assign({}),
    "show the failure": assign({}),
    "invalidate the shops": raise({ type: "shops.invalidated" }),
  },
  delays: {
    retryDelay: () => 1000,
    pollDelay: () => 1000,
  },
}).createMachine({
  id: "shops",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        shops: {
          initial: "loading",
          on: {
            "shops.invalidated": ".loading",
          },
          states: {
            loading: {
              invoke: {
                id: "loadShops",
                src: "loadShops",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "keep the shops",
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
            showing: {
              after: {
                pollDelay: "loading",
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
                    retryDelay: "#shops.open.shops.loading",
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
                  target: "editing",
                  actions: [
                    {
                      type: "keep the item",
                      params: {
                        item: null,
                      },
                    },
                    "begin a draft",
                  ],
                },
                "item.edited": {
                  target: "editing",
                  actions: [
                    {
                      type: "keep the item",
                    },
                    "begin a draft",
                  ],
                },
                "run.requested": {
                  target: "changing",
                  actions: [
                    {
                      type: "keep the item",
                    },
                    {
                      type: "keep the change",
                    },
                  ],
                },
                "deletion.requested": {
                  target: "asking",
                  actions: {
                    type: "keep the item",
                  },
                },
                "dialog.dismissed": "#shops.dismissed",
              },
            },
            editing: {
              on: {
                "draft.changed": {
                  actions: {
                    type: "change the draft",
                  },
                },
                "form.submitted": {
                  guard: "is whole",
                  target: "connecting",
                },
                "form.cancelled": {
                  target: "leaving",
                  actions: {
                    type: "store the next target",
                    params: {
                      isDismissed: false,
                    },
                  },
                },
                "dialog.dismissed": {
                  target: "leaving",
                  actions: {
                    type: "store the next target",
                    params: {
                      isDismissed: true,
                    },
                  },
                },
              },
            },
            leaving: {
              always: {
                guard: "has no typed text",
                target: "left",
              },
              on: {
                "discard.confirmed": "left",
                "discard.refused": "editing",
                "dialog.dismissed": "editing",
              },
            },
            left: {
              entry: "forget the draft",
              always: [
                {
                  guard: "was dismissed",
                  target: "#shops.dismissed",
                },
                {
                  target: "list",
                },
              ],
            },
            connecting: {
              entry: "forget the failure",
              exit: "invalidate the shops",
              invoke: {
                id: "connectShop",
                src: "connectShop",
                onDone: {
                  target: "list",
                  actions: [
                    "forget the draft",
                    {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "Shop connected. Its orders are being read.",
                      },
                    },
                  ],
                },
                onError: {
                  target: "editing",
                  actions: [
                    {
                      type: "show the failure",
                    },
                    {
                      type: "notify failure",
                    },
                  ],
                },
              },
            },
            changing: {
              exit: "invalidate the shops",
              invoke: {
                id: "changeRun",
                src: "changeRun",
                onDone: "list",
                onError: {
                  target: "list",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            asking: {
              on: {
                "deletion.confirmed": "disconnecting",
                "deletion.cancelled": "list",
                "dialog.dismissed": "list",
              },
            },
            disconnecting: {
              exit: "invalidate the shops",
              invoke: {
                id: "disconnectShop",
                src: "disconnectShop",
                onDone: [
                  {
                    guard: {
                      type: "webhooks were removed",
                    },
                    target: "list",
                    actions: {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "Shop disconnected",
                      },
                    },
                  },
                  {
                    target: "list",
                    actions: {
                      type: "notify",
                      params: {
                        kind: "warning",
                        text: "Shop disconnected. It could not be reached, so remove the webhooks of Staff Inbox in the shop.",
                      },
                    },
                  },
                ],
                onError: {
                  target: "list",
                  actions: {
                    type: "notify failure",
                  },
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
