// Written by `npm run docs` from src/machines/session/migration.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    signUp: fromPromise(async () => {}),
    signInAsRegistered: fromPromise(async () => {}),
    completeMigration: fromPromise(async () => {}),
  },
  guards: {
    "meets the rules": () => true,
    "is already registered": () => true,
    "is weak": () => true,
    "has another password": () => true,
    "cannot be completed": () => true,
  },
  actions: {
    "show at the password": assign({}),
    "show in the dialog": assign({}),
    "clear the message": assign({}),
  },
  delays: {},
}).createMachine({
  id: "migration",
  initial: "asking",
  on: {
    "dialog.dismissed": ".cancelled",
  },
  states: {
    asking: {
      on: {
        "migration.submitted": {
          guard: {
            type: "meets the rules",
          },
          target: "signingUp",
          actions: "clear the message",
        },
      },
    },
    signingUp: {
      tags: "working",
      invoke: {
        id: "signUp",
        src: "signUp",
        onDone: "completing",
        onError: [
          {
            guard: {
              type: "is already registered",
            },
            target: "signingIn",
          },
          {
            guard: {
              type: "is weak",
            },
            target: "asking",
            actions: {
              type: "show at the password",
            },
          },
          {
            target: "asking",
            actions: {
              type: "show in the dialog",
            },
          },
        ],
      },
    },
    signingIn: {
      tags: "working",
      invoke: {
        id: "signInAsRegistered",
        src: "signInAsRegistered",
        onDone: "completing",
        onError: [
          {
            guard: {
              type: "has another password",
            },
            target: "asking",
            actions: {
              type: "show at the password",
            },
          },
          {
            target: "asking",
            actions: {
              type: "show in the dialog",
            },
          },
        ],
      },
    },
    completing: {
      tags: "working",
      invoke: {
        id: "completeMigration",
        src: "completeMigration",
        onDone: "completed",
        onError: [
          {
            guard: {
              type: "cannot be completed",
            },
            target: "asking",
            actions: {
              type: "show in the dialog",
            },
          },
          {
            target: "interrupted",
            actions: {
              type: "show in the dialog",
            },
          },
        ],
      },
    },
    interrupted: {
      on: {
        "migration.resumed": {
          target: "completing",
          actions: "clear the message",
        },
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
