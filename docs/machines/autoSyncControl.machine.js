// Written by `npm run docs` from src/machines/sync/auto-sync-control.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    saveConfig: fromPromise(async () => {}),
    toggle: fromPromise(async () => {}),
  },
  guards: {
    "can be saved": () => true,
    "has no typed text": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the typed settings": assign({}),
    "show the saved settings": assign({}),
    "set the requested state": assign({}),
  },
  delays: {},
}).createMachine({
  id: "autoSyncControl",
  initial: "editing",
  entry: {
    type: "tellSession",
    params: {
      type: "autoSync.invalidated",
    },
  },
  states: {
    editing: {
      on: {
        "settings.edited": {
          actions: {
            type: "keep the typed settings",
          },
        },
        "settings.submitted": {
          guard: {
            type: "can be saved",
          },
          target: "saving",
          actions: {
            type: "keep the typed settings",
          },
        },
        "start.requested": {
          target: "toggling",
          actions: {
            type: "set the requested state",
            params: {
              on: true,
            },
          },
        },
        "stop.requested": {
          target: "toggling",
          actions: {
            type: "set the requested state",
            params: {
              on: false,
            },
          },
        },
        "dialog.dismissed": "leaving",
      },
    },
    leaving: {
      always: {
        guard: "has no typed text",
        target: "dismissed",
      },
      on: {
        "discard.confirmed": "dismissed",
        "discard.refused": "editing",
        "dialog.dismissed": "editing",
      },
    },
    saving: {
      invoke: {
        id: "saveConfig",
        src: "saveConfig",
        onDone: {
          target: "editing",
          actions: [
            "show the saved settings",
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Settings updated",
              },
            },
            {
              type: "tellSession",
            },
          ],
        },
        onError: {
          target: "editing",
          actions: [
            {
              type: "notify failure",
            },
            {
              type: "tellSession",
              params: {
                type: "autoSync.invalidated",
              },
            },
          ],
        },
      },
    },
    toggling: {
      invoke: {
        id: "toggle",
        src: "toggle",
        onDone: {
          target: "editing",
          actions: {
            type: "tellSession",
          },
        },
        onError: {
          target: "editing",
          actions: [
            {
              type: "notify failure",
            },
            {
              type: "tellSession",
              params: {
                type: "autoSync.invalidated",
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
