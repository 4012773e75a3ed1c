// Written by `npm run docs` from src/machines/app.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, setup, stopChild } from 'xstate'

export const machine = setup({
  actors: {
    auth: createMachine({}),
    notifier: createMachine({}),
    loadSession: fromPromise(async () => {}),
    readSavedInbox: fromPromise(async () => {}),
  },
  guards: {
    "has a saved inbox": () => true,
    "is the person of the saved inbox": () => true,
    restarted: () => true,
    "is another session": () => true,
  },
  actions: {
    "store who is signed in": assign({}),
    "forget who is signed in": assign({}),
    "store the saved inbox": assign({}),
    "store the saved inbox of the signed-in person": assign({}),
    "notify auth of the saved inbox": enqueueActions(() => {}),
    "confirm the user to the session": enqueueActions(() => {}),
    clearDevice: () => {},
    "begin the session": assign({}),
    "end the session": stopChild("session"),
    "forget the session": assign({}),
    "receive the auth state": raise({ type: "an event" }),
  },
  delays: {
    readLimit: 500,
  },
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
      entry: [
        "end the session",
        "forget the session",
        "forget who is signed in",
      ],
      initial: "reading",
      on: {
        "auth.signedIn": [
          {
            guard: {
              type: "is the person of the saved inbox",
            },
            target: "signedIn.running",
            actions: [
              {
                type: "store who is signed in",
              },
              {
                type: "confirm the user to the session",
              },
            ],
          },
          {
            target: "signedIn",
            actions: {
              type: "store who is signed in",
            },
          },
        ],
        "auth.signedOut": "signedOut",
      },
      states: {
        reading: {
          invoke: {
            id: "readSavedInbox",
            src: "readSavedInbox",
            onDone: [
              {
                guard: {
                  type: "has a saved inbox",
                },
                target: "loading",
                actions: {
                  type: "store the saved inbox",
                },
              },
              {
                target: "waiting",
              },
            ],
            onError: "waiting",
          },
        },
        loading: {
          entry: "notify auth of the saved inbox",
          invoke: {
            id: "loadSessionToShow",
            src: "loadSession",
            onDone: {
              target: "shown",
              actions: {
                type: "begin the session",
              },
            },
            onError: "waiting",
          },
          on: {
            "auth.restoring": {
              guard: {
                type: "restarted",
              },
              target: "#app.starting",
              reenter: true,
            },
          },
        },
        shown: {
          on: {
            "auth.restoring": {
              guard: {
                type: "restarted",
              },
              target: "#app.starting",
              reenter: true,
            },
            "xstate.error.actor.session": "#app.broken",
          },
        },
        waiting: {},
      },
    },
    signedOut: {
      entry: [
        "end the session",
        "forget the session",
        "forget who is signed in",
        "clearDevice",
      ],
      on: {
        "auth.signedIn": {
          target: "signedIn",
          actions: {
            type: "store who is signed in",
          },
        },
        "auth.restoring": "starting",
      },
    },
    signedIn: {
      initial: "reading",
      states: {
        reading: {
          entry: [
            "end the session",
            "forget the session",
          ],
          invoke: {
            id: "readSavedInboxAtSignIn",
            src: "readSavedInbox",
            onDone: {
              target: "loading",
              actions: {
                type: "store the saved inbox of the signed-in person",
              },
            },
            onError: "loading",
          },
          after: {
            readLimit: "loading",
          },
        },
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
            type: "store who is signed in",
          },
        },
        "auth.signedOut": "signedOut",
        "auth.restoring": "starting",
      },
    },
    broken: {
      entry: [
        "end the session",
        "forget the session",
      ],
      on: {
        "auth.signedOut": "signedOut",
      },
    },
  },
})
