// Written by `npm run docs` from src/machines/send/saved-replies.ts.
import { assign, enqueueActions, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadReplies: fromPromise(async () => {}),
    countUse: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "has a token": () => true,
    "has another token": () => true,
    "has a use to count": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep what is typed": assign({}),
    "keep the replies": assign({}),
    "move the active option": assign({}),
    "remember the button": assign({}),
    "forget the button": assign({}),
    "keep the insertion": assign({}),
    "forget the insertions": assign({}),
    "keep the accepted draft": assign({}),
    "queue the uses": assign({}),
    "remove the first use": assign({}),
    "count the failure of the use": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    useRetryDelay: () => 1000,
  },
}).createMachine({
  id: "savedReplies",
  type: "parallel",
  on: {
    "reply.inserted": {
      actions: {
        type: "keep the insertion",
      },
    },
    "draft.emptied": {
      actions: {
        type: "forget the insertions",
      },
    },
    "draft.accepted": {
      actions: {
        type: "keep the accepted draft",
      },
    },
    "message.sent": {
      actions: {
        type: "queue the uses",
      },
    },
  },
  states: {
    picker: {
      initial: "closed",
      on: {
        "slash.written": {
          actions: "remember the button",
        },
      },
      states: {
        closed: {
          on: {
            "composer.changed": [
              {
                guard: {
                  type: "has a token",
                },
                target: "open",
                actions: {
                  type: "keep what is typed",
                },
              },
              {
                actions: {
                  type: "keep what is typed",
                },
              },
            ],
          },
        },
        open: {
          entry: raise({ type: "list.needed" }),
          exit: "forget the button",
          on: {
            "composer.changed": [
              {
                guard: {
                  type: "has a token",
                },
                actions: {
                  type: "keep what is typed",
                },
              },
              {
                target: "closed",
                actions: {
                  type: "keep what is typed",
                },
              },
            ],
            "option.moved": {
              actions: {
                type: "move the active option",
              },
            },
            "picker.dismissed": "dismissed",
            "reply.inserted": {
              target: "closed",
              actions: {
                type: "keep the insertion",
              },
            },
          },
        },
        dismissed: {
          on: {
            "composer.changed": [
              {
                guard: {
                  type: "has another token",
                },
                target: "open",
                actions: {
                  type: "keep what is typed",
                },
              },
              {
                guard: {
                  type: "has a token",
                },
                actions: {
                  type: "keep what is typed",
                },
              },
              {
                target: "closed",
                actions: {
                  type: "keep what is typed",
                },
              },
            ],
          },
        },
      },
    },
    list: {
      initial: "idle",
      states: {
        idle: {
          on: {
            "list.needed": "loading",
          },
        },
        loading: {
          invoke: {
            id: "loadReplies",
            src: "loadReplies",
            onDone: {
              target: "idle",
              actions: {
                type: "keep the replies",
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
                retryDelay: "#savedReplies.list.loading",
              },
            },
            refused: {},
          },
          on: {
            "refetch.requested": {
              target: "loading",
              actions: "reset the failure count",
            },
            "list.needed": "loading",
          },
        },
      },
    },
    counting: {
      initial: "idle",
      states: {
        idle: {
          always: {
            guard: "has a use to count",
            target: "counting",
          },
        },
        counting: {
          invoke: {
            id: "countUse",
            src: "countUse",
            onDone: {
              target: "idle",
              actions: "remove the first use",
            },
            onError: [
              {
                guard: {
                  type: "is temporary",
                },
                target: "waiting",
                actions: {
                  type: "count the failure of the use",
                },
              },
              {
                target: "idle",
                actions: "remove the first use",
              },
            ],
          },
        },
        waiting: {
          after: {
            useRetryDelay: "counting",
          },
        },
      },
    },
  },
})
