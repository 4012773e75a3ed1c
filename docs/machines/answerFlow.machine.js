// Written by `npm run docs` from src/machines/comments/answer-flow.ts.
import { assign, enqueueActions, fromPromise, not, sendParent, setup } from 'xstate'

export const machine = setup({
  actors: {
    sendReply: fromPromise(async () => {}),
    findAnswer: fromPromise(async () => {}),
  },
  guards: {
    isOnline: () => true,
    "has an unknown result": () => true,
    "was refused": () => true,
    "has checks left": () => true,
    "is offline": not("isOnline"),
    "has status": () => true,
    "is settled": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "mark the result unknown": assign({}),
    "reset the checks": assign({}),
    "count the check": assign({}),
    "report the progress": sendParent({ type: "flow.progressed" }),
    "report the end": sendParent({ type: "flow.settled" }),
    "set the status": assign({}),
    "mark the answer as pending": assign({}),
    "store the error": assign({}),
    "keep the thread": assign({}),
  },
  delays: {
    sendTimeout: 35000,
    lookupTimeout: 30000,
    checkDelay: () => 1000,
  },
}).createMachine({
  id: "answerFlow",
  initial: "resuming",
  states: {
    resuming: {
      always: [
        {
          guard: {
            type: "has status",
            params: {
              status: "waiting",
            },
          },
          target: "waiting",
        },
        {
          guard: {
            type: "has status",
            params: {
              status: "failed",
            },
          },
          target: "failed",
        },
        {
          guard: {
            type: "has status",
            params: {
              status: "unconfirmed",
            },
          },
          target: "unconfirmed",
        },
        {
          target: "sending",
        },
      ],
    },
    sending: {
      initial: "leaving",
      states: {
        leaving: {
          always: [
            {
              guard: "is offline",
              target: "#answerFlow.offline",
            },
            {
              target: "requesting",
            },
          ],
        },
        requesting: {
          entry: [
            "mark the answer as pending",
            "report the progress",
          ],
          invoke: {
            id: "sendReply",
            src: "sendReply",
            onDone: {
              target: "#answerFlow.sent",
              actions: {
                type: "keep the thread",
              },
            },
            onError: [
              {
                guard: {
                  type: "was refused",
                },
                target: "#answerFlow.refused",
                actions: [
                  {
                    type: "store the error",
                  },
                  {
                    type: "notify failure",
                  },
                ],
              },
              {
                target: "#answerFlow.unconfirmed",
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
            sendTimeout: "#answerFlow.unconfirmed",
          },
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
            id: "findAnswer",
            src: "findAnswer",
            onDone: [
              {
                guard: {
                  type: "is settled",
                },
                target: "#answerFlow.settled",
              },
              {
                target: "checked",
              },
            ],
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
              target: "#answerFlow.notFound",
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
        "send.retried": "sending",
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
        "send.retried": "sending",
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
        "send.retried": "sending",
      },
    },
    sent: {
      type: "final",
      entry: [
        "report the end",
        {
          type: "notify",
        },
      ],
    },
    settled: {
      type: "final",
      entry: "report the end",
    },
  },
})
