// Written by `npm run docs` from src/machines/session/auth.ts.
import { assign, createMachine, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    watchOutside: fromPromise(async () => {}),
    findProviderSession: fromPromise(async () => {}),
    exchangeProviderSession: fromPromise(async () => {}),
    loadUser: fromPromise(async () => {}),
    refreshTokens: fromPromise(async () => {}),
    askProvider: fromPromise(async () => {}),
    checkMigration: fromPromise(async () => {}),
    signInTheOldWay: fromPromise(async () => {}),
    migration: createMachine({}),
    endSession: fromPromise(async () => {}),
  },
  guards: {
    found: () => true,
    "is refusal": () => true,
    "is lost": () => true,
    "is unauthorised": () => true,
    "is unknown to the provider": () => true,
    "is to migrate": () => true,
    "is completed": () => true,
    "is this session": () => true,
    "is some session": () => true,
    "goes on trying": () => true,
    "somebody is known": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "take identity": assign({}),
    "note that they left": assign({}),
    "take fresh user": assign({}),
    "forget everybody": assign({}),
    "ask for a new password": assign({}),
    "forget the e-mail": assign({}),
    forgetPasswords: () => {},
    leaveProvider: () => {},
    "say at the form": assign({}),
    "say nothing at the form": assign({}),
    "count the attempt": assign({}),
  },
  delays: {
    backoff: () => 1000,
    farewell: 5000,
  },
}).createMachine({
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
          text: "This browser cannot keep you signed in. When you close this tab, sign in again.",
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
        },
        "signOut.requested": {
          guard: "goes on trying",
          target: "clearing",
        },
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
                type: "take identity",
              },
            },
            onError: [
              {
                guard: {
                  type: "is refusal",
                },
                target: "#auth.clearing",
                actions: {
                  type: "say at the form",
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
                  type: "somebody is known",
                },
                target: "#auth.authenticated",
                actions: {
                  type: "take identity",
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
                  type: "is refusal",
                },
                target: "#auth.clearing",
                actions: {
                  type: "say at the form",
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
                  type: "is refusal",
                },
                target: "#auth.clearing",
                actions: {
                  type: "say at the form",
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
                  type: "somebody is known",
                },
                target: "#auth.authenticated",
                actions: {
                  type: "take identity",
                },
              },
              {
                target: "#auth.anonymous",
              },
            ],
            onError: [
              {
                guard: {
                  type: "is refusal",
                },
                target: "#auth.clearing",
                actions: {
                  type: "say at the form",
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
          target: "signingIn",
          actions: "say nothing at the form",
        },
        "tokens.changed": {
          guard: {
            type: "is some session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "say nothing at the form",
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
            type: "is some session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "say nothing at the form",
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
                  type: "say at the form",
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
                  type: "is to migrate",
                },
                target: "#auth.migrating",
                actions: {
                  type: "ask for a new password",
                },
              },
              {
                target: "signingInTheOldWay",
              },
            ],
            onError: {
              target: "#auth.anonymous",
              actions: {
                type: "say at the form",
              },
            },
          },
        },
        signingInTheOldWay: {
          invoke: {
            id: "signInTheOldWay",
            src: "signInTheOldWay",
            onDone: {
              target: "#auth.authenticated",
              actions: {
                type: "take identity",
              },
            },
            onError: {
              target: "#auth.anonymous",
              actions: {
                type: "say at the form",
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
                type: "take identity",
              },
            },
            onError: {
              target: "#auth.clearing",
              actions: {
                type: "say at the form",
              },
            },
          },
        },
      },
    },
    migrating: {
      tags: "signedOut",
      exit: [
        "forgetPasswords",
        "forget the e-mail",
      ],
      invoke: {
        id: "migration",
        src: "migration",
        onDone: [
          {
            guard: {
              type: "is completed",
            },
            target: "signingIn.exchanging",
            actions: "say nothing at the form",
          },
          {
            target: "clearing",
          },
        ],
      },
      on: {
        "tokens.changed": {
          guard: {
            type: "is some session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "say nothing at the form",
          ],
        },
      },
    },
    authenticated: {
      tags: "signedIn",
      on: {
        "signOut.requested": {
          target: "clearing",
          actions: "note that they left",
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
              type: "is some session",
            },
            target: "restoring",
            actions: "forget everybody",
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
                  type: "take fresh user",
                },
              },
              {
                target: "#auth.restoring",
                actions: "forget everybody",
              },
            ],
            onError: [
              {
                guard: {
                  type: "is lost",
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
                  type: "is refusal",
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
          actions: "note that they left",
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
              type: "is some session",
            },
            target: "restoring",
            actions: "forget everybody",
          },
          {
            target: "following",
          },
        ],
      },
    },
    clearing: {
      tags: "signedOut",
      entry: "forget everybody",
      invoke: {
        id: "endSession",
        src: "endSession",
        onDone: "anonymous",
        onError: "anonymous",
      },
      on: {
        "tokens.changed": {
          guard: {
            type: "is some session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "say nothing at the form",
          ],
        },
      },
      after: {
        farewell: "anonymous",
      },
    },
    following: {
      tags: "signedOut",
      entry: "forget everybody",
      invoke: {
        id: "followEnd",
        src: "endSession",
        onDone: "anonymous",
        onError: "anonymous",
      },
      on: {
        "tokens.changed": {
          guard: {
            type: "is some session",
          },
          target: "restoring",
          actions: [
            "forgetPasswords",
            "leaveProvider",
            "say nothing at the form",
          ],
        },
      },
      after: {
        farewell: "anonymous",
      },
    },
  },
})
