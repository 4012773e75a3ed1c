// Written by `npm run docs` from src/machines/faq/faq.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    faqForm: createMachine({}),
    faqTest: createMachine({}),
    faqDryRun: createMachine({}),
    faqWrongAnswers: createMachine({}),
    loadCategories: fromPromise(async () => {}),
    loadEntries: fromPromise(async () => {}),
    deleteFaq: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "was dismissed": () => true,
    "may have saved": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the categories": assign({}),
    "count the failure of the categories": assign({}),
    "reset the failure count of the categories": assign({}),
    "keep the entries": assign({}),
    "set the category filter": assign({}),
    "set the page filter": assign({}),
    "keep the item": assign({}),
    "remove the entry from the list": assign({}),
    "invalidate the entries": raise({ type: "entries.invalidated" }),
    "invalidate the test result": sendTo("faqTest", { type: "result.invalidated" }),
    "request close of the form": sendTo("faqForm", { type: "dialog.dismissed" }),
  },
  delays: {
    retryDelay: () => 1000,
    categoryRetryDelay: () => 1000,
  },
}).createMachine({
  id: "faq",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      invoke: [
        {
          id: "faqTest",
          src: "faqTest",
        },
        {
          id: "faqDryRun",
          src: "faqDryRun",
        },
      ],
      states: {
        categories: {
          initial: "loading",
          states: {
            loading: {
              invoke: {
                id: "loadCategories",
                src: "loadCategories",
                onDone: {
                  target: "idle",
                  actions: {
                    type: "keep the categories",
                  },
                },
                onError: [
                  {
                    guard: {
                      type: "is temporary",
                    },
                    target: "waiting",
                    actions: [
                      {
                        type: "notify failure",
                      },
                      {
                        type: "count the failure of the categories",
                      },
                    ],
                  },
                  {
                    target: "idle",
                    actions: {
                      type: "notify failure",
                    },
                  },
                ],
              },
            },
            waiting: {
              after: {
                categoryRetryDelay: "loading",
              },
              on: {
                "refetch.requested": {
                  target: "loading",
                  actions: "reset the failure count of the categories",
                },
              },
            },
            idle: {
              on: {
                "refetch.requested": {
                  target: "loading",
                  actions: "reset the failure count of the categories",
                },
              },
            },
          },
        },
        entries: {
          initial: "loading",
          on: {
            "entries.invalidated": {
              target: ".loading",
              actions: "invalidate the test result",
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
                    "invalidate the test result",
                    {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "FAQs refreshed",
                      },
                    },
                  ],
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
                "refetch.requested": "refreshing",
              },
            },
            failed: {
              initial: "waiting",
              states: {
                waiting: {
                  after: {
                    retryDelay: "#faq.open.entries.loading",
                  },
                },
                refused: {},
              },
              on: {
                "refetch.requested": {
                  target: "refreshing",
                  actions: "reset the failure count",
                },
              },
            },
          },
        },
        filter: {
          on: {
            "category.chosen": {
              actions: {
                type: "set the category filter",
              },
            },
            "page.chosen": {
              actions: {
                type: "set the page filter",
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
                "deletion.requested": {
                  target: "asking",
                  actions: {
                    type: "keep the item",
                  },
                },
                "dialog.dismissed": "#faq.dismissed",
                "wrongAnswers.opened": "wrongAnswers",
              },
            },
            wrongAnswers: {
              invoke: {
                id: "faqWrongAnswers",
                src: "faqWrongAnswers",
              },
              on: {
                "item.edited": {
                  target: "form",
                  actions: {
                    type: "keep the item",
                  },
                },
                "wrongAnswers.left": "list",
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
                    actions: "invalidate the entries",
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
                    "remove the entry from the list",
                    {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "FAQ deleted successfully",
                      },
                    },
                    "invalidate the entries",
                  ],
                },
                onError: {
                  target: "list",
                  actions: [
                    {
                      type: "notify failure",
                    },
                    "invalidate the entries",
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
