// Written by `npm run docs` from src/machines/send/message-templates.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadTemplates: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "has no typed text": () => true,
    "is filled": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    tellOutbox: enqueueActions(() => {}),
    "keep the templates": assign({}),
    "keep the chosen template": assign({}),
    "keep the value": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "messageTemplates",
  initial: "loading",
  on: {
    "dialog.dismissed": ".leaving",
  },
  states: {
    loading: {
      invoke: {
        id: "loadTemplates",
        src: "loadTemplates",
        onDone: {
          target: "choosing",
          actions: {
            type: "keep the templates",
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
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#messageTemplates.loading",
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
    choosing: {
      on: {
        "template.chosen": {
          target: "editing",
          actions: {
            type: "keep the chosen template",
          },
        },
      },
    },
    editing: {
      on: {
        "value.typed": {
          actions: {
            type: "keep the value",
          },
        },
        "template.left": "choosing",
        "template.sent": {
          guard: "is filled",
          target: "closed",
          actions: {
            type: "tellOutbox",
          },
        },
      },
    },
    leaving: {
      always: {
        guard: "has no typed text",
        target: "closed",
      },
      on: {
        "discard.confirmed": "closed",
        "discard.refused": "editing",
        "dialog.dismissed": "editing",
      },
    },
    closed: {
      type: "final",
    },
  },
})
