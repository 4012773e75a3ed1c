// Written by `npm run docs` from src/machines/reports/reports.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadReport: fromPromise(async () => {}),
    exportReport: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "gives no range": () => true,
    "has a range": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the choice": assign({}),
    "keep the report": assign({}),
  },
  delays: {
    choiceDelay: 300,
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "reports",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      on: {
        "dialog.dismissed": "dismissed",
      },
      states: {
        report: {
          initial: "loading",
          on: {
            "choice.changed": [
              {
                guard: {
                  type: "gives no range",
                },
                target: ".withoutRange",
                actions: {
                  type: "keep the choice",
                },
              },
              {
                target: ".settling",
                actions: {
                  type: "keep the choice",
                },
              },
            ],
          },
          states: {
            settling: {
              after: {
                choiceDelay: "loading",
              },
            },
            loading: {
              invoke: {
                id: "loadReport",
                src: "loadReport",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "keep the report",
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
                    retryDelay: "#reports.open.report.loading",
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
                "refetch.requested": "loading",
              },
            },
            withoutRange: {},
          },
        },
        export: {
          initial: "idle",
          states: {
            idle: {
              on: {
                "export.requested": {
                  guard: "has a range",
                  target: "exporting",
                },
              },
            },
            exporting: {
              invoke: {
                id: "exportReport",
                src: "exportReport",
                onDone: {
                  target: "idle",
                  actions: {
                    type: "notify",
                    params: {
                      kind: "success",
                      text: "The report is in your downloads",
                    },
                  },
                },
                onError: {
                  target: "idle",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
          },
        },
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
