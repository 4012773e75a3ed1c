// Written by `npm run docs` from src/machines/client/edit-client.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadClient: fromPromise(async () => {}),
    editClient: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "can be saved": () => true,
    "has no typed text": () => true,
    "was changed by somebody else": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    notify: enqueueActions(() => {}),
    tellClients: enqueueActions(() => {}),
    "keep the client": assign({}),
    "compare with the client": assign({}),
    "note the moment": assign({}),
    "keep the fields": assign({}),
    "choose the value": assign({}),
    "show the failure": assign({}),
    "clear the failure": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "editClient",
  on: {
    "dialog.dismissed": ".closed",
  },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "loadClient",
        src: "loadClient",
        onDone: {
          target: "editing",
          actions: {
            type: "keep the client",
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
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#editClient.loading",
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
    editing: {
      on: {
        "fields.typed": {
          actions: {
            type: "keep the fields",
          },
        },
        "value.chosen": {
          actions: {
            type: "choose the value",
          },
        },
        "form.submitted": [
          {
            guard: "has no typed text",
            target: "closed",
          },
          {
            guard: "can be saved",
            target: "saving",
          },
        ],
        "form.cancelled": "leaving",
        "dialog.dismissed": "leaving",
      },
    },
    leaving: {
      always: {
        guard: "has no typed text",
        target: "#editClient.closed",
      },
      on: {
        "discard.confirmed": "#editClient.closed",
        "discard.refused": "editing",
        "dialog.dismissed": "editing",
      },
    },
    saving: {
      on: {
        "dialog.dismissed": {},
      },
      entry: [
        "clear the failure",
        "note the moment",
      ],
      invoke: {
        id: "editClient",
        src: "editClient",
        onDone: {
          target: "closed",
          actions: [
            {
              type: "tellClients",
              params: {
                type: "clients.fetched",
              },
            },
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Client saved",
              },
            },
          ],
        },
        onError: [
          {
            guard: {
              type: "was changed by somebody else",
            },
            target: "comparing",
          },
          {
            target: "editing",
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
    comparing: {
      on: {
        "dialog.dismissed": {},
      },
      invoke: {
        id: "loadChanges",
        src: "loadClient",
        onDone: {
          target: "editing",
          actions: [
            {
              type: "compare with the client",
            },
            {
              type: "notify",
              params: {
                kind: "warning",
                text: "A colleague changed this client meanwhile. Look at the changes, then save again.",
              },
            },
          ],
        },
        onError: {
          target: "editing",
          actions: [
            {
              type: "show the failure",
            },
            {
              type: "notify failure",
            },
          ],
        },
      },
    },
    closed: {
      type: "final",
    },
  },
})
