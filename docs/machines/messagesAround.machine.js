// Written by `npm run docs` from src/machines/thread/messages-around.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadAround: fromPromise(async () => {}),
  },
  guards: {
    "is another conversation": () => true,
    "is of another thread": () => true,
    "is of the conversation": () => true,
    "has older messages": () => true,
    "has newer messages": () => true,
    "has no messages": () => true,
    "is missing": () => true,
    "is fetched again": () => true,
  },
  actions: {
    tellThread: () => {},
    "notify failure": enqueueActions(() => {}),
    "keep the message": assign({}),
    "keep the thread": assign({}),
    "forget everything": assign({}),
    "await a page": assign({}),
    "await all pages": assign({}),
    "remember the changes": assign({}),
    "apply the changes": assign({}),
    "keep the messages": assign({}),
    "add older messages": assign({}),
    "add newer messages": assign({}),
    "keep the page": assign({}),
    "replace the messages": assign({}),
  },
  delays: {},
}).createMachine({
  id: "messagesAround",
  initial: "none",
  on: {
    "message.requested": {
      target: ".loading",
      reenter: true,
      actions: [
        {
          type: "keep the message",
        },
        {
          type: "tellThread",
        },
      ],
    },
    "newest.requested": ".none",
    "conversation.closed": ".none",
    "conversation.opened": [
      {
        guard: {
          type: "is another conversation",
        },
        target: ".none",
      },
      {
        actions: {
          type: "tellThread",
        },
      },
    ],
    "thread.shown": [
      {
        guard: {
          type: "is of another thread",
        },
        target: ".none",
      },
      {
        guard: {
          type: "is of the conversation",
        },
        actions: {
          type: "keep the thread",
        },
      },
    ],
  },
  states: {
    none: {
      entry: "forget everything",
    },
    loading: {
      entry: "await a page",
      invoke: {
        id: "loadAround",
        src: "loadAround",
        onDone: {
          target: "showing",
          actions: {
            type: "keep the messages",
          },
        },
        onError: [
          {
            guard: {
              type: "is missing",
            },
            target: "missing",
          },
          {
            target: "failed",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
      on: {
        "messages.changed": {
          actions: {
            type: "remember the changes",
          },
        },
      },
    },
    missing: {},
    failed: {
      on: {
        "refetch.requested": "loading",
        "resync.requested": "loading",
      },
    },
    showing: {
      initial: "idle",
      always: {
        guard: "has no messages",
        target: "missing",
      },
      on: {
        "messages.changed": {
          actions: [
            {
              type: "apply the changes",
            },
            {
              type: "remember the changes",
            },
          ],
        },
        "refetch.requested": ".refetching",
        "resync.requested": ".refetching",
      },
      states: {
        idle: {
          entry: "await a page",
          on: {
            "older.requested": {
              guard: "has older messages",
              target: "loadingOlder",
            },
            "newer.requested": {
              guard: "has newer messages",
              target: "loadingNewer",
            },
            "messages.changed": {
              actions: {
                type: "apply the changes",
              },
            },
          },
        },
        loadingOlder: {
          entry: "await a page",
          invoke: {
            id: "loadOlderAround",
            src: "loadAround",
            onDone: {
              target: "idle",
              actions: {
                type: "add older messages",
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
        loadingNewer: {
          entry: "await a page",
          invoke: {
            id: "loadNewerAround",
            src: "loadAround",
            onDone: {
              target: "idle",
              actions: {
                type: "add newer messages",
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
        refetching: {
          entry: "await all pages",
          initial: "fetching",
          states: {
            fetching: {
              invoke: {
                id: "refetchAround",
                src: "loadAround",
                onDone: [
                  {
                    guard: {
                      type: "is fetched again",
                    },
                    target: "#messagesAround.showing.idle",
                    actions: {
                      type: "replace the messages",
                    },
                  },
                  {
                    target: "fetching",
                    reenter: true,
                    actions: {
                      type: "keep the page",
                    },
                  },
                ],
                onError: {
                  target: "#messagesAround.showing.outdated",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
          },
        },
        outdated: {
          entry: "await a page",
          on: {
            "messages.changed": {
              actions: {
                type: "apply the changes",
              },
            },
          },
        },
      },
    },
  },
})
