// Written by `npm run docs` from src/machines/session/webhook-form.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    saveWebhook: fromPromise(async () => {}),
  },
  guards: {
    "is new": () => true,
    "may have been created": () => true,
    "is complete": () => true,
    "has no typed text": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the typed fields": assign({}),
    "store the next target": assign({}),
    "store the attempt": assign({}),
    "show the failure": assign({}),
    "show that the result is unknown": assign({}),
    "keep the secret": assign({}),
  },
  delays: {},
}).createMachine({
  id: "webhookForm",
  initial: "editing",
  states: {
    editing: {
      on: {
        "fields.typed": {
          actions: {
            type: "keep the typed fields",
          },
        },
        "form.submitted": {
          guard: "is complete",
          target: "saving",
        },
        "form.cancelled": {
          target: "leaving",
          actions: {
            type: "store the next target",
            params: {
              isDismissed: false,
            },
          },
        },
        "dialog.dismissed": {
          target: "leaving",
          actions: {
            type: "store the next target",
            params: {
              isDismissed: true,
            },
          },
        },
      },
    },
    leaving: {
      always: {
        guard: "has no typed text",
        target: "left",
      },
      on: {
        "discard.confirmed": "left",
        "discard.refused": "editing",
        "dialog.dismissed": "editing",
      },
    },
    saved: {
      type: "final",
    },
    left: {
      type: "final",
    },
    saving: {
      entry: "store the attempt",
      invoke: {
        id: "saveWebhook",
        src: "saveWebhook",
        onDone: [
          {
            guard: "is new",
            target: "saved",
            actions: {
              type: "keep the secret",
            },
          },
          {
            target: "saved",
            actions: {
              type: "notify",
              params: {
                kind: "success",
                text: "Webhook saved",
              },
            },
          },
        ],
        onError: [
          {
            guard: {
              type: "may have been created",
            },
            target: "editing",
            actions: [
              "show that the result is unknown",
              {
                type: "notify failure",
              },
            ],
          },
          {
            target: "editing",
            actions: [
              {
                type: "show the failure",
              },
              {
                type: "notify failure",
              },
            ],
          },
        ],
      },
    },
  },
})
