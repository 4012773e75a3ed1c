// Written by `npm run docs` from src/machines/thread/collision.ts.
import { assign, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {
    "has text": () => true,
    "has answers": () => true,
    "is another conversation": () => true,
  },
  actions: {
    "use the conversation": assign({}),
    "forget the conversation": assign({}),
    "begin after the last message": assign({}),
    "add the answers": assign({}),
    "begin after the answers": assign({}),
    "forget the answers": assign({}),
  },
  delays: {},
}).createMachine({
  id: "collision",
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
      actions: "forget the conversation",
    },
  },
  states: {
    idle: {
      on: {
        "reply.typed": {
          guard: {
            type: "has text",
          },
          target: "writing",
          actions: "begin after the last message",
        },
      },
    },
    writing: {
      initial: "undisturbed",
      on: {
        "reply.typed": [
          {
            guard: {
              type: "has text",
            },
          },
          {
            target: "idle",
            actions: "forget the answers",
          },
        ],
        "messages.changed": {
          actions: {
            type: "add the answers",
          },
        },
        "messages.fetched": {
          actions: {
            type: "add the answers",
          },
        },
      },
      states: {
        undisturbed: {
          always: {
            guard: "has answers",
            target: "overtaken",
          },
        },
        overtaken: {
          on: {
            "send.held": "asking",
          },
        },
        asking: {
          on: {
            "edit.chosen": {
              target: "undisturbed",
              actions: "begin after the answers",
            },
          },
        },
      },
    },
  },
})
