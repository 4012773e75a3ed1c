// Written by `npm run docs` from src/machines/thread/thread.ts.
import { and, assign, createMachine, enqueueActions, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    watchConversation: fromPromise(async () => {}),
    findConversation: fromPromise(async () => {}),
    loadMessages: fromPromise(async () => {}),
    markRead: fromPromise(async () => {}),
    clientProfile: createMachine({}),
    clientOrders: createMachine({}),
    summaries: createMachine({}),
    sendRoute: createMachine({}),
    replyDecision: createMachine({}),
  },
  guards: {
    "is of this conversation": () => true,
    "has a conversation": () => true,
    "was found": () => true,
    "may pass by itself": () => true,
    "may be gone": () => true,
    "has another client": () => true,
    "has no client": () => true,
    "owes a resync": () => true,
    "has older messages to load": () => true,
    "owes a reading": () => true,
    "has nothing unseen": () => true,
    "may tell again": () => true,
    "has something unread in sight": () => true,
    "goes further back": () => true,
    "goes on to older ones": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellRecords: enqueueActions(() => {}),
    "begin to look for it": assign({}),
    "use the conversation": assign({}),
    "use the row": assign({}),
    "follow the row": assign({}),
    "begin the newest": assign({}),
    "merge the newest": assign({}),
    "want older ones": assign({}),
    "want no older ones": assign({}),
    "begin older ones": assign({}),
    "merge older ones": assign({}),
    apply: assign({}),
    "note what is unread": assign({}),
    "note what is unseen": assign({}),
    "forget what is unread": assign({}),
    remember: assign({}),
    "add what was sent": assign({}),
    "owe a resync": assign({}),
    "owe nothing": assign({}),
    "note that it was sought": assign({}),
    "forget the failures": assign({}),
    "count the failure": assign({}),
    "note that the tab is shown": assign({}),
    "note that the tab is hidden": assign({}),
    "note that the end is seen": assign({}),
    "note that the end is left": assign({}),
    "note that the refusal was told": assign({}),
    "owe a reading": assign({}),
    "owe no reading": assign({}),
    "note the asking": assign({}),
    "forget the asking": assign({}),
    "use no client": assign({}),
    "use the client": assign({}),
    "ask for a summary": sendTo("summaries", { type: "summary.requested" }),
    "ask for the route": sendTo("sendRoute", { type: "route.requested" }),
    "tell the route of the recipient": sendTo("sendRoute", { type: "recipient.changed" }),
    "tell the route": sendTo("sendRoute", { type: "messages.changed" }),
    "mark read here": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    readRetryDelay: 30000,
    readInterval: 1000,
  },
}).createMachine({
  id: "thread",
  type: "parallel",
  invoke: [
    {
      src: "watchConversation",
      id: "watchConversation",
    },
    {
      src: "summaries",
      id: "summaries",
    },
    {
      src: "sendRoute",
      id: "sendRoute",
    },
    {
      src: "replyDecision",
      id: "replyDecision",
    },
  ],
  on: {
    "conversation.changed": {
      actions: [
        {
          type: "follow the row",
        },
        "tell the route of the recipient",
      ],
    },
    "message.sent": {
      guard: {
        type: "is of this conversation",
      },
      actions: [
        {
          type: "add what was sent",
        },
        "forget what is unread",
      ],
    },
    "tab.shown": {
      actions: "note that the tab is shown",
    },
    "tab.hidden": {
      actions: "note that the tab is hidden",
    },
    "end.seen": {
      actions: "note that the end is seen",
    },
    "end.left": {
      actions: "note that the end is left",
    },
    "route.requested": {
      guard: "has a conversation",
      actions: {
        type: "ask for the route",
      },
    },
    "summary.requested": {
      actions: {
        type: "ask for a summary",
      },
    },
  },
  states: {
    content: {
      initial: "opening",
      states: {
        opening: {
          always: [
            {
              guard: "has a conversation",
              target: "loading",
            },
            {
              target: "finding",
            },
          ],
        },
        finding: {
          entry: "begin to look for it",
          invoke: {
            id: "findConversation",
            src: "findConversation",
            onDone: [
              {
                guard: {
                  type: "was found",
                },
                target: "loading",
                actions: [
                  {
                    type: "use the conversation",
                  },
                  {
                    type: "tellRecords",
                    params: {
                      type: "conversations.fetched",
                    },
                  },
                ],
              },
              {
                target: "notFound",
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
              target: "finding",
              reenter: true,
              actions: "owe a resync",
            },
          },
        },
        notFound: {
          always: {
            guard: "owes a resync",
            actions: [
              "owe nothing",
              {
                type: "tellSession",
                params: {
                  type: "resync.done",
                  from: "thread",
                },
              },
            ],
          },
          on: {
            "thread.reloaded": {
              target: "finding",
              actions: "forget the failures",
            },
            "conversation.changed": {
              target: "loading",
              actions: [
                {
                  type: "follow the row",
                },
                "tell the route of the recipient",
                "use the row",
              ],
            },
            "resync.requested": {
              target: "finding",
              actions: "owe a resync",
            },
          },
        },
        loading: {
          entry: "begin the newest",
          invoke: {
            id: "loadNewest",
            src: "loadMessages",
            onDone: [
              {
                guard: {
                  type: "goes further back",
                },
                target: "showing.resyncing",
                actions: [
                  {
                    type: "merge the newest",
                  },
                  {
                    type: "tellSession",
                    params: {
                      type: "messages.fetched",
                    },
                  },
                  "note what is unread",
                ],
              },
              {
                target: "showing",
                actions: [
                  {
                    type: "merge the newest",
                  },
                  {
                    type: "tellSession",
                    params: {
                      type: "messages.fetched",
                    },
                  },
                  "note what is unread",
                ],
              },
            ],
            onError: [
              {
                guard: {
                  type: "may be gone",
                },
                target: "#thread.content.finding",
                actions: "note that it was sought",
              },
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
            "messages.changed": {
              actions: [
                {
                  type: "remember",
                },
                {
                  type: "tell the route",
                },
              ],
            },
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
                retryDelay: "#thread.content.opening",
              },
            },
            refused: {
              after: {
                retryDelay: {
                  guard: "owes a resync",
                  target: "#thread.content.opening",
                },
              },
            },
          },
          on: {
            "messages.changed": {
              actions: {
                type: "tell the route",
              },
            },
            "thread.reloaded": {
              target: "opening",
              actions: "forget the failures",
            },
            "resync.requested": {
              target: "opening",
              actions: "owe a resync",
            },
          },
        },
        showing: {
          initial: "resting",
          on: {
            "messages.changed": {
              actions: [
                {
                  type: "apply",
                },
                "note what is unseen",
                {
                  type: "tell the route",
                },
              ],
            },
            "older.requested": {
              actions: "want older ones",
            },
            "resync.requested": {
              target: ".resyncing",
              actions: "owe a resync",
            },
            "thread.reloaded": {
              target: ".resyncing",
              actions: "forget the failures",
            },
          },
          states: {
            resting: {
              always: [
                {
                  guard: "owes a resync",
                  actions: [
                    "owe nothing",
                    {
                      type: "tellSession",
                      params: {
                        type: "resync.done",
                        from: "thread",
                      },
                    },
                  ],
                },
                {
                  guard: "has older messages to load",
                  target: "loadingOlder",
                  actions: "begin older ones",
                },
              ],
            },
            loadingOlder: {
              invoke: {
                id: "loadOlder",
                src: "loadMessages",
                onDone: [
                  {
                    guard: {
                      type: "goes on to older ones",
                    },
                    target: "loadingOlder",
                    reenter: true,
                    actions: [
                      {
                        type: "merge older ones",
                      },
                      {
                        type: "tellSession",
                        params: {
                          type: "messages.fetched",
                        },
                      },
                    ],
                  },
                  {
                    target: "resting",
                    actions: [
                      {
                        type: "merge older ones",
                      },
                      {
                        type: "tellSession",
                        params: {
                          type: "messages.fetched",
                        },
                      },
                      "want no older ones",
                    ],
                  },
                ],
                onError: {
                  target: "resting",
                  actions: [
                    "want no older ones",
                    {
                      type: "notify failure",
                    },
                  ],
                },
              },
              on: {
                "messages.changed": {
                  actions: [
                    {
                      type: "apply",
                    },
                    "note what is unseen",
                    {
                      type: "tell the route",
                    },
                    {
                      type: "remember",
                    },
                  ],
                },
              },
            },
            resyncing: {
              entry: "begin the newest",
              on: {
                "messages.changed": {
                  actions: [
                    {
                      type: "apply",
                    },
                    "note what is unseen",
                    {
                      type: "tell the route",
                    },
                    {
                      type: "remember",
                    },
                  ],
                },
              },
              initial: "fetching",
              states: {
                fetching: {
                  invoke: {
                    id: "refetchNewest",
                    src: "loadMessages",
                    onDone: [
                      {
                        guard: {
                          type: "goes further back",
                        },
                        target: "fetching",
                        reenter: true,
                        actions: [
                          {
                            type: "merge the newest",
                          },
                          {
                            type: "tellSession",
                            params: {
                              type: "messages.fetched",
                            },
                          },
                        ],
                      },
                      {
                        target: "#thread.content.showing.resting",
                        actions: [
                          {
                            type: "merge the newest",
                          },
                          {
                            type: "tellSession",
                            params: {
                              type: "messages.fetched",
                            },
                          },
                        ],
                      },
                    ],
                    onError: [
                      {
                        guard: {
                          type: "may be gone",
                        },
                        target: "#thread.content.finding",
                        actions: "note that it was sought",
                      },
                      {
                        guard: {
                          type: "may pass by itself",
                        },
                        target: "#thread.content.showing.backingOff",
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
                        target: "#thread.content.showing.outdated",
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
                },
              },
            },
            backingOff: {
              after: {
                retryDelay: "resyncing",
              },
            },
            outdated: {
              after: {
                retryDelay: {
                  guard: "owes a resync",
                  target: "resyncing",
                },
              },
            },
          },
        },
      },
    },
    reading: {
      initial: "resting",
      states: {
        resting: {
          always: {
            guard: "has something unread in sight",
            target: "marking",
          },
          on: {
            "read.requested": {
              guard: "has a conversation",
              target: "marking",
              actions: "note the asking",
            },
          },
        },
        marking: {
          entry: [
            "owe no reading",
            "mark read here",
            {
              type: "tellSession",
              params: {
                type: "conversation.read",
              },
            },
          ],
          invoke: {
            id: "markRead",
            src: "markRead",
            onDone: {
              target: "cooling",
              actions: "forget the asking",
            },
            onError: [
              {
                guard: {
                  type: "may pass by itself",
                },
                target: "waiting",
                actions: [
                  {
                    type: "notify failure",
                  },
                  "forget the asking",
                ],
              },
              {
                target: "cooling",
                actions: [
                  {
                    type: "notify failure",
                  },
                  {
                    type: "note that the refusal was told",
                  },
                  "forget the asking",
                ],
              },
            ],
          },
          always: {
            guard: "has something unread in sight",
            actions: [
              "owe a reading",
              "mark read here",
              {
                type: "tellSession",
                params: {
                  type: "conversation.read",
                },
              },
            ],
          },
          on: {
            "read.requested": {
              target: "marking",
              reenter: true,
              actions: "note the asking",
            },
          },
        },
        cooling: {
          always: {
            guard: "has something unread in sight",
            actions: [
              "owe a reading",
              "mark read here",
              {
                type: "tellSession",
                params: {
                  type: "conversation.read",
                },
              },
            ],
          },
          after: {
            readInterval: [
              {
                guard: and(["owes a reading", "has nothing unseen"]),
                target: "marking",
              },
              {
                guard: "owes a reading",
                target: "due",
              },
              {
                target: "resting",
              },
            ],
          },
          on: {
            "read.requested": {
              target: "marking",
              actions: "note the asking",
            },
          },
        },
        waiting: {
          always: {
            guard: "has something unread in sight",
            target: "cooling",
            actions: [
              "owe a reading",
              "mark read here",
              {
                type: "tellSession",
                params: {
                  type: "conversation.read",
                },
              },
            ],
          },
          after: {
            readRetryDelay: "due",
          },
          on: {
            "read.requested": {
              target: "marking",
              actions: "note the asking",
            },
          },
        },
        due: {
          always: {
            guard: "may tell again",
            target: "marking",
          },
          on: {
            "read.requested": {
              target: "marking",
              actions: "note the asking",
            },
          },
        },
      },
    },
    client: {
      initial: "none",
      states: {
        none: {
          always: {
            guard: "has another client",
            target: "linked",
          },
        },
        linked: {
          entry: "use the client",
          exit: "use no client",
          invoke: [
            {
              src: "clientProfile",
              id: "clientProfile",
              systemId: "clientProfile",
            },
            {
              src: "clientOrders",
              id: "clientOrders",
              systemId: "clientOrders",
            },
          ],
          always: [
            {
              guard: "has no client",
              target: "none",
            },
            {
              guard: "has another client",
              target: "linked",
              reenter: true,
            },
          ],
        },
      },
    },
  },
})
