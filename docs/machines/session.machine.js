// Written by `npm run docs` from src/machines/session/session.ts.
import { assign, createMachine, emit, enqueueActions, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    records: createMachine({}),
    clients: createMachine({}),
    realtime: createMachine({}),
    conversations: createMachine({}),
    displayedList: createMachine({}),
    stats: createMachine({}),
    team: createMachine({}),
    labels: createMachine({}),
    laterParts: createMachine({}),
    pages: createMachine({}),
    outbox: createMachine({}),
    drafts: createMachine({}),
    draftSync: createMachine({}),
    thread: createMachine({}),
    deviceCache: createMachine({}),
    dialog: createMachine({}),
    signOut: createMachine({}),
    clientPage: createMachine({}),
    autoSync: createMachine({}),
    alarms: createMachine({}),
    recentSync: createMachine({}),
    conversationSync: createMachine({}),
    problemReport: createMachine({}),
    findSenders: fromPromise(async () => {}),
    browser: fromPromise(async () => {}),
  },
  guards: {
    "is another conversation": () => true,
    "affects the thread": () => true,
    "is the last resync answer": () => true,
    "is another page": () => true,
    "the chosen page is gone": () => true,
    "has senders to announce": () => true,
    "has only known senders to announce": () => true,
    "has few senders to look up": () => true,
    "names every sender": () => true,
  },
  actions: {
    tell: enqueueActions(() => {}),
    "notify all": enqueueActions(() => {}),
    "show the offered views": enqueueActions(() => {}),
    "refetch the synced thread": enqueueActions(() => {}),
    "select the conversation": assign({}),
    "forget the open conversation": assign({}),
    "open the client": assign({}),
    "close the client page": assign({}),
    "store the confirmed user": assign({}),
    "clear the saved inbox": assign({}),
    "use page": assign({}),
    "resolve the page of the query": raise({ type: "query.resolved" }),
    "expect resync answers": assign({}),
    "remove from the awaited answers": assign({}),
    "collect new message senders": assign({}),
    "name the senders": assign({}),
    "take over the found senders": assign({}),
    "emit the requested conversation": emit({ type: "conversation.requested" }),
    "check whether chats of the thread moved": raise({ type: "chats.checked" }),
    "report the moved chats": raise({ type: "users.changed" }),
    "forget the senders": assign({}),
    "remember that the tab is hidden": assign({}),
    "remember that the tab is visible": assign({}),
    "acknowledge the resync for the thread": raise({ type: "resync.done" }),
    "show all pages": raise({ type: "page.chosen" }),
  },
  delays: {
    announceInterval: 3000,
    nameLookupTimeout: 3000,
    nameLookupInterval: 1000,
  },
}).createMachine({
  id: "session",
  invoke: [
    {
      src: "records",
      id: "records",
      systemId: "records",
    },
    {
      src: "clients",
      id: "clients",
      systemId: "clients",
    },
    {
      src: "conversations",
      id: "conversations",
      systemId: "conversations",
    },
    {
      src: "displayedList",
      id: "displayedList",
      systemId: "displayedList",
    },
    {
      src: "stats",
      id: "stats",
      systemId: "stats",
    },
    {
      src: "team",
      id: "team",
      systemId: "team",
    },
    {
      src: "labels",
      id: "labels",
      systemId: "labels",
    },
    {
      src: "laterParts",
      id: "laterParts",
      systemId: "laterParts",
    },
    {
      src: "pages",
      id: "pages",
      systemId: "pages",
    },
    {
      src: "outbox",
      id: "outbox",
      systemId: "outbox",
    },
    {
      src: "drafts",
      id: "drafts",
      systemId: "drafts",
    },
    {
      src: "draftSync",
      id: "draftSync",
      systemId: "draftSync",
    },
    {
      src: "realtime",
      id: "realtime",
      systemId: "realtime",
    },
    {
      src: "dialog",
      id: "dialog",
      systemId: "dialog",
    },
    {
      src: "signOut",
      id: "signOut",
      systemId: "signOut",
    },
    {
      src: "autoSync",
      id: "autoSync",
      systemId: "autoSync",
    },
    {
      src: "alarms",
      id: "alarms",
      systemId: "alarms",
    },
    {
      src: "recentSync",
      id: "recentSync",
      systemId: "recentSync",
    },
    {
      src: "conversationSync",
      id: "conversationSync",
      systemId: "conversationSync",
    },
    {
      src: "problemReport",
      id: "problemReport",
      systemId: "problemReport",
    },
    {
      src: "deviceCache",
      id: "deviceCache",
      systemId: "deviceCache",
    },
    {
      src: "browser",
      id: "browser",
    },
  ],
  type: "parallel",
  states: {
    selection: {
      initial: "none",
      states: {
        none: {
          on: {
            "conversation.selected": {
              target: "open",
              actions: [
                {
                  type: "select the conversation",
                },
                {
                  type: "tell",
                  params: {
                    type: "conversations.held",
                  },
                },
              ],
            },
          },
        },
        open: {
          exit: [
            "acknowledge the resync for the thread",
            "clear the saved inbox",
            {
              type: "tell",
              params: {
                dialog: {
                  type: "conversation.left",
                },
              },
            },
          ],
          invoke: {
            src: "thread",
            id: "thread",
            systemId: "thread",
          },
          on: {
            "conversation.selected": {
              guard: {
                type: "is another conversation",
              },
              target: "open",
              reenter: true,
              actions: [
                {
                  type: "select the conversation",
                },
                {
                  type: "tell",
                  params: {
                    type: "conversations.held",
                  },
                },
              ],
            },
            "conversation.deselected": {
              target: "none",
              actions: [
                "forget the open conversation",
                {
                  type: "tell",
                  params: {
                    records: {
                      type: "conversations.held",
                      from: "thread",
                      ids: [],
                    },
                    laterParts: {
                      type: "conversation.closed",
                    },
                  },
                },
              ],
            },
            "chats.checked": {
              guard: {
                type: "affects the thread",
              },
              target: "open",
              reenter: true,
            },
            "page.chosen": {
              guard: {
                type: "is another page",
              },
              target: "open",
              reenter: true,
            },
            "query.resolved": {
              guard: {
                type: "is another page",
              },
              target: "open",
              reenter: true,
            },
          },
        },
      },
    },
    clientPage: {
      initial: "none",
      on: {
        "client.opened": {
          target: ".open",
          actions: {
            type: "open the client",
          },
        },
        "client.left": {
          target: ".none",
          actions: "close the client page",
        },
      },
      states: {
        none: {},
        open: {
          exit: {
            type: "tell",
            params: {
              records: {
                type: "conversations.held",
                from: "clientPage",
                ids: [],
              },
            },
          },
          invoke: {
            src: "clientPage",
            id: "clientPage",
            systemId: "clientPage",
          },
        },
      },
    },
    announcing: {
      initial: "idle",
      states: {
        idle: {
          always: [
            {
              guard: "has only known senders to announce",
              target: "throttled",
            },
            {
              guard: "has senders to announce",
              target: "waitingForNames",
            },
          ],
        },
        waitingForNames: {
          initial: "choosing",
          after: {
            nameLookupTimeout: "throttled",
          },
          states: {
            choosing: {
              always: {
                guard: "has few senders to look up",
                target: "lookingUp",
              },
            },
            lookingUp: {
              invoke: {
                id: "findSenders",
                src: "findSenders",
                onDone: [
                  {
                    guard: {
                      type: "names every sender",
                    },
                    target: "#session.announcing.throttled",
                    actions: [
                      {
                        type: "take over the found senders",
                      },
                      {
                        type: "tell",
                        params: {
                          type: "conversations.lookedUp",
                        },
                      },
                    ],
                  },
                  {
                    target: "waiting",
                    actions: [
                      {
                        type: "take over the found senders",
                      },
                      {
                        type: "tell",
                        params: {
                          type: "conversations.lookedUp",
                        },
                      },
                    ],
                  },
                ],
                onError: "waiting",
              },
            },
            waiting: {
              after: {
                nameLookupInterval: "choosing",
              },
            },
          },
        },
        throttled: {
          entry: [
            "name the senders",
            {
              type: "notify all",
            },
            {
              type: "tell",
              params: {
                type: "messages.announced",
              },
            },
            "forget the senders",
          ],
          after: {
            announceInterval: "idle",
          },
        },
      },
    },
    relaying: {
      on: {
        "user.confirmed": {
          actions: [
            {
              type: "show the offered views",
            },
            {
              type: "store the confirmed user",
            },
            {
              type: "tell",
              params: {
                type: "user.confirmed",
              },
            },
          ],
        },
        "page.chosen": {
          actions: [
            {
              type: "use page",
            },
            {
              type: "tell",
            },
          ],
        },
        "query.opened": {
          actions: {
            type: "resolve the page of the query",
          },
        },
        "query.resolved": {
          actions: [
            {
              type: "use page",
            },
            {
              type: "tell",
              params: {
                type: "page.chosen",
              },
            },
          ],
        },
        "change.requested": {
          actions: {
            type: "tell",
          },
        },
        "undo.requested": {
          actions: {
            type: "tell",
          },
        },
        "view.chosen": {
          actions: {
            type: "tell",
          },
        },
        "pages.loaded": {
          guard: {
            type: "the chosen page is gone",
          },
          actions: "show all pages",
        },
        "labels.loaded": {
          actions: {
            type: "tell",
          },
        },
        "labels.invalidated": {
          actions: {
            type: "tell",
          },
        },
        "labels.told": {
          actions: {
            type: "tell",
          },
        },
        "clientLabels.told": {
          actions: {
            type: "tell",
          },
        },
        "clientData.changed": {
          actions: {
            type: "tell",
          },
        },
        "comments.changed": {
          actions: {
            type: "tell",
          },
        },
        "comments.requested": {
          actions: {
            type: "tell",
          },
        },
        "refetch.requested": {
          actions: {
            type: "tell",
            params: {
              type: "resync.requested",
            },
          },
        },
        "pages.invalidated": {
          actions: {
            type: "tell",
            params: {
              type: "route.invalidated",
            },
          },
        },
        "pages.changed": {
          actions: {
            type: "tell",
            params: {
              pages: {
                type: "pages.invalidated",
              },
              conversations: {
                type: "list.invalidated",
              },
              thread: {
                type: "resync.requested",
              },
              laterParts: {
                type: "resync.requested",
              },
              stats: {
                type: "stats.invalidated",
              },
            },
          },
        },
        "recentSync.requested": {
          actions: {
            type: "tell",
            params: {
              type: "recentSync.requested",
            },
          },
        },
        "autoSync.received": {
          actions: {
            type: "tell",
            params: {
              type: "status.received",
            },
          },
        },
        "autoSync.invalidated": {
          actions: {
            type: "tell",
            params: {
              autoSync: {
                type: "refetch.requested",
              },
            },
          },
        },
        "client.linked": {
          actions: [
            {
              type: "tell",
              params: {
                type: "users.changed",
              },
            },
            {
              type: "tell",
              params: {
                conversations: {
                  type: "list.invalidated",
                },
                stats: {
                  type: "stats.invalidated",
                },
              },
            },
          ],
        },
        "chats.changed": {
          actions: [
            {
              type: "report the moved chats",
            },
            {
              type: "tell",
              params: {
                type: "client.unlinked",
              },
            },
          ],
        },
        "person.erased": {
          actions: [
            {
              type: "tell",
              params: {
                type: "conversation.gone",
              },
            },
            {
              type: "tell",
              params: {
                conversations: {
                  type: "list.invalidated",
                },
                thread: {
                  type: "resync.requested",
                },
                stats: {
                  type: "stats.invalidated",
                },
              },
            },
          ],
        },
        "drafts.changed": {
          actions: {
            type: "tell",
          },
        },
        "drafts.fetched": {
          actions: {
            type: "tell",
          },
        },
        "draft.saving": {
          actions: {
            type: "tell",
          },
        },
        "draft.answered": {
          actions: {
            type: "tell",
          },
        },
        "draft.refused": {
          actions: {
            type: "tell",
          },
        },
        "drafts.merged": {
          actions: {
            type: "tell",
          },
        },
        "flush.requested": {
          actions: {
            type: "tell",
          },
        },
        "drafts.flushed": {
          actions: {
            type: "tell",
          },
        },
        "conversation.selected": {
          actions: {
            type: "tell",
            params: {
              draftSync: {
                type: "drafts.invalidated",
              },
            },
          },
        },
        "conversation.pressed": {
          actions: {
            type: "tell",
            params: {
              type: "prefetch.requested",
            },
          },
        },
        "conversation.gone": {
          actions: {
            type: "tell",
          },
        },
        "messages.changed": {
          actions: [
            {
              type: "collect new message senders",
            },
            {
              type: "tell",
              params: {
                type: "unread.changed",
              },
            },
          ],
        },
        "users.changed": {
          actions: [
            {
              type: "check whether chats of the thread moved",
            },
            {
              type: "tell",
            },
            {
              type: "refetch the synced thread",
            },
          ],
        },
        "conversation.requested": {
          actions: {
            type: "emit the requested conversation",
          },
        },
        "settings.saved": {
          actions: {
            type: "tell",
          },
        },
        "states.changed": {
          actions: {
            type: "tell",
            params: {
              type: "states.moved",
            },
          },
        },
        "states.expected": {
          actions: {
            type: "tell",
            params: {
              type: "states.moved",
            },
          },
        },
        "states.settled": {
          actions: {
            type: "tell",
            params: {
              type: "states.moved",
            },
          },
        },
        "conversations.unread": {
          actions: {
            type: "tell",
            params: {
              type: "list.invalidated",
            },
          },
        },
        "conversation.read": {
          actions: {
            type: "tell",
            params: {
              type: "unread.changed",
            },
          },
        },
        "messages.fetched": {
          actions: {
            type: "tell",
          },
        },
        "message.sent": {
          actions: {
            type: "tell",
            params: {
              type: "page.accepted",
            },
          },
        },
        "resync.requested": {
          actions: [
            "expect resync answers",
            {
              type: "tell",
              params: {
                conversations: {
                  type: "resync.requested",
                },
                outbox: {
                  type: "resync.requested",
                },
                thread: {
                  type: "resync.requested",
                },
                laterParts: {
                  type: "resync.requested",
                },
                stats: {
                  type: "stats.invalidated",
                },
                draftSync: {
                  type: "drafts.invalidated",
                },
              },
            },
          ],
        },
        "resync.done": [
          {
            guard: {
              type: "is the last resync answer",
            },
            actions: [
              {
                type: "remove from the awaited answers",
              },
              {
                type: "tell",
                params: {
                  realtime: {
                    type: "resync.done",
                  },
                  laterParts: {
                    type: "resync.done",
                  },
                },
              },
            ],
          },
          {
            actions: {
              type: "remove from the awaited answers",
            },
          },
        ],
        "inbox.invalidated": {
          actions: {
            type: "tell",
            params: {
              conversations: {
                type: "list.invalidated",
              },
              thread: {
                type: "resync.requested",
              },
              laterParts: {
                type: "resync.requested",
              },
              outbox: {
                type: "resync.requested",
              },
              stats: {
                type: "stats.invalidated",
              },
            },
          },
        },
        "tab.shown": {
          actions: [
            "remember that the tab is visible",
            {
              type: "tell",
              params: {
                type: "drafts.invalidated",
              },
            },
          ],
        },
        "tab.hidden": {
          actions: [
            "remember that the tab is hidden",
            {
              type: "tell",
            },
          ],
        },
        "browser.online": {
          actions: {
            type: "tell",
            params: {
              type: "drafts.invalidated",
            },
          },
        },
        "browser.offline": {
          actions: {
            type: "tell",
          },
        },
        "clock.jumped": {
          actions: {
            type: "tell",
          },
        },
      },
    },
  },
})
