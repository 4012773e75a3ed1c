// Written by `npm run docs` from src/machines/shell/notifications.ts.
import { and, assign, createMachine, enqueueActions, fromPromise, raise, sendTo, setup, stateIn } from 'xstate'

export const machine = setup({
  actors: {
    loadSettings: fromPromise(async () => {}),
    requestPermission: fromPromise(async () => {}),
    push: createMachine({}),
    watchBrowser: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    is: () => true,
    "needs no answer": () => true,
    "is the last gathered one without an answer": () => true,
    "is visible": () => true,
    "wants a sound": () => true,
    "wants a desktop notification": () => true,
    "has push": () => true,
    "the person looks here": stateIn({"attention":"here"}),
    "the person looks elsewhere": stateIn({"attention":"away"}),
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "keep the settings": assign({}),
    "count the failure": assign({}),
    "keep the conversation": assign({}),
    "keep whether push is on": assign({}),
    "tell push": sendTo("push", { type: "an event" }),
    "remember that the tab is hidden": assign({}),
    "remember that the tab is visible": assign({}),
    "raise for messages elsewhere": raise({ type: "an event" }),
    "raise for messages of the open conversation": raise({ type: "an event" }),
    "raise for ended snoozes": raise({ type: "an event" }),
    "remember the ended snoozes": assign({}),
    "raise for a mention": raise({ type: "an event" }),
    "raise for comments": raise({ type: "an event" }),
    "remember the gathered threads": assign({}),
    "play the sound": () => {},
    "show the notices": () => {},
    "close the notice": () => {},
    "forget the gathered thread": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "notifications",
  invoke: {
    id: "watchBrowser",
    src: "watchBrowser",
  },
  type: "parallel",
  on: {
    "conversation.closed": {
      actions: {
        type: "keep the conversation",
        params: {
          id: null,
        },
      },
    },
    "tab.shown": {
      actions: "remember that the tab is visible",
    },
    "tab.hidden": {
      actions: "remember that the tab is hidden",
    },
    "conversation.opened": {
      actions: [
        {
          type: "keep the conversation",
        },
        {
          type: "close the notice",
        },
      ],
    },
    "notice.clicked": {
      actions: {
        type: "tellSession",
        params: {
          type: "conversation.requested",
        },
      },
    },
    "notice.commentsClicked": {
      actions: {
        type: "tellSession",
        params: {
          type: "comments.requested",
        },
      },
    },
    "comments.changed": [
      {
        guard: {
          type: "is the last gathered one without an answer",
        },
        actions: [
          {
            type: "close the notice",
          },
          {
            type: "close the notice",
            params: {
              tag: "comments",
            },
          },
          {
            type: "forget the gathered thread",
          },
        ],
      },
      {
        guard: {
          type: "needs no answer",
        },
        actions: [
          {
            type: "close the notice",
          },
          {
            type: "forget the gathered thread",
          },
        ],
      },
    ],
  },
  states: {
    permission: {
      initial: "unknown",
      on: {
        "permission.changed": [
          {
            guard: {
              type: "is",
            },
            target: ".granted",
          },
          {
            guard: {
              type: "is",
            },
            target: ".denied",
          },
          {
            guard: {
              type: "is",
            },
            target: ".undecided",
          },
          {
            target: ".unsupported",
          },
        ],
      },
      states: {
        unknown: {},
        undecided: {
          on: {
            "permission.requested": "asking",
          },
        },
        asking: {
          invoke: {
            id: "requestPermission",
            src: "requestPermission",
            onDone: [
              {
                guard: {
                  type: "is",
                },
                target: "granted",
              },
              {
                guard: {
                  type: "is",
                },
                target: "denied",
              },
              {
                target: "undecided",
              },
            ],
            onError: "undecided",
          },
        },
        granted: {
          on: {
            "notices.due": {
              guard: {
                type: "wants a desktop notification",
              },
              actions: {
                type: "show the notices",
              },
            },
            "notice.tested": {
              actions: {
                type: "show the notices",
              },
            },
          },
        },
        denied: {},
        unsupported: {},
      },
    },
    sound: {
      initial: "ready",
      states: {
        ready: {
          on: {
            "notices.due": {
              guard: {
                type: "wants a sound",
              },
              actions: "play the sound",
            },
            "sound.tested": {
              actions: "play the sound",
            },
          },
        },
      },
    },
    attention: {
      initial: "away",
      states: {
        away: {
          on: {
            "window.focused": "here",
          },
        },
        here: {
          on: {
            "window.left": "away",
          },
        },
      },
    },
    push: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: "has push",
            target: "offered",
          },
        },
        offered: {
          invoke: {
            id: "push",
            src: "push",
            systemId: "push",
          },
          on: {
            "push.changed": {
              actions: {
                type: "keep whether push is on",
              },
            },
            "permission.changed": {
              actions: "tell push",
            },
            "tab.shown": {
              actions: [
                "remember that the tab is visible",
                "tell push",
              ],
            },
            "tab.hidden": {
              actions: [
                "remember that the tab is hidden",
                "tell push",
              ],
            },
          },
        },
      },
    },
    tab: {
      initial: "following",
      states: {
        following: {
          on: {
            "lead.gained": "leading",
            "settings.saved": {
              actions: {
                type: "keep the settings",
              },
            },
          },
        },
        leading: {
          initial: "loading",
          on: {
            "lead.lost": "following",
            "refetch.requested": ".loading",
            "settings.saved": {
              target: ".loaded",
              actions: {
                type: "keep the settings",
              },
            },
            "messages.announced": {
              actions: {
                type: "raise for messages elsewhere",
              },
            },
            "messages.changed": {
              guard: and(["is visible", "the person looks elsewhere"]),
              actions: {
                type: "raise for messages of the open conversation",
              },
            },
            "states.changed": [
              {
                guard: "the person looks here",
                actions: [
                  {
                    type: "raise for ended snoozes",
                  },
                  {
                    type: "remember the ended snoozes",
                  },
                ],
              },
              {
                actions: [
                  {
                    type: "raise for ended snoozes",
                  },
                  {
                    type: "remember the ended snoozes",
                  },
                ],
              },
            ],
            "note.changed": [
              {
                guard: "the person looks here",
                actions: {
                  type: "raise for a mention",
                },
              },
              {
                actions: {
                  type: "raise for a mention",
                },
              },
            ],
            "comments.announced": [
              {
                guard: "the person looks here",
                actions: [
                  {
                    type: "raise for comments",
                  },
                  {
                    type: "remember the gathered threads",
                  },
                ],
              },
              {
                actions: [
                  {
                    type: "raise for comments",
                  },
                  {
                    type: "remember the gathered threads",
                  },
                ],
              },
            ],
          },
          states: {
            loading: {
              invoke: {
                id: "loadSettings",
                src: "loadSettings",
                onDone: {
                  target: "loaded",
                  actions: {
                    type: "keep the settings",
                  },
                },
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
                    target: "refused",
                  },
                ],
              },
            },
            loaded: {},
            waiting: {
              after: {
                retryDelay: "loading",
              },
            },
            refused: {},
          },
        },
      },
    },
  },
})
