// Written by `npm run docs` from src/machines/client/client-suggestions.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadSuggestions: fromPromise(async () => {}),
    dismissSuggestion: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is another subject": () => true,
    "has a subject": () => true,
    "is suggested": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "keep the subject": assign({}),
    "keep the suggestions": assign({}),
    "count the failure": assign({}),
    "keep which is dismissed": assign({}),
    "take off the dismissed": assign({}),
  },
  delays: {
    settleDelay: 300,
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "clientSuggestions",
  on: {
    "subject.changed": {
      guard: {
        type: "is another subject",
      },
      target: ".deciding",
      actions: {
        type: "keep the subject",
      },
    },
  },
  initial: "idle",
  states: {
    idle: {},
    deciding: {
      always: [
        {
          guard: "has a subject",
          target: "settling",
        },
        {
          target: "idle",
        },
      ],
    },
    settling: {
      after: {
        settleDelay: "loading",
      },
    },
    loading: {
      invoke: {
        id: "loadSuggestions",
        src: "loadSuggestions",
        onDone: {
          target: "showing",
          actions: {
            type: "keep the suggestions",
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
        retryDelay: "loading",
      },
    },
    refused: {},
    showing: {
      on: {
        "suggestion.dismissed": {
          guard: {
            type: "is suggested",
          },
          target: "dismissing",
          actions: {
            type: "keep which is dismissed",
          },
        },
      },
    },
    dismissing: {
      invoke: {
        id: "dismissSuggestion",
        src: "dismissSuggestion",
        onDone: {
          target: "showing",
          actions: "take off the dismissed",
        },
        onError: {
          target: "showing",
          actions: {
            type: "notify failure",
          },
        },
      },
    },
  },
})
