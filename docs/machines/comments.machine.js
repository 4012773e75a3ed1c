// Written by `npm run docs` from src/machines/comments/comments.ts.
import { assign, createMachine, enqueueActions, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    commentThread: createMachine({}),
    loadThreads: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "has more": () => true,
    "is old": () => true,
    "has a thread": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the list": assign({}),
    "add the page": assign({}),
    "mark as old": assign({}),
    "expect a new list": assign({}),
    "show the view": assign({}),
    "change the filter": assign({}),
    "choose the thread": assign({}),
    "tell the thread": sendTo("commentThread", { type: "an event" }),
  },
  delays: {
    retryDelay: () => 1000,
    listPause: 1000,
    searchPause: 300,
  },
}).createMachine({
  id: "comments",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      on: {
        "dialog.dismissed": "closed",
      },
      states: {
        list: {
          initial: "loading",
          on: {
            "comments.changed": {
              actions: "mark as old",
            },
            "view.chosen": {
              target: ".loading",
              actions: {
                type: "show the view",
              },
            },
            "search.typed": {
              target: ".typing",
              actions: {
                type: "change the filter",
              },
            },
            "page.chosen": {
              target: ".loading",
              actions: {
                type: "change the filter",
              },
            },
            "post.chosen": {
              target: ".loading",
              actions: {
                type: "change the filter",
              },
            },
          },
          states: {
            typing: {
              after: {
                searchPause: "loading",
              },
            },
            loading: {
              entry: "expect a new list",
              invoke: {
                id: "loadThreads",
                src: "loadThreads",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "keep the list",
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
                  actions: "mark as old",
                },
              },
            },
            failed: {
              initial: "waiting",
              states: {
                waiting: {
                  after: {
                    retryDelay: "#comments.open.list.loading",
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
              states: {
                idle: {
                  always: {
                    guard: "is old",
                    target: "old",
                  },
                  on: {
                    "more.requested": {
                      guard: "has more",
                      target: "loadingMore",
                    },
                  },
                },
                old: {
                  after: {
                    listPause: "#comments.open.list.loading",
                  },
                  on: {
                    "more.requested": {
                      guard: "has more",
                      target: "loadingMore",
                    },
                  },
                },
                loadingMore: {
                  invoke: {
                    id: "loadMore",
                    src: "loadThreads",
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
        thread: {
          initial: "none",
          states: {
            none: {
              always: {
                guard: "has a thread",
                target: "chosen",
              },
              on: {
                "thread.chosen": {
                  target: "chosen",
                  actions: {
                    type: "choose the thread",
                  },
                },
              },
            },
            chosen: {
              invoke: {
                id: "commentThread",
                src: "commentThread",
              },
              on: {
                "thread.chosen": {
                  target: "chosen",
                  reenter: true,
                  actions: {
                    type: "choose the thread",
                  },
                },
                "comments.changed": {
                  actions: {
                    type: "tell the thread",
                  },
                },
                "thread.left": {
                  target: "none",
                  actions: {
                    type: "choose the thread",
                    params: {
                      id: null,
                    },
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
