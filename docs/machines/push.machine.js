// Written by `npm run docs` from src/machines/shell/push.ts.
import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'

export const machine = setup({
  actors: {
    readDevice: fromPromise(async () => {}),
    subscribe: fromPromise(async () => {}),
    renewSubscription: fromPromise(async () => {}),
    unsubscribe: fromPromise(async () => {}),
    tellVisible: fromPromise(async () => {}),
    watchWorker: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    found: () => true,
    answered: () => true,
    "is blocked": () => true,
    "is not blocked": () => true,
    "is hidden": () => true,
    "is visible": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "keep the subscription": assign({}),
    "remember whether the tab is hidden": assign({}),
    "count the failure": assign({}),
    "tell that push changed": sendParent({ type: "push.changed" }),
    "tell that the tab is hidden": () => {},
  },
  delays: {
    retryDelay: () => 1000,
    visibleInterval: 25000,
  },
}).createMachine({
  id: "push",
  type: "parallel",
  invoke: {
    id: "watchWorker",
    src: "watchWorker",
  },
  on: {
    "tab.shown": {
      actions: {
        type: "remember whether the tab is hidden",
        params: {
          isHidden: false,
        },
      },
    },
    "tab.hidden": {
      actions: {
        type: "remember whether the tab is hidden",
        params: {
          isHidden: true,
        },
      },
    },
    "push.clicked": {
      actions: {
        type: "tellSession",
        params: {
          type: "conversation.requested",
        },
      },
    },
    "push.commentsClicked": {
      actions: {
        type: "tellSession",
        params: {
          type: "comments.requested",
        },
      },
    },
  },
  states: {
    device: {
      initial: "checking",
      states: {
        checking: {
          invoke: {
            id: "readDevice",
            src: "readDevice",
            onDone: [
              {
                guard: {
                  type: "found",
                },
                target: "on",
              },
              {
                guard: {
                  type: "found",
                },
                target: "off",
              },
              {
                guard: {
                  type: "found",
                },
                target: "denied",
              },
              {
                guard: {
                  type: "found",
                },
                target: "uninstalled",
              },
              {
                target: "unsupported",
              },
            ],
            onError: "unsupported",
          },
        },
        unsupported: {},
        uninstalled: {},
        denied: {
          on: {
            "permission.changed": {
              guard: {
                type: "is not blocked",
              },
              target: "checking",
            },
          },
        },
        off: {
          on: {
            "push.enabled": "subscribing",
            "permission.changed": {
              guard: {
                type: "is blocked",
              },
              target: "denied",
            },
          },
        },
        failed: {
          on: {
            "push.enabled": "subscribing",
            "permission.changed": {
              guard: {
                type: "is blocked",
              },
              target: "denied",
            },
          },
        },
        subscribing: {
          invoke: {
            id: "subscribe",
            src: "subscribe",
            onDone: [
              {
                guard: {
                  type: "answered",
                },
                target: "on.known",
                actions: {
                  type: "keep the subscription",
                },
              },
              {
                guard: {
                  type: "answered",
                },
                target: "denied",
              },
              {
                target: "off",
              },
            ],
            onError: "failed",
          },
        },
        on: {
          entry: {
            type: "tell that push changed",
            params: {
              isOn: true,
            },
          },
          exit: {
            type: "tell that push changed",
            params: {
              isOn: false,
            },
          },
          on: {
            "push.disabled": "unsubscribing",
            "push.replaced": ".renewing",
            "permission.changed": {
              guard: {
                type: "is blocked",
              },
              target: "denied",
            },
          },
          initial: "renewing",
          states: {
            renewing: {
              invoke: {
                id: "renewSubscription",
                src: "renewSubscription",
                onDone: [
                  {
                    guard: {
                      type: "answered",
                    },
                    target: "known",
                    actions: {
                      type: "keep the subscription",
                    },
                  },
                  {
                    target: "#push.device.off",
                  },
                ],
                onError: [
                  {
                    guard: {
                      type: "is temporary",
                    },
                    target: "waiting",
                    actions: {
                      type: "count the failure",
                    },
                  },
                  {
                    target: "#push.device.failed",
                  },
                ],
              },
            },
            waiting: {
              after: {
                retryDelay: "renewing",
              },
            },
            known: {},
          },
        },
        unsubscribing: {
          invoke: {
            id: "unsubscribe",
            src: "unsubscribe",
            onDone: "off",
            onError: "on",
          },
        },
      },
    },
    tab: {
      initial: "hidden",
      states: {
        hidden: {
          always: {
            guard: "is visible",
            target: "visible",
          },
        },
        visible: {
          always: {
            guard: "is hidden",
            target: "hidden",
            actions: "tell that the tab is hidden",
          },
          initial: "telling",
          states: {
            telling: {
              invoke: {
                id: "tellVisible",
                src: "tellVisible",
                onDone: "told",
                onError: "told",
              },
            },
            told: {
              after: {
                visibleInterval: "telling",
              },
            },
          },
        },
      },
    },
  },
})
