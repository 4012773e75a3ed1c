// Written by `npm run docs` from src/machines/app.ts.
import { assign, createMachine, enqueueActions, fromPromise, setup, stopChild } from 'xstate'

export const machine = setup({
  actors: {
    auth: createMachine({}),
    notifier: createMachine({}),
    loadSession: fromPromise(async () => {}),
  },
  guards: {
    "is another session": () => true,
  },
  actions: {
    "store the identity": assign({}),
    "forget identity": assign({}),
    "begin the session": assign({}),
    "end the session": stopChild("session"),
    "forget the session": assign({}),
    "receive the auth state": enqueueActions(({ enqueue }) => { enqueue.raise({ type: "auth.signedIn" }); enqueue.raise({ type: "auth.restoring" }); enqueue.raise({ type: "auth.signedOut" }) }),
  },
  delays: {},
}).createMachine({
  description: "The action \"begin the session\" starts the child session.",
  id: "app",
  invoke: [
    {
      id: "notifier",
      systemId: "notifier",
      src: "notifier",
    },
    {
      id: "auth",
      systemId: "auth",
      src: "auth",
      onSnapshot: {
        actions: {
          type: "receive the auth state",
        },
      },
    },
  ],
  initial: "starting",
  states: {
    starting: {
      entry: "forget identity",
      on: {
        "auth.signedIn": {
          target: "signedIn",
          actions: {
            type: "store the identity",
          },
        },
        "auth.signedOut": "signedOut",
      },
    },
    signedOut: {
      entry: "forget identity",
      on: {
        "auth.signedIn": {
          target: "signedIn",
          actions: {
            type: "store the identity",
          },
        },
        "auth.restoring": "starting",
      },
    },
    signedIn: {
      initial: "loading",
      states: {
        loading: {
          invoke: {
            id: "loadSession",
            src: "loadSession",
            onDone: {
              target: "running",
              actions: {
                type: "begin the session",
              },
            },
            onError: "#app.broken",
          },
        },
        running: {
          exit: [
            "end the session",
            "forget the session",
          ],
          on: {
            "xstate.error.actor.session": "#app.broken",
          },
        },
      },
      on: {
        "auth.signedIn": {
          guard: {
            type: "is another session",
          },
          target: "signedIn",
          reenter: true,
          actions: {
            type: "store the identity",
          },
        },
        "auth.signedOut": "signedOut",
        "auth.restoring": "starting",
      },
    },
    broken: {
      on: {
        "auth.signedOut": "signedOut",
      },
    },
  },
})
