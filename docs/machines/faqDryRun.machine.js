// Written by `npm run docs` from src/machines/faq/faq-dry-run.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    dryRun: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "was the last part": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "begin a run": assign({}),
    "add the part": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "faqDryRun",
  initial: "idle",
  states: {
    idle: {
      on: {
        "run.requested": {
          target: "#faqDryRun.running",
          actions: {
            type: "begin a run",
          },
        },
      },
    },
    running: {
      initial: "loading",
      on: {
        "run.cancelled": "cancelled",
      },
      states: {
        loading: {
          invoke: {
            id: "dryRun",
            src: "dryRun",
            onDone: [
              {
                guard: {
                  type: "was the last part",
                },
                target: "#faqDryRun.finished",
                actions: {
                  type: "add the part",
                },
              },
              {
                target: "loading",
                reenter: true,
                actions: {
                  type: "add the part",
                },
              },
            ],
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
                retryDelay: "#faqDryRun.running.loading",
              },
            },
            refused: {},
          },
          on: {
            "refetch.requested": {
              target: "loading",
              actions: "reset the failure count",
            },
            "run.requested": {
              target: "#faqDryRun.running",
              actions: {
                type: "begin a run",
              },
            },
          },
        },
      },
    },
    cancelled: {
      on: {
        "run.requested": {
          target: "#faqDryRun.running",
          actions: {
            type: "begin a run",
          },
        },
      },
    },
    finished: {
      on: {
        "run.requested": {
          target: "#faqDryRun.running",
          actions: {
            type: "begin a run",
          },
        },
      },
    },
  },
})
