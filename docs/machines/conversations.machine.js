// Written by `npm run docs` from src/machines/list/conversations.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadTop: fromPromise(async () => {}),
    loadPage: fromPromise(async () => {}),
  },
  guards: {
    "is another search": () => true,
    "is another page": () => true,
    "is the other choice": () => true,
    "is another query": () => true,
    "has more": () => true,
    "is stale": () => true,
    "owes a resync": () => true,
    "may pass by itself": () => true,
    "is to be tried again": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    tellRecords: enqueueActions(() => {}),
    "use query": assign({}),
    "begin the list": assign({}),
    "begin a refresh": assign({}),
    "begin a page": assign({}),
    "show the list": assign({}),
    "merge the top": assign({}),
    "append the page": assign({}),
    "mark stale": assign({}),
    "fetch it again": assign({}),
    "owe a resync": assign({}),
    "owe nothing": assign({}),
    "note changed messages": assign({}),
    "note changed people": assign({}),
    "hold what was read": assign({}),
    "note the asking": assign({}),
    "forget the asking": assign({}),
    "count the failure": assign({}),
  },
  delays: {
    searchSettles: 500,
    refreshInterval: 1000,
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "conversations",
  initial: "loading",
  on: {
    "search.typed": {
      guard: {
        type: "is another search",
      },
      target: ".settling",
      actions: {
        type: "use query",
      },
    },
    "page.chosen": {
      guard: {
        type: "is another page",
      },
      target: ".loading",
      actions: {
        type: "use query",
      },
    },
    "unreadOnly.chosen": {
      guard: {
        type: "is the other choice",
      },
      target: ".loading",
      actions: {
        type: "use query",
      },
    },
    "query.opened": {
      guard: {
        type: "is another query",
      },
      target: ".loading",
      actions: {
        type: "use query",
      },
    },
    "refresh.requested": {
      actions: [
        "note the asking",
        {
          type: "mark stale",
          params: {
            stale: {
              depth: "all",
              rows: [],
            },
          },
        },
      ],
    },
    "list.outdated": {
      actions: {
        type: "mark stale",
        params: {
          stale: {
            depth: "top",
            rows: [],
          },
        },
      },
    },
    "messages.changed": {
      actions: {
        type: "note changed messages",
      },
    },
    "users.changed": {
      actions: {
        type: "note changed people",
      },
    },
    "conversation.read": {
      actions: {
        type: "hold what was read",
      },
    },
    "resync.requested": {
      actions: "owe a resync",
    },
  },
  states: {
    settling: {
      after: {
        searchSettles: "loading",
      },
    },
    loading: {
      entry: "begin the list",
      invoke: {
        id: "loadTop",
        src: "loadTop",
        onDone: [
          {
            guard: "owes a resync",
            target: "loaded",
            actions: [
              {
                type: "tellRecords",
                params: {
                  type: "conversations.fetched",
                },
              },
              {
                type: "show the list",
              },
              {
                type: "tellRecords",
                params: {
                  type: "conversations.listed",
                },
              },
              "owe nothing",
              {
                type: "tellSession",
                params: {
                  type: "resync.done",
                  from: "conversations",
                },
              },
            ],
          },
          {
            target: "loaded",
            actions: [
              {
                type: "tellRecords",
                params: {
                  type: "conversations.fetched",
                },
              },
              {
                type: "show the list",
              },
              {
                type: "tellRecords",
                params: {
                  type: "conversations.listed",
                },
              },
            ],
          },
        ],
        onError: [
          {
            guard: {
              type: "may pass by itself",
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
            actions: [
              {
                type: "notify failure",
              },
              {
                type: "count the failure",
              },
            ],
          },
        ],
      },
      on: {
        "resync.requested": {
          target: "loading",
          reenter: true,
          actions: "owe a resync",
        },
      },
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#conversations.loading",
          },
        },
        refused: {
          after: {
            retryDelay: {
              guard: "owes a resync",
              target: "#conversations.loading",
            },
          },
        },
      },
      on: {
        "refresh.requested": {
          target: "loading",
          actions: "note the asking",
        },
        "list.outdated": "loading",
        "resync.requested": {
          target: "loading",
          actions: "owe a resync",
        },
      },
    },
    loaded: {
      type: "parallel",
      states: {
        paging: {
          initial: "resting",
          states: {
            resting: {
              on: {
                "more.requested": {
                  guard: "has more",
                  target: "loadingMore",
                },
              },
            },
            loadingMore: {
              entry: "begin a page",
              invoke: {
                id: "loadPage",
                src: "loadPage",
                onDone: {
                  target: "resting",
                  actions: [
                    {
                      type: "tellRecords",
                      params: {
                        type: "conversations.fetched",
                      },
                    },
                    {
                      type: "append the page",
                    },
                  ],
                },
                onError: {
                  target: "resting",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
          },
        },
        freshness: {
          initial: "fresh",
          states: {
            fresh: {
              always: {
                guard: "is stale",
                target: "refreshing",
              },
            },
            refreshing: {
              entry: "begin a refresh",
              invoke: {
                id: "refreshTop",
                src: "loadTop",
                onDone: [
                  {
                    guard: "owes a resync",
                    target: "cooling",
                    actions: [
                      {
                        type: "tellRecords",
                        params: {
                          type: "conversations.fetched",
                        },
                      },
                      {
                        type: "merge the top",
                      },
                      {
                        type: "tellRecords",
                        params: {
                          type: "conversations.listed",
                        },
                      },
                      "owe nothing",
                      {
                        type: "tellSession",
                        params: {
                          type: "resync.done",
                          from: "conversations",
                        },
                      },
                    ],
                  },
                  {
                    target: "cooling",
                    actions: [
                      {
                        type: "tellRecords",
                        params: {
                          type: "conversations.fetched",
                        },
                      },
                      {
                        type: "merge the top",
                      },
                      {
                        type: "tellRecords",
                        params: {
                          type: "conversations.listed",
                        },
                      },
                    ],
                  },
                ],
                onError: [
                  {
                    guard: {
                      type: "is to be tried again",
                    },
                    target: "backingOff",
                    actions: [
                      "fetch it again",
                      {
                        type: "notify failure",
                      },
                      {
                        type: "count the failure",
                      },
                    ],
                  },
                  {
                    target: "cooling",
                    actions: [
                      {
                        type: "notify failure",
                      },
                      "forget the asking",
                    ],
                  },
                ],
              },
              on: {
                "resync.requested": {
                  target: "refreshing",
                  reenter: true,
                  actions: "owe a resync",
                },
              },
            },
            cooling: {
              after: {
                refreshInterval: "fresh",
              },
              on: {
                "refresh.requested": {
                  target: "refreshing",
                  actions: [
                    "note the asking",
                    {
                      type: "mark stale",
                      params: {
                        stale: {
                          depth: "all",
                          rows: [],
                        },
                      },
                    },
                  ],
                },
                "resync.requested": {
                  target: "refreshing",
                  actions: "owe a resync",
                },
              },
            },
            backingOff: {
              after: {
                retryDelay: "refreshing",
              },
              on: {
                "refresh.requested": {
                  target: "refreshing",
                  actions: [
                    "note the asking",
                    {
                      type: "mark stale",
                      params: {
                        stale: {
                          depth: "all",
                          rows: [],
                        },
                      },
                    },
                  ],
                },
                "resync.requested": {
                  target: "refreshing",
                  actions: "owe a resync",
                },
              },
            },
          },
        },
      },
    },
  },
})
