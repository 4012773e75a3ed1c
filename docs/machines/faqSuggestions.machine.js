// Written by `npm run docs` from src/machines/faq/faq-suggestions.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadEntries: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is a new question": () => true,
    "has a question": () => true,
  },
  actions: {
    "keep the question": assign({}),
    "keep the entries": assign({}),
    "count the failure": assign({}),
    "settle the question": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    entriesLifetime: 300000,
  },
}).createMachine({
  id: "faqSuggestions",
  on: {
    "question.changed": {
      guard: {
        type: "is a new question",
      },
      actions: {
        type: "keep the question",
      },
    },
    "suggestions.settled": {
      actions: "settle the question",
    },
  },
  initial: "idle",
  states: {
    idle: {
      always: {
        guard: "has a question",
        target: "loading",
      },
    },
    loading: {
      invoke: {
        id: "loadEntries",
        src: "loadEntries",
        onDone: {
          target: "fresh",
          actions: {
            type: "keep the entries",
          },
        },
        onError: [
          {
            guard: {
              type: "is temporary",
            },
            target: "waiting",
            actions: {
              type: "count the failure",
            },
          },
          {
            target: "refused",
          },
        ],
      },
    },
    waiting: {
      after: {
        retryDelay: "idle",
      },
    },
    refused: {},
    fresh: {
      after: {
        entriesLifetime: "old",
      },
    },
    old: {
      on: {
        "question.changed": {
          guard: {
            type: "is a new question",
          },
          target: "idle",
          actions: {
            type: "keep the question",
          },
        },
      },
    },
  },
})
