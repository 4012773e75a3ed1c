// Written by `npm run docs` from src/machines/client/chats.ts.
import { assign, enqueueActions, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadConversationChats: fromPromise(async () => {}),
    searchConversations: fromPromise(async () => {}),
    changeChats: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is long enough": () => true,
    "is possible": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    notify: enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the chats": assign({}),
    "keep the term": assign({}),
    "clear the search results": assign({}),
    "show the search results": assign({}),
    "keep the step": assign({}),
    "forget the step": assign({}),
  },
  delays: {
    searchDebounce: 300,
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "chats",
  entry: raise({ type: "search.typed" }),
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        search: {
          initial: "idle",
          on: {
            "search.typed": [
              {
                guard: {
                  type: "is long enough",
                },
                target: ".debouncing",
                actions: {
                  type: "keep the term",
                },
              },
              {
                target: ".idle",
                actions: [
                  {
                    type: "keep the term",
                  },
                  "clear the search results",
                ],
              },
            ],
          },
          states: {
            idle: {},
            debouncing: {
              after: {
                searchDebounce: "searching",
              },
            },
            searching: {
              invoke: {
                id: "searchConversations",
                src: "searchConversations",
                onDone: {
                  target: "idle",
                  actions: {
                    type: "show the search results",
                  },
                },
                onError: {
                  target: "failed",
                  actions: [
                    "clear the search results",
                    {
                      type: "notify failure",
                    },
                  ],
                },
              },
            },
            failed: {
              on: {
                "refetch.requested": "searching",
              },
            },
          },
        },
        work: {
          initial: "loading",
          on: {
            "dialog.dismissed": "#chats.closed",
          },
          states: {
            loading: {
              invoke: {
                id: "loadConversationChats",
                src: "loadConversationChats",
                onDone: {
                  target: "choosing",
                  actions: {
                    type: "keep the chats",
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
                    retryDelay: "#chats.open.work.loading",
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
            choosing: {
              on: {
                "step.chosen": {
                  guard: {
                    type: "is possible",
                  },
                  target: "confirming",
                  actions: {
                    type: "keep the step",
                  },
                },
              },
            },
            confirming: {
              on: {
                "step.confirmed": "changing",
                "step.cancelled": {
                  target: "choosing",
                  actions: "forget the step",
                },
                "dialog.dismissed": {
                  target: "choosing",
                  actions: "forget the step",
                },
              },
            },
            changing: {
              on: {
                "dialog.dismissed": {},
              },
              invoke: {
                id: "changeChats",
                src: "changeChats",
                onDone: {
                  target: "#chats.closed",
                  actions: [
                    {
                      type: "tellSession",
                    },
                    {
                      type: "notify",
                    },
                  ],
                },
                onError: {
                  target: "loading",
                  actions: [
                    {
                      type: "notify failure",
                    },
                    "forget the step",
                  ],
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
