// Written by `npm run docs` from src/machines/session/auth.ts.
import { assign, enqueueActions, fromPromise, setup, stopChild } from 'xstate'

export const machine = setup({
  actors: {
    watchOutside: fromPromise(async () => {}),
    findProviderSession: fromPromise(async () => {}),
    exchangeProviderSession: fromPromise(async () => {}),
    loadUser: fromPromise(async () => {}),
    refreshTokens: fromPromise(async () => {}),
    askProvider: fromPromise(async () => {}),
    checkMigration: fromPromise(async () => {}),
    signInLegacy: fromPromise(async () => {}),
    loadStep: fromPromise(async () => {}),
    endSession: fromPromise(async () => {}),
  },
  guards: {
    "can be sent": () => true,
    found: () => true,
    "is a refusal": () => true,
    "session has ended": () => true,
    "is unauthorised": () => true,
    "is unknown to the provider": () => true,
    "needs migration": () => true,
    "needs another step": () => true,
    "is completed": () => true,
    "is this session": () => true,
    "has a session": () => true,
    "shows a saved inbox": () => true,
    "is retrying": () => true,
    "has a user": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "store who is signed in": assign({}),
    "remember the sign-out": assign({}),
    "mark the saved inbox as shown": assign({}),
    "mark the saved inbox as not shown": assign({}),
    "store the refreshed user": assign({}),
    "forget the user": assign({}),
    "ask for a migration": assign({}),
    forgetPasswords: () => {},
    leaveProvider: () => {},
    "show at the form": assign({}),
    "start the step": assign({}),
    "stop the step": stopChild("step"),
    "keep the need": assign({}),
    "forget the step": assign({}),
    "clear the form message": assign({}),
    "count the attempt": assign({}),
  },
  delays: {
    backoff: () => 1000,
    signOutTimeout: 5000,
  },
}).createMachine({
  description: "The action \"start the step\" starts the child step.",
  id: "auth",
  initial: "restoring",
  invoke: {
    id: "watchOutside",
    src: "watchOutside",
  },
  on: {
    "storage.failed": {
      actions: {
        type: "notify",
        params: {
          kind: "warning",
          text: "This browser cannot keep you signed in. After you close this tab, you will have to sign in again.",
        },
      },
    },
  },
  states: {
    restoring: {
      tags: "starting",
      initial: "lookingForProviderSession",
      on: {
        "tokens.changed": {
          target: "restoring",
          reenter: true,
          actions: "mark the saved inbox as not shown",
        },
        "savedInbox.shown": {
          actions: "mark the saved inbox as shown",
        },
        "signOut.requested": [
          {
            guard: "shows a saved inbox",
            target: "clearing",
            actions: "remember the sign-out",
          },
          {
            guard: "is retrying",
            target: "clearing",
          },
        ],
      },
      states: {
        lookingForProviderSession: {
          invoke: {
            id: "findProviderSession",
            src: "findProviderSession",
            onDone: [
              {
                guard: {
                  type: "found",
                },
                target: "exchanging",
              },
              {
                target: "loadingUser",
              },
            ],
            onError: {
              target: "waiting",
              actions: {
                type: "count the attempt",
              },
            },
          },
        },
        exchanging: {
          invoke: {
            id: "exchangeProviderSession",
            src: "exchangeProviderSession",
            onDone: {
              target: "#auth.authenticated",
              actions: {
                type: "store who is signed in",
              },
            },
            onError: [
              {
                guard: {
                  type: "is a refusal",
                },
                target: "#auth.clearing",
                actions: {
                  type: "show at the form",
                },
              },
              {
                target: "waiting",
                actions: {
                  type: "count the attempt",
                },
              },
            ],
          },
        },
        loadingUser: {
          invoke: {
            id: "loadUser",
            src: "loadUser",
            onDone: [
              {
                guard: {
                  type: "has a user",
                },
                target: "#auth.authenticated",
                actions: {
                  type: "store who is signed in",
                },
              },
              {
                target: "#auth.anonymous",
              },
            ],
            onError: [
              {
                guard: {
                  type: "is unauthorised",
                },
                target: "refreshing",
              },
              {
                guard: {
                  type: "is a refusal",
                },
                target: "#auth.clearing",
                actions: {
                  type: "show at the form",
                },
              },
              {
                target: "waiting",
                actions: {
                  type: "count the attempt",
                },
              },
            ],
          },
        },
        refreshing: {
          invoke: {
            id: "refreshAtStart",
            src: "refreshTokens",
            onDone: {
              target: "loadingUserAgain",
            },
            onError: [
              {
                guard: {
                  type: "is a refusal",
                },
                target: "#auth.clearing",
                actions: {
                  type: "show at the form",
                },
              },
              {
                target: "waiting",
                actions: {
                  type: "count the attempt",
                },
              },
            ],
          },
        },
        loadingUserAgain: {
          invoke: {
            id: "loadUserAgain",
            src: "loadUser",
            onDone: [
              {
                guard: {
                  type: "has a user",
                },
                target: "#auth.authenticated",
                actions: {
                  type: "store who is signed in",
                },
              },
              {
                target: "#auth.anonymous",
              },
            ],
            onError: [
              {
                guard: {
                  type: "is a refusal",
                },
                target: "#auth.clearing",
                actions: {
                  type: "show at the form",
                },
              },
              {
                target: "waiting",
                actions: {
                  type: "count the attempt",
                },
              },
            ],
          },
        },
        waiting: {
          on: {
            "connection.returned": "lookingForProviderSession",
          },
          after: {
            backoff: "lookingForProviderSession",
          },
        },
      },
    },
    anonymous: {
      tags: "signedOut",
      on: {
        "signIn.requested": {
          guard: {
            type: "can be sent",
          },
          target: "signingIn",
          actions: "clear the form message",
        },
        "passwordReset.opened": {
          target: "continuing",
          actions: [
            "clear the form message",
            {
              type: "keep the need",
              params: {
                need: "reset",
              },
            },
          ],
        },
        "tokens.changed": {
          guard: {
            type: "has a session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "clear the form message",
          ],
        },
      },
    },
    signingIn: {
      tags: "signedOut",
      initial: "askingProvider",
      on: {
        "tokens.changed": {
          guard: {
            type: "has a session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "clear the form message",
          ],
        },
      },
      states: {
        askingProvider: {
          invoke: {
            id: "askProvider",
            src: "askProvider",
            onDone: "exchanging",
            onError: [
              {
                guard: {
                  type: "is unknown to the provider",
                },
                target: "checkingMigration",
              },
              {
                target: "#auth.anonymous",
                actions: {
                  type: "show at the form",
                },
              },
            ],
          },
        },
        checkingMigration: {
          invoke: {
            id: "checkMigration",
            src: "checkMigration",
            onDone: [
              {
                guard: {
                  type: "needs migration",
                },
                target: "#auth.continuing",
                actions: {
                  type: "ask for a migration",
                },
              },
              {
                target: "signingInLegacy",
              },
            ],
            onError: {
              target: "#auth.anonymous",
              actions: {
                type: "show at the form",
              },
            },
          },
        },
        signingInLegacy: {
          invoke: {
            id: "signInLegacy",
            src: "signInLegacy",
            onDone: {
              target: "#auth.authenticated",
              actions: {
                type: "store who is signed in",
              },
            },
            onError: {
              target: "#auth.anonymous",
              actions: {
                type: "show at the form",
              },
            },
          },
        },
        exchanging: {
          invoke: {
            id: "exchangeAtSignIn",
            src: "exchangeProviderSession",
            onDone: {
              target: "#auth.authenticated",
              actions: {
                type: "store who is signed in",
              },
            },
            onError: [
              {
                guard: {
                  type: "needs another step",
                },
                target: "#auth.continuing",
                actions: {
                  type: "keep the need",
                },
              },
              {
                target: "#auth.clearing",
                actions: {
                  type: "show at the form",
                },
              },
            ],
          },
        },
      },
    },
    continuing: {
      tags: "signedOut",
      initial: "loading",
      exit: [
        "stop the step",
        "forget the step",
        "forgetPasswords",
      ],
      on: {
        "tokens.changed": {
          guard: {
            type: "has a session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "clear the form message",
          ],
        },
      },
      states: {
        loading: {
          invoke: {
            id: "loadStep",
            src: "loadStep",
            onDone: {
              target: "asking",
              actions: {
                type: "start the step",
              },
            },
            onError: {
              target: "#auth.clearing",
              actions: {
                type: "show at the form",
              },
            },
          },
        },
        asking: {
          on: {
            "xstate.done.actor.step": [
              {
                guard: {
                  type: "is completed",
                },
                target: "#auth.signingIn.exchanging",
                actions: "clear the form message",
              },
              {
                target: "#auth.clearing",
              },
            ],
          },
        },
      },
    },
    authenticated: {
      tags: "signedIn",
      on: {
        "signOut.requested": {
          target: "clearing",
          actions: "remember the sign-out",
        },
        "session.refused": {
          guard: {
            type: "is this session",
          },
          target: "clearing",
          actions: {
            type: "notify",
            params: {
              kind: "error",
              text: "Session expired. Please log in again.",
            },
          },
        },
        "tokens.changed": [
          {
            guard: {
              type: "is this session",
            },
            target: "authenticated",
          },
          {
            guard: {
              type: "has a session",
            },
            target: "restoring",
            actions: "forget the user",
          },
          {
            target: "following",
          },
        ],
        "refresh.requested": {
          target: "refreshing",
        },
      },
    },
    refreshing: {
      tags: "signedIn",
      initial: "asking",
      states: {
        asking: {
          invoke: {
            id: "refreshTokens",
            src: "refreshTokens",
            onDone: [
              {
                guard: {
                  type: "is this session",
                },
                target: "#auth.authenticated",
                actions: {
                  type: "store the refreshed user",
                },
              },
              {
                target: "#auth.restoring",
                actions: "forget the user",
              },
            ],
            onError: [
              {
                guard: {
                  type: "session has ended",
                },
                target: "#auth.clearing",
                actions: {
                  type: "notify",
                  params: {
                    kind: "error",
                    text: "No refresh token available",
                  },
                },
              },
              {
                guard: {
                  type: "is a refusal",
                },
                target: "#auth.clearing",
                actions: {
                  type: "notify",
                  params: {
                    kind: "error",
                    text: "Session expired. Please log in again.",
                  },
                },
              },
              {
                target: "waiting",
                actions: {
                  type: "count the attempt",
                },
              },
            ],
          },
        },
        waiting: {
          on: {
            "connection.returned": "asking",
          },
          after: {
            backoff: "asking",
          },
        },
      },
      on: {
        "signOut.requested": {
          target: "clearing",
          actions: "remember the sign-out",
        },
        "session.refused": {
          guard: {
            type: "is this session",
          },
          target: "clearing",
          actions: {
            type: "notify",
            params: {
              kind: "error",
              text: "Session expired. Please log in again.",
            },
          },
        },
        "tokens.changed": [
          {
            guard: {
              type: "is this session",
            },
            target: "authenticated",
          },
          {
            guard: {
              type: "has a session",
            },
            target: "restoring",
            actions: "forget the user",
          },
          {
            target: "following",
          },
        ],
      },
    },
    clearing: {
      tags: "signedOut",
      entry: "forget the user",
      invoke: {
        id: "endSession",
        src: "endSession",
        onDone: "anonymous",
        onError: "anonymous",
      },
      on: {
        "tokens.changed": {
          guard: {
            type: "has a session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "clear the form message",
          ],
        },
      },
      after: {
        signOutTimeout: "anonymous",
      },
    },
    following: {
      tags: "signedOut",
      entry: "forget the user",
      invoke: {
        id: "followEnd",
        src: "endSession",
        onDone: "anonymous",
        onError: "anonymous",
      },
      on: {
        "tokens.changed": {
          guard: {
            type: "has a session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "clear the form message",
          ],
        },
      },
      after: {
        signOutTimeout: "anonymous",
      },
    },
  },
})
