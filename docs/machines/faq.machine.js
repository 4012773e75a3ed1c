// Written by `npm run docs` from src/machines/faq/faq.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    faqForm: createMachine({}),
    faqTest: createMachine({}),
    loadCategories: fromPromise(async () => {}),
    loadEntries: fromPromise(async () => {}),
    deleteFaq: fromPromise(async () => {}),
  },
  guards: {
    "was dismissed": () => true,
    "may have saved": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the categories": assign({}),
    "keep the entries": assign({}),
    "filter by it": assign({}),
    "keep the entry": assign({}),
    "take it from the list": assign({}),
    "ask for the entries anew": raise({ type: "entries.outdated" }),
    "forget what was tested": sendTo("faqTest", { type: "result.outdated" }),
    "ask the form to end": sendTo("faqForm", { type: "dialog.dismissed" }),
  },
  delays: {},
}).createMachine({
  id: "faq",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      invoke: {
        id: "faqTest",
        src: "faqTest",
      },
      states: {
        categories: {
          initial: "loading",
          states: {
            loading: {
              invoke: {
                id: "loadCategories",
                src: "loadCategories",
                onDone: {
                  target: "resting",
                  actions: {
                    type: "keep the categories",
                  },
                },
                onError: {
                  target: "resting",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            resting: {
              on: {
                "refresh.requested": "loading",
              },
            },
          },
        },
        entries: {
          initial: "loading",
          on: {
            "entries.outdated": {
              target: ".loading",
              actions: "forget what was tested",
            },
          },
          states: {
            loading: {
              invoke: {
                id: "loadEntries",
                src: "loadEntries",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "keep the entries",
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
            refreshing: {
              invoke: {
                id: "refreshEntries",
                src: "loadEntries",
                onDone: {
                  target: "showing",
                  actions: [
                    {
                      type: "keep the entries",
                    },
                    "forget what was tested",
                    {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "FAQs refreshed",
                      },
                    },
                  ],
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
                "refresh.requested": "refreshing",
              },
            },
            failed: {
              on: {
                "refresh.requested": "refreshing",
              },
            },
          },
        },
        filter: {
          on: {
            "category.chosen": {
              actions: {
                type: "filter by it",
              },
            },
          },
        },
        work: {
          initial: "list",
          states: {
            list: {
              on: {
                "entry.added": {
                  target: "form",
                  actions: {
                    type: "keep the entry",
                    params: {
                      entry: null,
                    },
                  },
                },
                "entry.edited": {
                  target: "form",
                  actions: {
                    type: "keep the entry",
                  },
                },
                "deletion.requested": {
                  target: "asking",
                  actions: {
                    type: "keep the entry",
                  },
                },
                "dialog.dismissed": "#faq.dismissed",
              },
            },
            form: {
              invoke: {
                id: "faqForm",
                src: "faqForm",
                onDone: [
                  {
                    guard: {
                      type: "was dismissed",
                    },
                    target: "#faq.dismissed",
                  },
                  {
                    guard: {
                      type: "may have saved",
                    },
                    target: "list",
                    actions: "ask for the entries anew",
                  },
                  {
                    target: "list",
                  },
                ],
              },
              on: {
                "dialog.dismissed": {
                  actions: "ask the form to end",
                },
              },
            },
            asking: {
              on: {
                "deletion.confirmed": "deleting",
                "deletion.cancelled": "list",
                "dialog.dismissed": "list",
              },
            },
            deleting: {
              invoke: {
                id: "deleteFaq",
                src: "deleteFaq",
                onDone: {
                  target: "list",
                  actions: [
                    "take it from the list",
                    {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "FAQ deleted successfully",
                      },
                    },
                    "ask for the entries anew",
                  ],
                },
                onError: {
                  target: "list",
                  actions: [
                    {
                      type: "notify failure",
                    },
                    "ask for the entries anew",
                  ],
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
