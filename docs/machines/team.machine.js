// Written by `npm run docs` from src/machines/list/team.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadTeam: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "offers names": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "store the confirmed user": assign({}),
    "keep the members": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "team",
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
        guard: "offers names",
        target: "loading",
      },
    },
    loading: {
      invoke: {
        id: "loadTeam",
        src: "loadTeam",
        onDone: {
          target: "known",
          actions: {
            type: "keep the members",
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
    },
    known: {
      on: {
        "refetch.requested": "loading",
      },
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#team.loading",
          },
        },
        refused: {},
      },
      on: {
        "refetch.requested": "loading",
      },
    },
  },
})
