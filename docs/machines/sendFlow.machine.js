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
    "has an unknown result": () => true,
    "was refused": () => true,
    "has checks left": () => true,
    "is offline": not("isOnline"),
    "is unconfirmed": () => true,
    "has failed": () => true,
    "was waiting": () => true,
    "has page and psid": () => true,
    "a page was chosen": () => true,
    "the conversation has a page": () => true,
    "has a psid of that page": () => true,
    "the page was refused": () => true,
    "the address was refused": () => true,
    settles: () => true,
    "is a text match": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "mark the result unknown": assign({}),
    "reset the checks": assign({}),
    "count the check": assign({}),
    "report the progress": sendParent({ type: "flow.progressed" }),
    "report that it was sent": sendParent({ type: "flow.sent" }),
    "report the found messages": sendParent({ type: "flow.checked" }),
    "report the refused page": sendParent({ type: "flow.pageRefused" }),
    "set the status": assign({}),
    "mark the address as stored": assign({}),
    "forget the failure": assign({}),
    "use the chosen page": assign({}),
    "use the best page": assign({}),
    "use the first page": assign({}),
    "use the psid": assign({}),
    "use the psid of the conversation": assign({}),
    "store the time of the request": assign({}),
    "store the error": assign({}),
    "store the failure": assign({}),
    "forget the address": assign({}),
    "forget an unused address": assign({}),
    "store the echo": assign({}),
    "store the result": assign({}),
  },
  delays: {
    sendTimeout: 35000,
    lookupTimeout: 30000,
    checkDelay: () => 1000,
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
        type: "store the result",
      },
    },
  },
  states: {
    resuming: {
      always: [
        {
          guard: "is unconfirmed",
          target: "unconfirmed.checking",
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
          type: "set the status",
          params: {
            status: "pending",
          },
        },
        "report the progress",
      ],
      always: [
        {
          guard: "is offline",
          target: "offline",
          actions: "forget an unused address",
        },
        {
          guard: "has page and psid",
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
              type: "store the failure",
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
          actions: "use the psid of the conversation",
        },
        {
          target: "failed",
          actions: [
            "forget the address",
            {
              type: "store the failure",
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
        "store the time of the request",
        "report the progress",
      ],
      invoke: {
        id: "sendMessage",
        src: "sendMessage",
        onDone: {
          target: "sent",
          actions: {
            type: "store the result",
          },
        },
        onError: [
          {
            guard: {
              type: "the address was refused",
            },
            target: "refused",
            actions: [
              {
                type: "store the error",
              },
              {
                type: "notify failure",
              },
              "forget the address",
              "report the refused page",
            ],
          },
          {
            guard: {
              type: "the page was refused",
            },
            target: "refused",
            actions: [
              {
                type: "store the error",
              },
              {
                type: "notify failure",
              },
              "mark the address as stored",
              "report the refused page",
            ],
          },
          {
            guard: {
              type: "was refused",
            },
            target: "refused",
            actions: [
              {
                type: "store the error",
              },
              {
                type: "notify failure",
              },
              "mark the address as stored",
            ],
          },
          {
            target: "unconfirmed",
            actions: [
              {
                type: "store the error",
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
            type: "store the failure",
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
            type: "is a text match",
          },
          actions: [
            {
              type: "store the echo",
            },
            "report the progress",
          ],
        },
      },
    },
    refused: {
      always: [
        {
          guard: "has an unknown result",
          target: "unconfirmed",
        },
        {
          target: "failed",
        },
      ],
    },
    unconfirmed: {
      entry: [
        "mark the address as stored",
        "mark the result unknown",
        {
          type: "set the status",
          params: {
            status: "unconfirmed",
          },
        },
        "report the progress",
      ],
      initial: "pausing",
      states: {
        pausing: {
          after: {
            checkDelay: "checking",
          },
        },
        checking: {
          invoke: {
            id: "findNewest",
            src: "findNewest",
            onDone: {
              target: "checked",
              actions: {
                type: "report the found messages",
              },
            },
            onError: "checked",
          },
          after: {
            lookupTimeout: "checked",
          },
        },
        checked: {
          entry: "count the check",
          always: [
            {
              guard: "has checks left",
              target: "pausing",
            },
            {
              target: "#sendFlow.notFound",
            },
          ],
        },
      },
      on: {
        "check.requested": {
          target: ".checking",
          actions: "reset the checks",
        },
        "send.retried": [
          {
            guard: "isOnline",
            target: "sending",
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
    notFound: {
      entry: [
        {
          type: "set the status",
          params: {
            status: "notFound",
          },
        },
        "report the progress",
      ],
      on: {
        "check.requested": "unconfirmed.checking",
        "send.retried": [
          {
            guard: "isOnline",
            target: "sending",
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
          type: "set the status",
          params: {
            status: "offline",
          },
        },
        "report the progress",
      ],
      on: {
        "browser.online": "waiting",
        "send.retried": "choosingPage",
      },
    },
    waiting: {
      entry: [
        {
          type: "set the status",
          params: {
            status: "waiting",
          },
        },
        "report the progress",
      ],
      on: {
        "send.retried": "choosingPage",
      },
    },
    failed: {
      entry: [
        {
          type: "set the status",
          params: {
            status: "failed",
          },
        },
        "report the progress",
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
