// Written by `npm run docs` from src/machines/list/conversations.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadTop: fromPromise(async () => {}),
    loadPage: fromPromise(async () => {}),
  },
  guards: {
    "is another search": () => true,
    "the chosen label is gone": () => true,
    "is another query": () => true,
    "has more": () => true,
    "is stale": () => true,
    "was overtaken by a resync": () => true,
    "requires a resync": () => true,
    "is temporary": () => true,
    "should retry": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    tellRecords: enqueueActions(() => {}),
    "use query": assign({}),
    "start a new list": assign({}),
    "start a refresh": assign({}),
    "start loading a result page": assign({}),
    "show the list": assign({}),
    "merge the first page": assign({}),
    "append the result page": assign({}),
    invalidate: assign({}),
    "invalidate the fetched part": assign({}),
    "require a resync": assign({}),
    "mark the list as overtaken": assign({}),
    "clear the required resync": assign({}),
    "move up rows with new messages": assign({}),
    "move rows by their states": assign({}),
    "invalidate rows of changed people": assign({}),
    "invalidate rows of changed clients": assign({}),
    "hold the read conversation": assign({}),
    "mark as requested": assign({}),
    "clear the requested mark": assign({}),
    "count the failure": assign({}),
  },
  delays: {
    searchDebounce: 500,
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
      target: ".debouncing",
      actions: {
        type: "use query",
      },
    },
    "page.chosen": {
      guard: {
        type: "is another query",
      },
      target: ".loading",
      actions: {
        type: "use query",
      },
    },
    "unreadOnly.chosen": {
      guard: {
        type: "is another query",
      },
      target: ".loading",
      actions: {
        type: "use query",
      },
    },
    "view.chosen": {
      guard: {
        type: "is another query",
      },
      target: ".loading",
      actions: {
        type: "use query",
      },
    },
    "filter.chosen": {
      guard: {
        type: "is another query",
      },
      target: ".loading",
      actions: {
        type: "use query",
      },
    },
    "labels.loaded": {
      guard: {
        type: "the chosen label is gone",
      },
      target: ".loading",
      actions: {
        type: "use query",
        params: {},
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
    "refetch.requested": {
      actions: [
        "mark as requested",
        {
          type: "invalidate",
          params: {
            stale: {
              depth: "all",
              rows: [],
            },
          },
        },
      ],
    },
    "list.invalidated": {
      actions: {
        type: "invalidate",
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
        type: "move up rows with new messages",
      },
    },
    "users.changed": {
      actions: {
        type: "invalidate rows of changed people",
      },
    },
    "clientData.changed": {
      actions: {
        type: "invalidate rows of changed clients",
      },
    },
    "conversation.read": {
      actions: {
        type: "hold the read conversation",
      },
    },
    "states.moved": {
      actions: {
        type: "move rows by their states",
      },
    },
    "resync.requested": {
      actions: "require a resync",
    },
  },
  states: {
    debouncing: {
      after: {
        searchDebounce: "loading",
      },
    },
    loading: {
      entry: "start a new list",
      invoke: {
        id: "loadTop",
        src: "loadTop",
        onDone: [
          {
            guard: "was overtaken by a resync",
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
          {
            guard: "requires a resync",
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
              "clear the required resync",
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
          actions: [
            "require a resync",
            "mark the list as overtaken",
          ],
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
              guard: "requires a resync",
              target: "#conversations.loading",
            },
          },
        },
      },
      on: {
        "refetch.requested": {
          target: "loading",
          actions: "mark as requested",
        },
        "list.invalidated": "loading",
        "resync.requested": {
          target: "loading",
          actions: "require a resync",
        },
      },
    },
    loaded: {
      type: "parallel",
      states: {
        paging: {
          initial: "idle",
          states: {
            idle: {
              on: {
                "more.requested": {
                  guard: "has more",
                  target: "loadingMore",
                },
              },
            },
            loadingMore: {
              entry: "start loading a result page",
              invoke: {
                id: "loadPage",
                src: "loadPage",
                onDone: {
                  target: "idle",
                  actions: [
                    {
                      type: "tellRecords",
                      params: {
                        type: "conversations.fetched",
                      },
                    },
                    {
                      type: "append the result page",
                    },
                  ],
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
              entry: "start a refresh",
              invoke: {
                id: "refreshTop",
                src: "loadTop",
                onDone: [
                  {
                    guard: "requires a resync",
                    target: "throttled",
                    actions: [
                      {
                        type: "tellRecords",
                        params: {
                          type: "conversations.fetched",
                        },
                      },
                      {
                        type: "merge the first page",
                      },
                      {
                        type: "tellRecords",
                        params: {
                          type: "conversations.listed",
                        },
                      },
                      "clear the required resync",
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
                    target: "throttled",
                    actions: [
                      {
                        type: "tellRecords",
                        params: {
                          type: "conversations.fetched",
                        },
                      },
                      {
                        type: "merge the first page",
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
                      type: "should retry",
                    },
                    target: "backingOff",
                    actions: [
                      "invalidate the fetched part",
                      {
                        type: "notify failure",
                      },
                      {
                        type: "count the failure",
                      },
                    ],
                  },
                  {
                    target: "throttled",
                    actions: [
                      {
                        type: "notify failure",
                      },
                      "clear the requested mark",
                    ],
                  },
                ],
              },
              on: {
                "resync.requested": {
                  target: "refreshing",
                  reenter: true,
                  actions: "require a resync",
                },
              },
            },
            throttled: {
              after: {
                refreshInterval: "fresh",
              },
              on: {
                "refetch.requested": {
                  target: "refreshing",
                  actions: [
                    "mark as requested",
                    {
                      type: "invalidate",
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
                  actions: "require a resync",
                },
              },
            },
            backingOff: {
              after: {
                retryDelay: "refreshing",
              },
              on: {
                "refetch.requested": {
                  target: "refreshing",
                  actions: [
                    "mark as requested",
                    {
                      type: "invalidate",
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
                  actions: "require a resync",
                },
              },
            },
          },
        },
      },
    },
  },
})
