// Written by `npm run docs` from src/machines/client/remove-client.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadSummary: fromPromise(async () => {}),
    removeClient: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "was changed by somebody else": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    notify: enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the summary": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "removeClient",
  on: {
    "dialog.dismissed": ".closed",
  },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "loadSummary",
        src: "loadSummary",
        onDone: {
          target: "asking",
          actions: {
            type: "keep the summary",
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
            retryDelay: "#removeClient.loading",
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
    asking: {
      on: {
        "removal.confirmed": "removing",
      },
    },
    removing: {
      on: {
        "dialog.dismissed": {},
      },
      invoke: {
        id: "removeClient",
        src: "removeClient",
        onDone: {
          target: "closed",
          actions: [
            {
              type: "tellSession",
            },
            {
              type: "tellSession",
              params: {
                type: "clientData.changed",
              },
            },
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Client deleted. You can restore it under Deleted clients.",
              },
            },
          ],
        },
        onError: [
          {
            guard: {
              type: "was changed by somebody else",
            },
            target: "loading",
            actions: {
              type: "notify failure",
            },
          },
          {
            target: "asking",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    closed: {
      type: "final",
    },
  },
})
