// Written by `npm run docs` from src/machines/session/api-keys.ts.
import { assign, enqueueActions, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadApiKeys: fromPromise(async () => {}),
    createApiKey: fromPromise(async () => {}),
    revokeApiKey: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is whole": () => true,
    "has no typed text": () => true,
    "was dismissed": () => true,
    "may have been created": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the keys": assign({}),
    "keep the item": assign({}),
    "begin a draft": assign({}),
    "change the draft": assign({}),
    "store the next target": assign({}),
    "forget the failure": assign({}),
    "show the failure": assign({}),
    "show that the result is unknown": assign({}),
    "keep the secret": assign({}),
    "forget the secret": assign({}),
    "invalidate the keys": raise({ type: "keys.invalidated" }),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "apiKeys",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        keys: {
          initial: "loading",
          on: {
            "keys.invalidated": ".loading",
          },
          states: {
            loading: {
              invoke: {
                id: "loadApiKeys",
                src: "loadApiKeys",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "keep the keys",
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
              on: {
                "refetch.requested": "loading",
              },
            },
            failed: {
              initial: "waiting",
              states: {
                waiting: {
                  after: {
                    retryDelay: "#apiKeys.open.keys.loading",
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
                  actions: "begin a draft",
                },
                "deletion.requested": {
                  target: "asking",
                  actions: {
                    type: "keep the item",
                  },
                },
                "dialog.dismissed": "#apiKeys.dismissed",
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
                  target: "creating",
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
              always: [
                {
                  guard: "was dismissed",
                  target: "#apiKeys.dismissed",
                },
                {
                  target: "list",
                },
              ],
            },
            creating: {
              entry: "forget the failure",
              exit: "invalidate the keys",
              invoke: {
                id: "createApiKey",
                src: "createApiKey",
                onDone: {
                  target: "showingSecret",
                  actions: {
                    type: "keep the secret",
                  },
                },
                onError: [
                  {
                    guard: {
                      type: "may have been created",
                    },
                    target: "editing",
                    actions: [
                      "show that the result is unknown",
                      {
                        type: "notify failure",
                      },
                    ],
                  },
                  {
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
                ],
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
            asking: {
              on: {
                "deletion.confirmed": "revoking",
                "deletion.cancelled": "list",
                "dialog.dismissed": "list",
              },
            },
            revoking: {
              exit: "invalidate the keys",
              invoke: {
                id: "revokeApiKey",
                src: "revokeApiKey",
                onDone: {
                  target: "list",
                  actions: {
                    type: "notify",
                    params: {
                      kind: "success",
                      text: "Key revoked",
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
          },
        },
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
