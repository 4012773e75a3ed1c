// Written by `npm run docs` from src/machines/pages/page-form.ts.
import { and, assign, enqueueActions, fromPromise, or, setup, stateIn } from 'xstate'

export const machine = setup({
  actors: {
    verifyToken: fromPromise(async () => {}),
    savePage: fromPromise(async () => {}),
  },
  guards: {
    "has a token": () => true,
    "has no typed text": () => true,
    "offers sender actions": () => true,
    "has a name": () => true,
    "keeps the stored token": () => true,
    "token belongs to this page": () => true,
    "was rejected": () => true,
    "is editing": stateIn({"open":{"work":"editing"}}),
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the name": assign({}),
    "keep the active setting": assign({}),
    "keep the sender actions": assign({}),
    "keep the token": assign({}),
    "forget the token": assign({}),
    "clear the problem": assign({}),
    "show the page of the token": assign({}),
    "show the validation error": assign({}),
    "show the verification error": assign({}),
    "show the save error": assign({}),
    "clear the error": assign({}),
    "store the next target": assign({}),
  },
  delays: {},
}).createMachine({
  id: "pageForm",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        verification: {
          initial: "unverified",
          on: {
            "token.edited": {
              target: ".unverified",
              actions: {
                type: "keep the token",
              },
            },
            "verification.requested": [
              {
                guard: and(["is editing", "has a token"]),
                target: ".verifying",
              },
              {
                guard: "is editing",
                actions: {
                  type: "notify",
                  params: {
                    kind: "error",
                    text: "Please enter a page access token",
                  },
                },
              },
            ],
          },
          states: {
            unverified: {},
            verifying: {
              entry: "clear the problem",
              invoke: {
                id: "verifyToken",
                src: "verifyToken",
                onDone: [
                  {
                    guard: {
                      type: "token belongs to this page",
                    },
                    target: "valid",
                    actions: [
                      {
                        type: "show the page of the token",
                      },
                      {
                        type: "notify",
                        params: {
                          kind: "success",
                          text: "Token verified successfully",
                        },
                      },
                    ],
                  },
                  {
                    target: "invalid",
                    actions: [
                      {
                        type: "show the validation error",
                      },
                      {
                        type: "notify",
                      },
                    ],
                  },
                ],
                onError: [
                  {
                    guard: {
                      type: "was rejected",
                    },
                    target: "invalid",
                    actions: [
                      {
                        type: "show the verification error",
                      },
                      {
                        type: "notify failure",
                      },
                    ],
                  },
                  {
                    target: "unverified",
                    actions: [
                      {
                        type: "show the verification error",
                      },
                      {
                        type: "notify failure",
                      },
                    ],
                  },
                ],
              },
              on: {
                "verification.requested": {},
              },
            },
            valid: {},
            invalid: {},
          },
        },
        work: {
          initial: "editing",
          states: {
            editing: {
              on: {
                "name.edited": {
                  actions: {
                    type: "keep the name",
                  },
                },
                "active.chosen": {
                  actions: {
                    type: "keep the active setting",
                  },
                },
                "senderActions.chosen": {
                  guard: "offers sender actions",
                  actions: {
                    type: "keep the sender actions",
                  },
                },
                "form.submitted": {
                  guard: and(["has a name", or(["keeps the stored token", stateIn({"open":{"verification":"valid"}})])]),
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
                target: "#pageForm.cancelled",
              },
              on: {
                "discard.confirmed": "#pageForm.cancelled",
                "discard.refused": "editing",
                "dialog.dismissed": "editing",
              },
            },
            saving: {
              entry: [
                "clear the error",
                {
                  type: "store the next target",
                  params: {
                    isDismissed: false,
                  },
                },
              ],
              invoke: {
                id: "savePage",
                src: "savePage",
                onDone: {
                  target: "#pageForm.saved",
                  actions: {
                    type: "notify",
                  },
                },
                onError: {
                  target: "editing",
                  actions: [
                    {
                      type: "show the save error",
                    },
                    {
                      type: "notify failure",
                    },
                    {
                      type: "tellSession",
                      params: {
                        type: "pages.invalidated",
                      },
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    saved: {
      type: "final",
      entry: [
        "forget the token",
        {
          type: "tellSession",
          params: {
            type: "pages.changed",
          },
        },
      ],
    },
    cancelled: {
      type: "final",
      entry: "forget the token",
    },
  },
})
