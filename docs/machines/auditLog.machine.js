// Written by `npm run docs` from src/machines/session/audit-log.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadAudit: fromPromise(async () => {}),
    exportAudit: fromPromise(async () => {}),
  },
  guards: {
    "has more": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the filter": assign({}),
    "show the first page": assign({}),
    "add the page": assign({}),
  },
  delays: {
    filterDelay: 300,
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
                onError: {
                  target: "failed",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            failed: {
              on: {
                "refetch.requested": "loading",
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
