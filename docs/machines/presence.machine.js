// Written by `npm run docs` from src/machines/thread/presence.ts.
import { assign, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    renewPresence: fromPromise(async () => {}),
  },
  guards: {
    "is shown": () => true,
    "is not shown": () => true,
    "is another conversation": () => true,
    "is outdated": () => true,
    "has text": () => true,
  },
  actions: {
    "use the conversation": assign({}),
    "forget the conversation": assign({}),
    "remember that the tab is hidden": assign({}),
    "remember that the tab is visible": assign({}),
    "begin typing": assign({}),
    "end typing": assign({}),
    "tell that typing changed": raise({ type: "typing.changed" }),
    "mark as outdated": assign({}),
    "mark as told": assign({}),
    "forget the colleagues": assign({}),
    "keep the colleagues": assign({}),
    "apply the change": assign({}),
    "forget the expired": assign({}),
    "tell that this tab left": () => {},
  },
  delays: {
    renewalInterval: 3000,
    typingTimeout: 5000,
    expiryInterval: 1000,
  },
}).createMachine({
  id: "presence",
  initial: "away",
  on: {
    "tab.hidden": {
      actions: "remember that the tab is hidden",
    },
    "tab.shown": {
      actions: "remember that the tab is visible",
    },
    "conversation.closed": {
      actions: "forget the conversation",
    },
  },
  states: {
    away: {
      always: {
        guard: "is shown",
        target: "here",
      },
      on: {
        "conversation.opened": {
          actions: {
            type: "use the conversation",
          },
        },
      },
    },
    here: {
      type: "parallel",
      always: {
        guard: "is not shown",
        target: "away",
        actions: {
          type: "tell that this tab left",
        },
      },
      exit: [
        "end typing",
        "forget the colleagues",
      ],
      on: {
        "conversation.opened": {
          guard: {
            type: "is another conversation",
          },
          target: "here",
          reenter: true,
          actions: {
            type: "use the conversation",
          },
        },
        "presence.changed": {
          actions: {
            type: "apply the change",
          },
        },
      },
      states: {
        renewal: {
          initial: "renewing",
          states: {
            renewing: {
              entry: "mark as told",
              invoke: {
                id: "renewPresence",
                src: "renewPresence",
                onDone: {
                  target: "waiting",
                  actions: {
                    type: "keep the colleagues",
                  },
                },
                onError: "waiting",
              },
              on: {
                "typing.changed": {
                  actions: "mark as outdated",
                },
              },
            },
            waiting: {
              always: {
                guard: "is outdated",
                target: "renewing",
              },
              after: {
                renewalInterval: "renewing",
              },
              on: {
                "typing.changed": "renewing",
              },
            },
          },
        },
        typing: {
          initial: "idle",
          states: {
            idle: {
              on: {
                "reply.typed": {
                  guard: {
                    type: "has text",
                  },
                  target: "writing",
                  actions: [
                    "begin typing",
                    "tell that typing changed",
                  ],
                },
              },
            },
            writing: {
              after: {
                typingTimeout: {
                  target: "idle",
                  actions: [
                    "end typing",
                    "tell that typing changed",
                  ],
                },
              },
              on: {
                "reply.typed": [
                  {
                    guard: {
                      type: "has text",
                    },
                    target: "writing",
                    reenter: true,
                  },
                  {
                    target: "idle",
                    actions: [
                      "end typing",
                      "tell that typing changed",
                    ],
                  },
                ],
              },
            },
          },
        },
        expiry: {
          initial: "watching",
          states: {
            watching: {
              after: {
                expiryInterval: {
                  target: "watching",
                  reenter: true,
                  actions: "forget the expired",
                },
              },
            },
          },
        },
      },
    },
  },
})
