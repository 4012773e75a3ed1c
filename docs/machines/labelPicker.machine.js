// Written by `npm run docs` from src/machines/list/label-picker.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    createLabel: fromPromise(async () => {}),
    changeClientLabels: fromPromise(async () => {}),
  },
  guards: {
    "is a new name": () => true,
    "changes a client": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "request the change": enqueueActions(() => {}),
    toggle: assign({}),
    "keep the draft": assign({}),
  },
  delays: {},
}).createMachine({
  id: "labelPicker",
  initial: "choosing",
  states: {
    choosing: {
      on: {
        "label.toggled": {
          actions: {
            type: "toggle",
          },
        },
        "label.created": {
          guard: {
            type: "is a new name",
          },
          target: "creating",
          actions: {
            type: "keep the draft",
          },
        },
        "dialog.dismissed": [
          {
            guard: "changes a client",
            target: "saving",
          },
          {
            target: "closed",
          },
        ],
      },
    },
    creating: {
      invoke: {
        id: "createLabel",
        src: "createLabel",
        onDone: {
          target: "choosing",
          actions: [
            {
              type: "tellSession",
              params: {
                type: "labels.told",
              },
            },
            {
              type: "toggle",
            },
          ],
        },
        onError: {
          target: "choosing",
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
      on: {
        "label.toggled": {
          actions: {
            type: "toggle",
          },
        },
      },
    },
    saving: {
      invoke: {
        id: "changeClientLabels",
        src: "changeClientLabels",
        onDone: {
          target: "closed",
          actions: {
            type: "tellSession",
            params: {
              type: "clientLabels.told",
            },
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
    failed: {
      on: {
        "label.toggled": {
          target: "choosing",
          actions: {
            type: "toggle",
          },
        },
        "change.retried": "saving",
        "dialog.dismissed": "left",
      },
    },
    left: {
      type: "final",
    },
    closed: {
      type: "final",
      entry: {
        type: "request the change",
      },
    },
  },
})
