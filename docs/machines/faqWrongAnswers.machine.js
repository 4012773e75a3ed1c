// Written by `npm run docs` from src/machines/faq/faq-wrong-answers.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadWrongAnswers: fromPromise(async () => {}),
    resolveWrongAnswer: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the answers": assign({}),
    "keep the answer": assign({}),
    "remove the answer": assign({}),
    "forget the answer": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    pollDelay: 10000,
  },
}).createMachine({
  id: "faqWrongAnswers",
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "loadWrongAnswers",
        src: "loadWrongAnswers",
        onDone: {
          target: "showing",
          actions: {
            type: "keep the answers",
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
        "answer.resolved": {
          target: "resolving",
          actions: {
            type: "keep the answer",
          },
        },
      },
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#faqWrongAnswers.loading",
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
      after: {
        pollDelay: "loading",
      },
      on: {
        "refetch.requested": "loading",
        "answer.resolved": {
          target: "resolving",
          actions: {
            type: "keep the answer",
          },
        },
      },
    },
    resolving: {
      invoke: {
        id: "resolveWrongAnswer",
        src: "resolveWrongAnswer",
        onDone: {
          target: "showing",
          actions: [
            "remove the answer",
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Resolved",
              },
            },
          ],
        },
        onError: {
          target: "showing",
          actions: [
            "forget the answer",
            {
              type: "notify failure",
            },
          ],
        },
      },
    },
  },
})
