// Written by `npm run docs` from src/machines/list/saved-filter-manager.ts.
import { assign, createMachine, enqueueActions, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    savedFilterForm: createMachine({}),
    deleteFilter: fromPromise(async () => {}),
  },
  guards: {
    "was dismissed": () => true,
    "may have saved": () => true,
    "has values to save": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    tellFilters: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the item": assign({}),
    "request close of the form": sendTo("savedFilterForm", { type: "dialog.dismissed" }),
  },
  delays: {},
}).createMachine({
  id: "savedFilterManager",
  initial: "list",
  states: {
    list: {
      always: {
        guard: "has values to save",
        target: "form",
      },
      on: {
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
        "dialog.dismissed": "dismissed",
      },
    },
    form: {
      invoke: {
        id: "savedFilterForm",
        src: "savedFilterForm",
        onDone: [
          {
            guard: "has values to save",
            target: "dismissed",
          },
          {
            guard: {
              type: "was dismissed",
            },
            target: "dismissed",
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
        id: "deleteFilter",
        src: "deleteFilter",
        onDone: {
          target: "list",
          actions: [
            {
              type: "tellFilters",
            },
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Filter deleted",
              },
            },
          ],
        },
        onError: {
          target: "list",
          actions: {
            type: "notify failure",
          },
        },
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
