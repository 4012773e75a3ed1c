// Written by `npm run docs` from src/machines/session/webhooks.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    webhookForm: createMachine({}),
    webhookLog: createMachine({}),
    loadWebhooks: fromPromise(async () => {}),
    deleteWebhook: fromPromise(async () => {}),
    replaceWebhookSecret: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "was dismissed": () => true,
    "may have saved": () => true,
    "has a secret": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the endpoints": assign({}),
    "keep the item": assign({}),
    "keep the secret": assign({}),
    "forget the secret": assign({}),
    "invalidate the endpoints": raise({ type: "endpoints.invalidated" }),
    "request close of the form": sendTo("webhookForm", { type: "dialog.dismissed" }),
    "request close of the log": sendTo("webhookLog", { type: "dialog.dismissed" }),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "webhooks",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        list: {
          initial: "loading",
          on: {
            "endpoints.invalidated": ".loading",
          },
          states: {
            loading: {
              invoke: {
                id: "loadWebhooks",
                src: "loadWebhooks",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "keep the endpoints",
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
                    retryDelay: "#webhooks.open.list.loading",
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
                "dialog.dismissed": "#webhooks.dismissed",
                "log.requested": {
                  target: "log",
                  actions: {
                    type: "keep the item",
                  },
                },
                "replacement.requested": {
                  target: "askingToReplace",
                  actions: {
                    type: "keep the item",
                  },
                },
              },
            },
            form: {
              invoke: {
                id: "webhookForm",
                src: "webhookForm",
                onDone: [
                  {
                    guard: {
                      type: "was dismissed",
                    },
                    target: "#webhooks.dismissed",
                  },
                  {
                    guard: {
                      type: "has a secret",
                    },
                    target: "showingSecret",
                    actions: [
                      {
                        type: "keep the secret",
                      },
                      "invalidate the endpoints",
                    ],
                  },
                  {
                    guard: {
                      type: "may have saved",
                    },
                    target: "list",
                    actions: "invalidate the endpoints",
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
            showingSecret: {
              on: {
                "secret.taken": {
                  target: "list",
                  actions: "forget the secret",
                },
              },
            },
            log: {
              invoke: {
                id: "webhookLog",
                src: "webhookLog",
                onDone: [
                  {
                    guard: {
                      type: "was dismissed",
                    },
                    target: "#webhooks.dismissed",
                  },
                  {
                    target: "list",
                    actions: "invalidate the endpoints",
                  },
                ],
              },
              on: {
                "dialog.dismissed": {
                  actions: "request close of the log",
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
              exit: "invalidate the endpoints",
              invoke: {
                id: "deleteWebhook",
                src: "deleteWebhook",
                onDone: {
                  target: "list",
                  actions: {
                    type: "notify",
                    params: {
                      kind: "success",
                      text: "Webhook deleted",
                    },
                  },
                },
                onError: {
                  target: "list",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            askingToReplace: {
              on: {
                "replacement.confirmed": "replacing",
                "replacement.cancelled": "list",
                "dialog.dismissed": "list",
              },
            },
            replacing: {
              invoke: {
                id: "replaceWebhookSecret",
                src: "replaceWebhookSecret",
                onDone: {
                  target: "showingSecret",
                  actions: {
                    type: "keep the secret",
                  },
                },
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
