// Written by `npm run docs` from src/machines/session/staff-form.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    saveStaff: fromPromise(async () => {}),
  },
  guards: {
    "is new": () => true,
    "may have been created": () => true,
    "is complete": () => true,
    "has no typed text": () => true,
    "was issued a password": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the typed fields": assign({}),
    "store the next target": assign({}),
    "store the attempt": assign({}),
    "show the failure": assign({}),
    "show that the result is unknown": assign({}),
    "keep the password": assign({}),
  },
  delays: {},
}).createMachine({
  id: "staffForm",
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
        id: "saveStaff",
        src: "saveStaff",
        onDone: [
          {
            guard: {
              type: "was issued a password",
            },
            target: "saved",
            actions: {
              type: "keep the password",
            },
          },
          {
            guard: "is new",
            target: "saved",
            actions: {
              type: "notify",
              params: {
                kind: "success",
                text: "Added. They can sign in with an account under this email.",
              },
            },
          },
          {
            target: "saved",
            actions: {
              type: "notify",
              params: {
                kind: "success",
                text: "Changes saved",
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
