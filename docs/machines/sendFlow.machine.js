// Written by `npm run docs` from src/machines/send/send-flow.ts.
import { assign, enqueueActions, fromPromise, not, sendParent, setup } from 'xstate'

export const machine = setup({
  actors: {
    findBestPage: fromPromise(async () => {}),
    findIdentity: fromPromise(async () => {}),
    sendMessage: fromPromise(async () => {}),
    findNewest: fromPromise(async () => {}),
  },
  guards: {
    isOnline: () => true,
    "is offline": not("isOnline"),
    "was left unconfirmed": () => true,
    "has failed": () => true,
    "was waiting": () => true,
    "has an address": () => true,
    "a page was chosen": () => true,
    "the conversation has a page": () => true,
    "has a psid of that page": () => true,
    "the page was refused": () => true,
    "was lost sight of": () => true,
    "was refused": () => true,
    settles: () => true,
    "is a guess": () => true,
    "may look again": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    report: sendParent({ type: "flow.progressed" }),
    "report that it was sent": sendParent({ type: "flow.sent" }),
    "report what was found": sendParent({ type: "flow.looked" }),
    "report the page": sendParent({ type: "flow.pageRefused" }),
    become: assign({}),
    "lose sight of it": assign({}),
    "forget the failure": assign({}),
    "use the chosen page": assign({}),
    "use the best page": assign({}),
    "use the first page": assign({}),
    "use the psid": assign({}),
    "use its own psid": assign({}),
    "note the leaving": assign({}),
    "note the error": assign({}),
    "note the failure": assign({}),
    "forget the address": assign({}),
    "note the echo": assign({}),
    "note the answer": assign({}),
    "start looking": assign({}),
    "count the look": assign({}),
  },
  delays: {
    lookupTimeout: 30000,
    sendTimeout: 35000,
    untilNextLook: () => 1000,
  },
}).createMachine({
  id: "sendFlow",
  initial: "resuming",
  on: {
    "echo.seen": {
      guard: {
        type: "settles",
      },
      target: ".sent",
      actions: {
        type: "note the answer",
      },
    },
  },
  states: {
    resuming: {
      always: [
        {
          guard: "was left unconfirmed",
          target: "unconfirmed.looking",
        },
        {
          guard: "has failed",
          target: "failed",
        },
        {
          guard: "was waiting",
          target: "waiting",
        },
        {
          target: "choosingPage",
        },
      ],
    },
    choosingPage: {
      entry: [
        "forget the failure",
        {
          type: "become",
          params: {
            status: "pending",
          },
        },
        "report",
      ],
      always: [
        {
          guard: "is offline",
          target: "offline",
        },
        {
          guard: "has an address",
          target: "sending",
        },
        {
          guard: "a page was chosen",
          target: "findingIdentity",
          actions: "use the chosen page",
        },
        {
          target: "findingPage",
        },
      ],
    },
    findingPage: {
      invoke: {
        id: "findBestPage",
        src: "findBestPage",
        onDone: {
          target: "findingIdentity",
          actions: {
            type: "use the best page",
          },
        },
        onError: "fallingBackToFirstPage",
      },
      after: {
        lookupTimeout: "fallingBackToFirstPage",
      },
    },
    fallingBackToFirstPage: {
      always: [
        {
          guard: "the conversation has a page",
          target: "findingIdentity",
          actions: "use the first page",
        },
        {
          target: "failed",
          actions: [
            {
              type: "note the failure",
              params: {
                kind: "error",
                text: "Unable to determine which page to send from",
              },
            },
            {
              type: "notify",
              params: {
                kind: "error",
                text: "Unable to determine which page to send from",
              },
            },
          ],
        },
      ],
    },
    findingIdentity: {
      invoke: {
        id: "findIdentity",
        src: "findIdentity",
        onDone: {
          target: "ready",
          actions: {
            type: "use the psid",
          },
        },
        onError: "fallingBackToOwnPsid",
      },
      after: {
        lookupTimeout: "fallingBackToOwnPsid",
      },
    },
    fallingBackToOwnPsid: {
      always: [
        {
          guard: "has a psid of that page",
          target: "ready",
          actions: "use its own psid",
        },
        {
          target: "failed",
          actions: [
            "forget the address",
            {
              type: "note the failure",
              params: {
                kind: "error",
                text: "Unable to find user identity for the selected page",
              },
            },
            {
              type: "notify",
              params: {
                kind: "error",
                text: "Unable to find user identity for the selected page",
              },
            },
          ],
        },
      ],
    },
    ready: {
      always: [
        {
          guard: "is offline",
          target: "offline",
          actions: "forget the address",
        },
        {
          target: "sending",
        },
      ],
    },
    sending: {
      entry: [
        "note the leaving",
        "report",
      ],
      invoke: {
        id: "sendMessage",
        src: "sendMessage",
        onDone: {
          target: "sent",
          actions: {
            type: "note the answer",
          },
        },
        onError: [
          {
            guard: {
              type: "the page was refused",
            },
            target: "refused",
            actions: [
              {
                type: "note the error",
              },
              {
                type: "notify failure",
              },
              "report the page",
            ],
          },
          {
            guard: {
              type: "was refused",
            },
            target: "refused",
            actions: [
              {
                type: "note the error",
              },
              {
                type: "notify failure",
              },
            ],
          },
          {
            target: "unconfirmed",
            actions: [
              {
                type: "note the error",
              },
              {
                type: "notify failure",
              },
            ],
          },
        ],
      },
      after: {
        sendTimeout: {
          target: "unconfirmed",
          actions: {
            type: "note the failure",
            params: {
              kind: "error",
              text: "Failed to send message",
            },
          },
        },
      },
      on: {
        "echo.seen": {
          guard: {
            type: "is a guess",
          },
          actions: [
            {
              type: "note the echo",
            },
            "report",
          ],
        },
      },
    },
    refused: {
      always: [
        {
          guard: "was lost sight of",
          target: "unconfirmed",
        },
        {
          target: "failed",
        },
      ],
    },
    unconfirmed: {
      entry: [
        "lose sight of it",
        "start looking",
        {
          type: "become",
          params: {
            status: "unconfirmed",
          },
        },
        "report",
      ],
      initial: "pausing",
      states: {
        looking: {
          invoke: {
            id: "findNewest",
            src: "findNewest",
            onDone: {
              target: "looked",
              actions: {
                type: "report what was found",
              },
            },
            onError: "looked",
          },
          after: {
            lookupTimeout: "looked",
          },
        },
        looked: {
          entry: "count the look",
          always: [
            {
              guard: "may look again",
              target: "pausing",
            },
            {
              target: "#sendFlow.unfound",
            },
          ],
        },
        pausing: {
          after: {
            untilNextLook: "looking",
          },
        },
      },
      on: {
        "look.requested": {
          target: ".looking",
          actions: "start looking",
        },
        "send.retried": [
          {
            guard: "isOnline",
            target: "sending",
            actions: "forget the failure",
          },
          {
            actions: {
              type: "notify",
              params: {
                kind: "error",
                text: "Network error. Please check your connection.",
              },
            },
          },
        ],
      },
    },
    unfound: {
      entry: [
        {
          type: "become",
          params: {
            status: "unfound",
          },
        },
        "report",
      ],
      on: {
        "echo.seen": {
          guard: {
            type: "is a guess",
          },
          target: "unconfirmed",
        },
        "look.requested": "unconfirmed.looking",
        "send.retried": [
          {
            guard: "isOnline",
            target: "sending",
            actions: "forget the failure",
          },
          {
            actions: {
              type: "notify",
              params: {
                kind: "error",
                text: "Network error. Please check your connection.",
              },
            },
          },
        ],
      },
    },
    offline: {
      entry: [
        {
          type: "become",
          params: {
            status: "offline",
          },
        },
        "report",
      ],
      on: {
        "browser.online": "waiting",
        "send.retried": "choosingPage",
      },
    },
    waiting: {
      entry: [
        {
          type: "become",
          params: {
            status: "waiting",
          },
        },
        "report",
      ],
      on: {
        "send.retried": "choosingPage",
      },
    },
    failed: {
      entry: [
        {
          type: "become",
          params: {
            status: "failed",
          },
        },
        "report",
      ],
      on: {
        "send.retried": "choosingPage",
      },
    },
    sent: {
      type: "final",
      entry: [
        "report that it was sent",
        {
          type: "notify",
          params: {
            kind: "success",
            text: "Message sent successfully",
          },
        },
      ],
    },
  },
})
