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
    holdClients: fromPromise(async () => {}),
    summaries: createMachine({}),
    sendRoute: createMachine({}),
    replyDecision: createMachine({}),
  },
  guards: {
    "is of this conversation": () => true,
    "has a conversation": () => true,
    "shows a saved thread": () => true,
    "was found": () => true,
    "is temporary": () => true,
    "may have been deleted": () => true,
    "has another client": () => true,
    "has no client": () => true,
    "had no messages": () => true,
    "requires a resync": () => true,
    "has older messages to load": () => true,
    "requires marking as read": () => true,
    "has nothing unread out of view": () => true,
    "may mark as read now": () => true,
    "has unread messages in view": () => true,
    "has further pages to catch up": () => true,
    "needs a further older page": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    tellRecords: enqueueActions(() => {}),
    "start the look-up": assign({}),
    "use the conversation": assign({}),
    "use the row": assign({}),
    "follow the row": assign({}),
    "start loading the newest messages": assign({}),
    "merge the newest": assign({}),
    "request older messages": assign({}),
    "clear the request for older messages": assign({}),
    "start loading older messages": assign({}),
    "merge older messages": assign({}),
    "apply the changes": assign({}),
    "store the first unread message": assign({}),
    "store the first unseen message": assign({}),
    "clear the unread mark": assign({}),
    "remember the changes": assign({}),
    "add the sent message": assign({}),
    "require a resync": assign({}),
    "clear the required resync": assign({}),
    "remember the look-up": assign({}),
    "use the permissions": assign({}),
    "remember that the tab is visible": assign({}),
    "remember that the tab is hidden": assign({}),
    "remember that the end is in view": assign({}),
    "remember that the end is out of view": assign({}),
    "remember that the refusal was shown": assign({}),
    "require marking as read": assign({}),
    "clear the required marking as read": assign({}),
    "mark as requested": assign({}),
    "clear the requested mark": assign({}),
    "clear the client": assign({}),
    "use the client": assign({}),
    "request a summary": sendTo("summaries", { type: "summary.requested" }),
    "request the route": sendTo("sendRoute", { type: "route.requested" }),
    "send the recipient to the send route": sendTo("sendRoute", { type: "recipient.changed" }),
    "forward to the send route": sendTo("sendRoute", { type: "messages.changed" }),
    "invalidate the send route": sendTo("sendRoute", { type: "route.invalidated" }),
    "mark read locally": assign({}),
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
      systemId: "sendRoute",
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
        "send the recipient to the send route",
      ],
    },
    "message.sent": {
      guard: {
        type: "is of this conversation",
      },
      actions: [
        {
          type: "add the sent message",
        },
        "clear the unread mark",
      ],
    },
    "user.confirmed": {
      actions: {
        type: "use the permissions",
      },
    },
    "tab.shown": {
      actions: "remember that the tab is visible",
    },
    "tab.hidden": {
      actions: "remember that the tab is hidden",
    },
    "end.seen": {
      actions: "remember that the end is in view",
    },
    "end.left": {
      actions: "remember that the end is out of view",
    },
    "route.requested": {
      guard: "has a conversation",
      actions: {
        type: "request the route",
      },
    },
    "summary.requested": {
      actions: {
        type: "request a summary",
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
              guard: "shows a saved thread",
              target: "saved",
            },
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
          entry: "start the look-up",
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
                      type: "conversations.lookedUp",
                    },
                  },
                ],
              },
              {
                guard: "had no messages",
                target: "notFound",
                actions: {
                  type: "tellSession",
                  params: {
                    type: "conversation.gone",
                  },
                },
              },
              {
                target: "notFound",
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
              target: "finding",
              reenter: true,
              actions: "require a resync",
            },
          },
        },
        notFound: {
          always: {
            guard: "requires a resync",
            actions: [
              "clear the required resync",
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
            "refetch.requested": {
              target: "finding",
              actions: "reset the failure count",
            },
            "conversation.changed": {
              target: "loading",
              actions: [
                {
                  type: "follow the row",
                },
                "send the recipient to the send route",
                "use the row",
              ],
            },
            "resync.requested": {
              target: "finding",
              actions: "require a resync",
            },
          },
        },
        loading: {
          entry: "start loading the newest messages",
          invoke: {
            id: "loadNewest",
            src: "loadMessages",
            onDone: [
              {
                guard: {
                  type: "has further pages to catch up",
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
                  "store the first unread message",
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
                  "store the first unread message",
                ],
              },
            ],
            onError: [
              {
                guard: {
                  type: "may have been deleted",
                },
                target: "#thread.content.finding",
                actions: "remember the look-up",
              },
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
            "messages.changed": {
              actions: {
                type: "remember the changes",
              },
            },
            "resync.requested": {
              target: "loading",
              reenter: true,
              actions: "require a resync",
            },
          },
        },
        saved: {
          entry: "start loading the newest messages",
          invoke: {
            id: "loadNewestAfterSaved",
            src: "loadMessages",
            onDone: [
              {
                guard: {
                  type: "has further pages to catch up",
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
                  "store the first unread message",
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
                  "store the first unread message",
                ],
              },
            ],
            onError: [
              {
                guard: {
                  type: "may have been deleted",
                },
                target: "#thread.content.finding",
                actions: "remember the look-up",
              },
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
            "messages.changed": {
              actions: [
                {
                  type: "apply the changes",
                },
                "store the first unseen message",
                {
                  type: "remember the changes",
                },
              ],
            },
            "older.requested": {
              actions: "request older messages",
            },
            "resync.requested": {
              target: "saved",
              reenter: true,
              actions: "require a resync",
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
                  guard: "requires a resync",
                  target: "#thread.content.opening",
                },
              },
            },
          },
          on: {
            "refetch.requested": {
              target: "opening",
              actions: "reset the failure count",
            },
            "resync.requested": {
              target: "opening",
              actions: "require a resync",
            },
          },
        },
        showing: {
          initial: "idle",
          on: {
            "messages.changed": {
              actions: [
                {
                  type: "apply the changes",
                },
                "store the first unseen message",
              ],
            },
            "older.requested": {
              actions: "request older messages",
            },
            "resync.requested": {
              target: ".resyncing",
              actions: "require a resync",
            },
            "refetch.requested": {
              target: ".resyncing",
              actions: "reset the failure count",
            },
          },
          states: {
            idle: {
              always: [
                {
                  guard: "requires a resync",
                  actions: [
                    "clear the required resync",
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
                  actions: "start loading older messages",
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
                      type: "needs a further older page",
                    },
                    target: "loadingOlder",
                    reenter: true,
                    actions: [
                      {
                        type: "merge older messages",
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
                    target: "idle",
                    actions: [
                      {
                        type: "merge older messages",
                      },
                      {
                        type: "tellSession",
                        params: {
                          type: "messages.fetched",
                        },
                      },
                      "clear the request for older messages",
                    ],
                  },
                ],
                onError: {
                  target: "idle",
                  actions: [
                    "clear the request for older messages",
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
                      type: "apply the changes",
                    },
                    "store the first unseen message",
                    {
                      type: "remember the changes",
                    },
                  ],
                },
              },
            },
            resyncing: {
              entry: "start loading the newest messages",
              on: {
                "messages.changed": {
                  actions: [
                    {
                      type: "apply the changes",
                    },
                    "store the first unseen message",
                    {
                      type: "remember the changes",
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
                          type: "has further pages to catch up",
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
                        target: "#thread.content.showing.idle",
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
                          type: "may have been deleted",
                        },
                        target: "#thread.content.finding",
                        actions: "remember the look-up",
                      },
                      {
                        guard: {
                          type: "is temporary",
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
                        target: "#thread.content.showing.invalidated",
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
            invalidated: {
              after: {
                retryDelay: {
                  guard: "requires a resync",
                  target: "resyncing",
                },
              },
            },
          },
        },
      },
    },
    reading: {
      initial: "idle",
      states: {
        idle: {
          always: {
            guard: "has unread messages in view",
            target: "marking",
          },
          on: {
            "read.requested": {
              guard: "has a conversation",
              target: "marking",
              actions: "mark as requested",
            },
          },
        },
        marking: {
          entry: [
            "clear the required marking as read",
            "mark read locally",
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
              target: "throttled",
              actions: "clear the requested mark",
            },
            onError: [
              {
                guard: {
                  type: "is temporary",
                },
                target: "waiting",
                actions: [
                  {
                    type: "notify failure",
                  },
                  "clear the requested mark",
                ],
              },
              {
                target: "throttled",
                actions: [
                  {
                    type: "notify failure",
                  },
                  {
                    type: "remember that the refusal was shown",
                  },
                  "clear the requested mark",
                ],
              },
            ],
          },
          always: {
            guard: "has unread messages in view",
            actions: [
              "require marking as read",
              "mark read locally",
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
              actions: "mark as requested",
            },
          },
        },
        throttled: {
          always: {
            guard: "has unread messages in view",
            actions: [
              "require marking as read",
              "mark read locally",
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
                guard: and(["requires marking as read", "has nothing unread out of view"]),
                target: "marking",
              },
              {
                guard: "requires marking as read",
                target: "due",
              },
              {
                target: "idle",
              },
            ],
          },
          on: {
            "read.requested": {
              target: "marking",
              actions: "mark as requested",
            },
          },
        },
        waiting: {
          always: {
            guard: "has unread messages in view",
            target: "throttled",
            actions: [
              "require marking as read",
              "mark read locally",
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
              actions: "mark as requested",
            },
          },
        },
        due: {
          always: {
            guard: "may mark as read now",
            target: "marking",
          },
          on: {
            "read.requested": {
              target: "marking",
              actions: "mark as requested",
            },
          },
        },
      },
    },
    route: {
      on: {
        "messages.changed": {
          actions: {
            type: "forward to the send route",
          },
        },
        "resync.requested": {
          actions: "invalidate the send route",
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
          exit: "clear the client",
          invoke: [
            {
              src: "holdClients",
              id: "holdClients",
            },
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
