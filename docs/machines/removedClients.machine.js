// Written by `npm run docs` from src/machines/client/removed-clients.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadRemovals: fromPromise(async () => {}),
    undoRemoval: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    notify: enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the clients": assign({}),
    "keep which is restored": assign({}),
    "nothing is restored": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "removedClients",
  on: {
    "dialog.dismissed": ".closed",
  },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "loadRemovals",
        src: "loadRemovals",
        onDone: {
          target: "showing",
          actions: {
            type: "keep the clients",
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
            retryDelay: "#removedClients.loading",
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
    showing: {
      on: {
        "restore.requested": {
          target: "restoring",
          actions: {
            type: "keep which is restored",
          },
        },
      },
    },
    restoring: {
      on: {
        "dialog.dismissed": {},
      },
      exit: "nothing is restored",
      invoke: {
        id: "undoRemoval",
        src: "undoRemoval",
        onDone: {
          target: "loading",
          actions: [
            {
              type: "tellSession",
            },
            {
              type: "tellSession",
              params: {
                type: "clientData.changed",
                clientIds: null,
              },
            },
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Client restored",
              },
            },
          ],
        },
        onError: {
          target: "loading",
          actions: {
            type: "notify failure",
          },
        },
      },
    },
    closed: {
      type: "final",
    },
  },
})
