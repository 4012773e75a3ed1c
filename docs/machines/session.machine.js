// Written by `npm run docs` from src/machines/session/session.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    records: createMachine({}),
    realtime: createMachine({}),
    conversations: createMachine({}),
    stats: createMachine({}),
    pages: createMachine({}),
    outbox: createMachine({}),
    drafts: createMachine({}),
    thread: createMachine({}),
    dialog: createMachine({}),
    clientPage: createMachine({}),
    autoSync: createMachine({}),
    recentSync: createMachine({}),
    conversationSync: createMachine({}),
    pictureRenewal: createMachine({}),
    problemReport: createMachine({}),
    browser: fromPromise(async () => {}),
  },
  guards: {
    "is another conversation": () => true,
    "is the last answer": () => true,
    "is another page": () => true,
    "the chosen page is gone": () => true,
    "has news": () => true,
    "has news of known people": () => true,
  },
  actions: {
    tell: enqueueActions(() => {}),
    "notify all": enqueueActions(() => {}),
    "open it": assign({}),
    "close it": assign({}),
    "open the client": assign({}),
    "leave the client": assign({}),
    "use page": assign({}),
    "keep the pages": assign({}),
    "await answers": assign({}),
    "note the answer": assign({}),
    "collect news": assign({}),
    "name the senders": assign({}),
    "forget news": assign({}),
    "note that the tab is hidden": assign({}),
    "note that the tab is shown": assign({}),
    "answer for the thread": raise({ type: "resync.done" }),
    "show all pages": raise({ type: "page.chosen" }),
  },
  delays: {
    newsInterval: 3000,
    namesTime: 1500,
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
      src: "conversations",
      id: "conversations",
      systemId: "conversations",
    },
    {
      src: "stats",
      id: "stats",
      systemId: "stats",
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
      src: "autoSync",
      id: "autoSync",
      systemId: "autoSync",
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
      src: "pictureRenewal",
      id: "pictureRenewal",
      systemId: "pictureRenewal",
    },
    {
      src: "problemReport",
      id: "problemReport",
      systemId: "problemReport",
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
                  type: "open it",
                },
                {
                  type: "tell",
                  params: {
                    type: "conversation.held",
                  },
                },
              ],
            },
          },
        },
        open: {
          exit: [
            "answer for the thread",
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
                  type: "open it",
                },
                {
                  type: "tell",
                  params: {
                    type: "conversation.held",
                  },
                },
              ],
            },
            "conversation.deselected": {
              target: "none",
              actions: [
                "close it",
                {
                  type: "tell",
                  params: {
                    records: {
                      type: "conversation.held",
                      from: "thread",
                      id: null,
                    },
                  },
                },
              ],
            },
            "page.chosen": {
              guard: {
                type: "is another page",
              },
              target: "open",
              reenter: true,
            },
            "query.opened": {
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
          actions: "leave the client",
        },
      },
      states: {
        none: {},
        open: {
          invoke: {
            src: "clientPage",
            id: "clientPage",
            systemId: "clientPage",
          },
        },
      },
    },
    announcing: {
      initial: "quiet",
      states: {
        quiet: {
          always: [
            {
              guard: "has news of known people",
              target: "telling",
            },
            {
              guard: "has news",
              target: "learningNames",
            },
          ],
        },
        learningNames: {
          after: {
            namesTime: "telling",
          },
        },
        telling: {
          entry: [
            "name the senders",
            {
              type: "notify all",
            },
            "forget news",
          ],
          after: {
            newsInterval: "quiet",
          },
        },
      },
    },
    relaying: {
      on: {
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
        "pages.loaded": [
          {
            guard: {
              type: "the chosen page is gone",
            },
            actions: [
              {
                type: "keep the pages",
              },
              "show all pages",
            ],
          },
          {
            actions: {
              type: "keep the pages",
            },
          },
        ],
        "refresh.requested": {
          actions: {
            type: "tell",
            params: {
              type: "status.asked",
            },
          },
        },
        "pages.outdated": {
          actions: {
            type: "tell",
          },
        },
        "pages.changed": {
          actions: {
            type: "tell",
            params: {
              pages: {
                type: "pages.outdated",
              },
              conversations: {
                type: "list.outdated",
              },
              thread: {
                type: "resync.requested",
              },
              stats: {
                type: "stats.outdated",
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
        "autoSync.heard": {
          actions: {
            type: "tell",
            params: {
              type: "status.heard",
            },
          },
        },
        "autoSync.asked": {
          actions: {
            type: "tell",
            params: {
              autoSync: {
                type: "status.asked",
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
                  type: "list.outdated",
                },
                stats: {
                  type: "stats.outdated",
                },
              },
            },
          ],
        },
        "messages.changed": {
          actions: [
            {
              type: "collect news",
            },
            {
              type: "tell",
              params: {
                type: "stats.outdated",
              },
            },
          ],
        },
        "users.changed": {
          actions: {
            type: "tell",
          },
        },
        "conversation.read": {
          actions: {
            type: "tell",
            params: {
              type: "stats.outdated",
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
              type: "list.outdated",
            },
          },
        },
        "catchUp.requested": {
          actions: [
            "await answers",
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
                stats: {
                  type: "stats.outdated",
                },
              },
            },
          ],
        },
        "resync.done": [
          {
            guard: {
              type: "is the last answer",
            },
            actions: [
              {
                type: "note the answer",
              },
              {
                type: "tell",
                params: {
                  realtime: {
                    type: "catchUp.done",
                  },
                },
              },
            ],
          },
          {
            actions: {
              type: "note the answer",
            },
          },
        ],
        "poll.due": {
          actions: {
            type: "tell",
            params: {
              conversations: {
                type: "list.outdated",
              },
              thread: {
                type: "resync.requested",
              },
              outbox: {
                type: "resync.requested",
              },
              stats: {
                type: "stats.outdated",
              },
            },
          },
        },
        "tab.shown": {
          actions: [
            "note that the tab is shown",
            {
              type: "tell",
            },
          ],
        },
        "tab.hidden": {
          actions: [
            "note that the tab is hidden",
            {
              type: "tell",
            },
          ],
        },
        "browser.online": {
          actions: {
            type: "tell",
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
