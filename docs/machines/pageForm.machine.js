// Written by `npm run docs` from src/machines/pages/page-form.ts.
import { and, assign, enqueueActions, fromPromise, or, setup, stateIn } from 'xstate'

export const machine = setup({
  actors: {
    verifyToken: fromPromise(async () => {}),
    savePage: fromPromise(async () => {}),
  },
  guards: {
    "holds a token": () => true,
    "is as it was": () => true,
    "has a name": () => true,
    "keeps its token": () => true,
    "belongs here": () => true,
    "is refused": () => true,
    "is editing": stateIn({"open":{"work":"editing"}}),
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the name": assign({}),
    "keep whether it is active": assign({}),
    "keep the token": assign({}),
    "forget the token": assign({}),
    "clear the problem": assign({}),
    "show the owner": assign({}),
    "show the misuse": assign({}),
    "show why it is not verified": assign({}),
    "show why it is not saved": assign({}),
    "clear the error": assign({}),
    "note where it leads": assign({}),
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
                guard: and(["is editing", "holds a token"]),
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
                      type: "belongs here",
                    },
                    target: "valid",
                    actions: [
                      {
                        type: "show the owner",
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
                        type: "show the misuse",
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
                      type: "is refused",
                    },
                    target: "invalid",
                    actions: [
                      {
                        type: "show why it is not verified",
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
                        type: "show why it is not verified",
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
                    type: "keep whether it is active",
                  },
                },
                "form.submitted": {
                  guard: and(["has a name", or(["keeps its token", stateIn({"open":{"verification":"valid"}})])]),
                  target: "saving",
                },
                "form.cancelled": {
                  target: "leaving",
                  actions: {
                    type: "note where it leads",
                    params: {
                      isDismissed: false,
                    },
                  },
                },
                "dialog.dismissed": {
                  target: "leaving",
                  actions: {
                    type: "note where it leads",
                    params: {
                      isDismissed: true,
                    },
                  },
                },
              },
            },
            leaving: {
              always: {
                guard: "is as it was",
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
                  type: "note where it leads",
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
                      type: "show why it is not saved",
                    },
                    {
                      type: "notify failure",
                    },
                    {
                      type: "tellSession",
                      params: {
                        type: "pages.outdated",
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
