// Written by `npm run docs` from src/machines/client/summary-check.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    checkSummary: fromPromise(async () => {}),
  },
  guards: {
    "has a summary": () => true,
    "is another conversation": () => true,
    "is another text": () => true,
    "is empty": () => true,
    "is another draft": () => true,
    "has changes": () => true,
  },
  actions: {
    "use the conversation": assign({}),
    "hold the message": assign({}),
    "keep the answer": assign({}),
    "compare with the shown orders later": assign({}),
    "compare with the new summary": assign({}),
    "let the message go": assign({}),
  },
  delays: {
    checkLimit: 5000,
  },
}).createMachine({
  id: "summaryCheck",
  initial: "idle",
  on: {
    "conversation.opened": {
      guard: {
        type: "is another conversation",
      },
      target: ".idle",
      actions: {
        type: "use the conversation",
      },
    },
    "conversation.closed": {
      target: ".idle",
      actions: {
        type: "use the conversation",
        params: {
          id: null,
        },
      },
    },
    "summary.inserted": {
      target: ".idle",
      actions: [
        "compare with the new summary",
        "let the message go",
      ],
    },
  },
  states: {
    idle: {
      on: {
        "send.held": {
          guard: {
            type: "has a summary",
          },
          target: "checking",
          actions: {
            type: "hold the message",
          },
        },
      },
    },
    checking: {
      invoke: {
        id: "checkSummary",
        src: "checkSummary",
        onDone: [
          {
            guard: {
              type: "has changes",
            },
            target: "changed",
            actions: {
              type: "keep the answer",
            },
          },
          {
            target: "unchanged",
          },
        ],
        onError: "unchecked",
      },
      after: {
        checkLimit: "unchecked",
      },
      on: {
        "draft.changed": {
          guard: {
            type: "is another text",
          },
          target: "idle",
          actions: "let the message go",
        },
      },
    },
    unchanged: {
      on: {
        "send.released": {
          target: "idle",
          actions: "let the message go",
        },
        "draft.changed": {
          guard: {
            type: "is another text",
          },
          target: "idle",
          actions: "let the message go",
        },
      },
    },
    changed: {
      on: {
        "send.confirmed": {
          target: "idle",
          actions: [
            "compare with the shown orders later",
            "let the message go",
          ],
        },
        "draft.changed": [
          {
            guard: {
              type: "is another draft",
            },
            target: "idle",
            actions: "let the message go",
          },
          {
            guard: {
              type: "is empty",
            },
            target: "idle",
            actions: "let the message go",
          },
        ],
      },
    },
    unchecked: {
      on: {
        "send.confirmed": {
          target: "idle",
          actions: "let the message go",
        },
        "check.retried": "checking",
        "draft.changed": {
          guard: {
            type: "is another text",
          },
          target: "idle",
          actions: "let the message go",
        },
      },
    },
  },
})
