// Written by `npm run docs` from src/machines/session/new-password.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    savePassword: fromPromise(async () => {}),
  },
  guards: {
    "can be sent": () => true,
    "is about the current password": () => true,
    "is about the new password": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "show at the field": assign({}),
    "clear the message": assign({}),
  },
  delays: {},
}).createMachine({
  id: "newPassword",
  initial: "asking",
  states: {
    asking: {
      on: {
        "password.submitted": {
          guard: {
            type: "can be sent",
          },
          target: "saving",
          actions: "clear the message",
        },
        "dialog.dismissed": "cancelled",
      },
    },
    saving: {
      invoke: {
        id: "savePassword",
        src: "savePassword",
        onDone: {
          target: "completed",
          actions: {
            type: "notify",
            params: {
              kind: "success",
              text: "Your password is changed. Your other devices are signed out.",
            },
          },
        },
        onError: [
          {
            guard: {
              type: "is about the current password",
            },
            target: "asking",
            actions: {
              type: "show at the field",
            },
          },
          {
            guard: {
              type: "is about the new password",
            },
            target: "asking",
            actions: {
              type: "show at the field",
            },
          },
          {
            target: "asking",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    completed: {
      type: "final",
    },
    cancelled: {
      type: "final",
    },
  },
})
