// Written by `npm run docs` from src/machines/session/staff.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    staffForm: createMachine({}),
    loadStaff: fromPromise(async () => {}),
    resetPassword: fromPromise(async () => {}),
  },
  guards: {
    "was dismissed": () => true,
    "was issued a password": () => true,
    "may have saved": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "keep the staff": assign({}),
    "keep the item": assign({}),
    "keep the issued password": assign({}),
    "keep the new password": assign({}),
    "forget the password": assign({}),
    "invalidate the staff": raise({ type: "staff.invalidated" }),
    "request close of the form": sendTo("staffForm", { type: "dialog.dismissed" }),
  },
  delays: {},
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
                onError: {
                  target: "failed",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            showing: {
              on: {
                "refetch.requested": "loading",
              },
            },
            failed: {
              on: {
                "refetch.requested": "loading",
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
                  target: "asking",
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
            asking: {
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
