// Written by `npm run docs` from src/machines/comments/live-sale.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadSettings: fromPromise(async () => {}),
    saveSettings: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "can be saved": () => true,
    "has no typed text": () => true,
    "was saved": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    tellSession: enqueueActions(() => {}),
    "show the loaded settings": assign({}),
    "keep the changed settings": assign({}),
    "show the saved settings": assign({}),
    "show that others were saved": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "liveSale",
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "loadSettings",
        src: "loadSettings",
        onDone: {
          target: "editing",
          actions: {
            type: "show the loaded settings",
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
      on: {
        "dialog.dismissed": "dismissed",
      },
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#liveSale.loading",
          },
        },
        refused: {},
      },
      on: {
        "refetch.requested": {
          target: "loading",
          actions: "reset the failure count",
        },
        "dialog.dismissed": "dismissed",
      },
    },
    editing: {
      on: {
        "settings.edited": {
          actions: {
            type: "keep the changed settings",
          },
        },
        "settings.submitted": {
          guard: "can be saved",
          target: "saving",
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
        id: "saveSettings",
        src: "saveSettings",
        onDone: [
          {
            guard: {
              type: "was saved",
            },
            target: "editing",
            actions: [
              {
                type: "show the saved settings",
              },
              {
                type: "notify",
                params: {
                  kind: "success",
                  text: "Live sale saved",
                },
              },
            ],
          },
          {
            target: "editing",
            actions: {
              type: "show that others were saved",
            },
          },
        ],
        onError: {
          target: "editing",
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
