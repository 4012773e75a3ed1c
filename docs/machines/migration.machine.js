// Written by `npm run docs` from src/machines/session/migration.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    signUp: fromPromise(async () => {}),
    signInAsRegistered: fromPromise(async () => {}),
    completeMigration: fromPromise(async () => {}),
  },
  guards: {
    "is registered already": () => true,
    "is weak": () => true,
    "is another password": () => true,
    "is final": () => true,
  },
  actions: {
    "say at the password": assign({}),
    "say in the dialog": assign({}),
    "say nothing": assign({}),
  },
  delays: {},
}).createMachine({
  id: "migration",
  initial: "asking",
  on: {
    "migration.cancelled": ".cancelled",
  },
  states: {
    asking: {
      on: {
        "migration.submitted": {
          target: "signingUp",
          actions: "say nothing",
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
              type: "is registered already",
            },
            target: "signingIn",
          },
          {
            guard: {
              type: "is weak",
            },
            target: "asking",
            actions: {
              type: "say at the password",
            },
          },
          {
            target: "asking",
            actions: {
              type: "say in the dialog",
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
              type: "is another password",
            },
            target: "asking",
            actions: {
              type: "say at the password",
            },
          },
          {
            target: "asking",
            actions: {
              type: "say in the dialog",
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
              type: "is final",
            },
            target: "asking",
            actions: {
              type: "say in the dialog",
            },
          },
          {
            target: "interrupted",
            actions: {
              type: "say in the dialog",
            },
          },
        ],
      },
    },
    interrupted: {
      on: {
        "migration.resumed": {
          target: "completing",
          actions: "say nothing",
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
