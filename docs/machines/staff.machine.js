// Written by `npm run docs` from src/machines/session/staff.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    staffForm: createMachine({}),
    loadStaff: fromPromise(async () => {}),
    resetPassword: fromPromise(async () => {}),
    removeSecondFactor: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "was dismissed": () => true,
    "may have saved": () => true,
    "is somebody else": () => true,
    "was issued a password": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the staff": assign({}),
    "keep the item": assign({}),
    "keep the issued password": assign({}),
    "keep the new password": assign({}),
    "forget the password": assign({}),
    "invalidate the staff": raise({ type: "staff.invalidated" }),
    "request close of the form": sendTo("staffForm", { type: "dialog.dismissed" }),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "staff",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        members: {
          initial: "loading",
          on: {
            "staff.invalidated": ".loading",
          },
          states: {
            loading: {
              invoke: {
                id: "loadStaff",
                src: "loadStaff",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "keep the staff",
                  },
                },
                onError: [
                  {
                    guard: {
                      type: "is temporary",
                    },
                    target: "failed.waiting",
                    actions: [
                      {
                        type: "notify failure",
                      },
                      {
                        type: "count the failure",
                      },
                    ],
                  },
                  {
                    target: "failed.refused",
                    actions: {
                      type: "notify failure",
                    },
                  },
                ],
              },
            },
            showing: {
              on: {
                "refetch.requested": "loading",
              },
            },
            failed: {
              initial: "waiting",
              states: {
                waiting: {
                  after: {
                    retryDelay: "#staff.open.members.loading",
                  },
                },
                refused: {},
              },
              on: {
                "refetch.requested": {
                  target: "loading",
                  actions: "reset the failure count",
                },
              },
            },
          },
        },
        work: {
          initial: "list",
          states: {
            list: {
              on: {
                "item.added": {
                  target: "form",
                  actions: {
                    type: "keep the item",
                    params: {
                      item: null,
                    },
                  },
                },
                "item.edited": {
                  target: "form",
                  actions: {
                    type: "keep the item",
                  },
                },
                "reset.requested": {
                  guard: {
                    type: "is somebody else",
                  },
                  target: "askingToReset",
                  actions: {
                    type: "keep the item",
                  },
                },
                "factorRemoval.requested": {
                  guard: {
                    type: "is somebody else",
                  },
                  target: "askingToRemoveFactor",
                  actions: {
                    type: "keep the item",
                  },
                },
                "dialog.dismissed": "#staff.dismissed",
              },
            },
            form: {
              invoke: {
                id: "staffForm",
                src: "staffForm",
                onDone: [
                  {
                    guard: {
                      type: "was dismissed",
                    },
                    target: "#staff.dismissed",
                  },
                  {
                    guard: {
                      type: "was issued a password",
                    },
                    target: "showingPassword",
                    actions: [
                      {
                        type: "keep the issued password",
                      },
                      "invalidate the staff",
                    ],
                  },
                  {
                    guard: {
                      type: "may have saved",
                    },
                    target: "list",
                    actions: "invalidate the staff",
                  },
                  {
                    target: "list",
                  },
                ],
              },
              on: {
                "dialog.dismissed": {
                  actions: "request close of the form",
                },
              },
            },
            askingToReset: {
              on: {
                "reset.confirmed": "resetting",
                "reset.cancelled": "list",
                "dialog.dismissed": "list",
              },
            },
            resetting: {
              invoke: {
                id: "resetPassword",
                src: "resetPassword",
                onDone: {
                  target: "showingPassword",
                  actions: {
                    type: "keep the new password",
                  },
                },
                onError: {
                  target: "list",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            askingToRemoveFactor: {
              on: {
                "factorRemoval.confirmed": "removingFactor",
                "factorRemoval.cancelled": "list",
                "dialog.dismissed": "list",
              },
            },
            removingFactor: {
              invoke: {
                id: "removeSecondFactor",
                src: "removeSecondFactor",
                onDone: {
                  target: "list",
                  actions: [
                    {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "Two-step sign-in is off. The person is signed out.",
                      },
                    },
                    "invalidate the staff",
                  ],
                },
                onError: {
                  target: "list",
                  actions: [
                    {
                      type: "notify failure",
                    },
                    "invalidate the staff",
                  ],
                },
              },
            },
            showingPassword: {
              on: {
                "password.taken": {
                  target: "list",
                  actions: "forget the password",
                },
              },
            },
          },
        },
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
