// Written by `npm run docs` from src/machines/faq/faq-form.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    saveFaq: fromPromise(async () => {}),
  },
  guards: {
    "is complete": () => true,
    "is as it was": () => true,
    "is new": () => true,
    "may have been created": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep what was typed": assign({}),
    "add the keyword": assign({}),
    "remove the keyword": assign({}),
    "note where it leads": assign({}),
    "note the try": assign({}),
    "show the failure": assign({}),
    "show the doubt": assign({}),
  },
  delays: {},
}).createMachine({
  id: "faqForm",
  initial: "writing",
  states: {
    writing: {
      on: {
        "draft.changed": {
          actions: {
            type: "keep what was typed",
          },
        },
        "keyword.added": {
          actions: "add the keyword",
        },
        "keyword.removed": {
          actions: {
            type: "remove the keyword",
          },
        },
        "form.submitted": {
          guard: "is complete",
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
        target: "left",
      },
      on: {
        "discard.confirmed": "left",
        "discard.refused": "writing",
        "dialog.dismissed": "writing",
      },
    },
    saving: {
      entry: "note the try",
      invoke: {
        id: "saveFaq",
        src: "saveFaq",
        onDone: [
          {
            guard: "is new",
            target: "saved",
            actions: {
              type: "notify",
              params: {
                kind: "success",
                text: "FAQ created successfully",
              },
            },
          },
          {
            target: "saved",
            actions: {
              type: "notify",
              params: {
                kind: "success",
                text: "FAQ updated successfully",
              },
            },
          },
        ],
        onError: [
          {
            guard: {
              type: "may have been created",
            },
            target: "writing",
            actions: [
              "show the doubt",
              {
                type: "notify failure",
              },
            ],
          },
          {
            target: "writing",
            actions: [
              {
                type: "show the failure",
              },
              {
                type: "notify failure",
              },
            ],
          },
        ],
      },
    },
    saved: {
      type: "final",
    },
    left: {
      type: "final",
    },
  },
})
