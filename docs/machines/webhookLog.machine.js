// Written by `npm run docs` from src/machines/session/webhook-log.ts.
import { assign, enqueueActions, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadDeliveries: fromPromise(async () => {}),
    resendDelivery: fromPromise(async () => {}),
    testWebhook: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "has more": () => true,
    "shows the first page": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "show the first page": assign({}),
    "add the page": assign({}),
    "keep the delivery": assign({}),
    "store the next target": assign({}),
    "invalidate the deliveries": raise({ type: "deliveries.invalidated" }),
  },
  delays: {
    refreshDelay: 3000,
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "webhookLog",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      on: {
        "log.closed": "closed",
        "dialog.dismissed": {
          target: "closed",
          actions: "store the next target",
        },
      },
      states: {
        list: {
          initial: "loading",
          on: {
            "deliveries.invalidated": ".loading",
          },
          states: {
            loading: {
              invoke: {
                id: "loadDeliveries",
                src: "loadDeliveries",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "show the first page",
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
              on: {
                "more.requested": {
                  guard: "has more",
                  target: "showing.loadingMore",
                },
              },
            },
            failed: {
              initial: "waiting",
              states: {
                waiting: {
                  after: {
                    retryDelay: "#webhookLog.open.list.loading",
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
                "refetch.requested": "loading",
              },
              states: {
                idle: {
                  on: {
                    "more.requested": {
                      guard: "has more",
                      target: "loadingMore",
                    },
                  },
                  after: {
                    refreshDelay: {
                      guard: "shows the first page",
                      target: "#webhookLog.open.list.loading",
                    },
                  },
                },
                loadingMore: {
                  invoke: {
                    id: "loadMore",
                    src: "loadDeliveries",
                    onDone: {
                      target: "idle",
                      actions: {
                        type: "add the page",
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
              },
            },
          },
        },
        work: {
          initial: "idle",
          states: {
            idle: {
              on: {
                "resend.requested": {
                  target: "resending",
                  actions: {
                    type: "keep the delivery",
                  },
                },
                "test.requested": "testing",
              },
            },
            resending: {
              exit: "invalidate the deliveries",
              invoke: {
                id: "resendDelivery",
                src: "resendDelivery",
                onDone: {
                  target: "idle",
                  actions: {
                    type: "notify",
                    params: {
                      kind: "success",
                      text: "The event is sent again",
                    },
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
            testing: {
              exit: "invalidate the deliveries",
              invoke: {
                id: "testWebhook",
                src: "testWebhook",
                onDone: {
                  target: "idle",
                  actions: {
                    type: "notify",
                    params: {
                      kind: "success",
                      text: "The test event is on its way",
                    },
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
          },
        },
      },
    },
    closed: {
      type: "final",
    },
  },
})
