// Written by `npm run docs` from src/machines/list/label-manager.ts.
import { assign, createMachine, enqueueActions, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    labelForm: createMachine({}),
    loadLabelUsage: fromPromise(async () => {}),
    deleteLabel: fromPromise(async () => {}),
  },
  guards: {
    "was dismissed": () => true,
    "may have saved": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the item": assign({}),
    "keep the usage": assign({}),
    "request close of the form": sendTo("labelForm", { type: "dialog.dismissed" }),
  },
  delays: {},
}).createMachine({
  id: "labelManager",
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
        "dialog.dismissed": "dismissed",
      },
    },
    form: {
      invoke: {
        id: "labelForm",
        src: "labelForm",
        onDone: [
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
      initial: "counting",
      on: {
        "deletion.confirmed": "deleting",
        "deletion.cancelled": "list",
        "dialog.dismissed": "list",
      },
      states: {
        counting: {
          invoke: {
            id: "loadLabelUsage",
            src: "loadLabelUsage",
            onDone: {
              target: "counted",
              actions: {
                type: "keep the usage",
              },
            },
            onError: "notCounted",
          },
        },
        counted: {},
        notCounted: {},
      },
    },
    deleting: {
      invoke: {
        id: "deleteLabel",
        src: "deleteLabel",
        onDone: {
          target: "list",
          actions: [
            {
              type: "tellSession",
              params: {
                type: "labels.told",
              },
            },
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Label deleted",
              },
            },
          ],
        },
        onError: {
          target: "list",
          actions: [
            {
              type: "notify failure",
            },
            {
              type: "tellSession",
              params: {
                type: "labels.invalidated",
              },
            },
          ],
        },
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
