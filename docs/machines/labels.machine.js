// Written by `npm run docs` from src/machines/list/labels.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadLabels: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "offers labels": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "store the confirmed user": assign({}),
    "keep the labels": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "labels",
  initial: "notOffered",
  on: {
    "user.confirmed": {
      actions: {
        type: "store the confirmed user",
      },
    },
  },
  states: {
    notOffered: {
      always: {
        guard: "offers labels",
        target: "loading",
      },
    },
    loading: {
      invoke: {
        id: "loadLabels",
        src: "loadLabels",
        onDone: {
          target: "known",
          actions: [
            {
              type: "keep the labels",
            },
            {
              type: "tellSession",
              params: {
                type: "labels.loaded",
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
            actions: [
              {
                type: "notify failure",
              },
              {
                type: "count the failure",
              },
            ],
          },
        ],
      },
      on: {
        "labels.invalidated": {
          target: "loading",
          reenter: true,
        },
        "labels.told": {
          target: "known",
          actions: [
            {
              type: "keep the labels",
            },
            {
              type: "tellSession",
              params: {
                type: "labels.loaded",
              },
            },
          ],
        },
      },
    },
    known: {
      on: {
        "refetch.requested": "loading",
        "labels.invalidated": "loading",
        "labels.told": {
          target: "known",
          actions: [
            {
              type: "keep the labels",
            },
            {
              type: "tellSession",
              params: {
                type: "labels.loaded",
              },
            },
          ],
        },
      },
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#labels.loading",
          },
        },
        refused: {},
      },
      on: {
        "refetch.requested": "loading",
        "labels.invalidated": "loading",
        "labels.told": {
          target: "#labels.known",
          actions: [
            {
              type: "keep the labels",
            },
            {
              type: "tellSession",
              params: {
                type: "labels.loaded",
              },
            },
          ],
        },
      },
    },
  },
})
