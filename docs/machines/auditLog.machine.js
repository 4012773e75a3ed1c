// Written by `npm run docs` from src/machines/session/audit-log.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadAudit: fromPromise(async () => {}),
    exportAudit: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "has more": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the filter": assign({}),
    "show the first page": assign({}),
    "add the page": assign({}),
  },
  delays: {
    filterDelay: 300,
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "auditLog",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      on: {
        "dialog.dismissed": "dismissed",
      },
      states: {
        list: {
          initial: "loading",
          on: {
            "filter.changed": {
              target: ".settling",
              actions: {
                type: "keep the filter",
              },
            },
          },
          states: {
            settling: {
              after: {
                filterDelay: "loading",
              },
            },
            loading: {
              invoke: {
                id: "loadFirst",
                src: "loadAudit",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "show the first page",
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
                    retryDelay: "#auditLog.open.list.loading",
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
              initial: "idle",
              on: {
                "refetch.requested": "loading",
              },
              states: {
                idle: {
                  on: {
                    "more.requested": {
                      guard: "has more",
                      target: "loadingMore",
                    },
                  },
                },
                loadingMore: {
                  invoke: {
                    id: "loadMore",
                    src: "loadAudit",
                    onDone: {
                      target: "idle",
                      actions: {
                        type: "add the page",
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
        export: {
          initial: "idle",
          states: {
            idle: {
              on: {
                "export.requested": "exporting",
              },
            },
            exporting: {
              invoke: {
                id: "exportAudit",
                src: "exportAudit",
                onDone: {
                  target: "idle",
                  actions: {
                    type: "notify",
                    params: {
                      kind: "success",
                      text: "Saved as audit-log.csv in your downloads",
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
