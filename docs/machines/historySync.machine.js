// Written by `npm run docs` from src/machines/sync/history-sync.ts.
import { and, assign, enqueueActions, fromPromise, not, raise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadSyncStatus: fromPromise(async () => {}),
    startHistorySync: fromPromise(async () => {}),
    loadHistorySync: fromPromise(async () => {}),
    cancelHistorySync: fromPromise(async () => {}),
  },
  guards: {
    "has a page": () => true,
    "has a valid limit": () => true,
    "is already done": () => true,
    "is running": () => true,
    "found a running sync": () => true,
    "has failed": () => true,
    "is temporary": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    tellSession: enqueueActions(() => {}),
    "use the page": assign({}),
    "use the platform": assign({}),
    "keep the limit": assign({}),
    "keep the status": assign({}),
    "notify about the running sync": raise({ type: "status.invalidated | sync.found" }),
    "keep the job": assign({}),
    "resume the job": assign({}),
    "forget the job": assign({}),
    "invalidate the status": raise({ type: "status.invalidated" }),
  },
  delays: {
    progressInterval: 2000,
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "historySync",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        status: {
          initial: "invalidated",
          on: {
            "status.invalidated": ".invalidated",
          },
          states: {
            invalidated: {
              always: [
                {
                  guard: "has a page",
                  target: "loading",
                },
                {
                  target: "none",
                },
              ],
            },
            none: {},
            loading: {
              invoke: {
                id: "loadSyncStatus",
                src: "loadSyncStatus",
                onDone: [
                  {
                    guard: {
                      type: "found a running sync",
                    },
                    target: "known",
                    actions: [
                      {
                        type: "keep the status",
                      },
                      {
                        type: "notify about the running sync",
                      },
                    ],
                  },
                  {
                    target: "known",
                    actions: {
                      type: "keep the status",
                    },
                  },
                ],
                onError: {
                  target: "failed",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            known: {},
            failed: {
              on: {
                "refetch.requested": "loading",
              },
            },
          },
        },
        work: {
          initial: "choosing",
          states: {
            choosing: {
              initial: "unsynced",
              states: {
                unsynced: {},
                synced: {},
              },
              on: {
                "page.chosen": {
                  target: ".unsynced",
                  actions: [
                    {
                      type: "use the page",
                    },
                    "invalidate the status",
                  ],
                },
                "platform.chosen": {
                  target: ".unsynced",
                  actions: {
                    type: "use the platform",
                  },
                },
                "limit.typed": {
                  target: ".unsynced",
                  actions: {
                    type: "keep the limit",
                  },
                },
                "sync.requested": [
                  {
                    guard: and(["has a page", "has a valid limit"]),
                    target: "starting",
                  },
                  {
                    guard: not("has a page"),
                    actions: {
                      type: "notify",
                      params: {
                        kind: "error",
                        text: "Please select a page first",
                      },
                    },
                  },
                ],
                "sync.found": {
                  target: "running",
                  actions: {
                    type: "resume the job",
                  },
                },
                "dialog.dismissed": "#historySync.dismissed",
              },
            },
            starting: {
              entry: "forget the job",
              invoke: {
                id: "startHistorySync",
                src: "startHistorySync",
                onDone: [
                  {
                    guard: {
                      type: "is already done",
                    },
                    target: "choosing.synced",
                    actions: [
                      "invalidate the status",
                      {
                        type: "tellSession",
                        params: {
                          type: "inbox.invalidated",
                        },
                      },
                    ],
                  },
                  {
                    target: "deciding",
                    actions: {
                      type: "keep the job",
                    },
                  },
                ],
                onError: {
                  target: "choosing",
                  actions: [
                    {
                      type: "notify failure",
                    },
                    "invalidate the status",
                  ],
                },
              },
            },
            running: {
              initial: "waiting",
              on: {
                "cancel.requested": "cancelling",
                "dialog.dismissed": "#historySync.dismissed",
              },
              states: {
                waiting: {
                  after: {
                    progressInterval: "asking",
                  },
                },
                asking: {
                  invoke: {
                    id: "loadHistorySync",
                    src: "loadHistorySync",
                    onDone: {
                      target: "#historySync.open.work.deciding",
                      actions: {
                        type: "keep the job",
                      },
                    },
                    onError: [
                      {
                        guard: {
                          type: "is temporary",
                        },
                        target: "backingOff",
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
                        target: "#historySync.open.work.choosing",
                        actions: [
                          {
                            type: "notify failure",
                          },
                          "forget the job",
                        ],
                      },
                    ],
                  },
                },
                backingOff: {
                  after: {
                    retryDelay: "asking",
                  },
                },
              },
            },
            cancelling: {
              invoke: {
                id: "cancelHistorySync",
                src: "cancelHistorySync",
                onDone: {
                  target: "deciding",
                  actions: {
                    type: "keep the job",
                  },
                },
                onError: {
                  target: "running",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            deciding: {
              always: [
                {
                  guard: {
                    type: "is running",
                  },
                  target: "running",
                },
                {
                  guard: {
                    type: "has failed",
                  },
                  target: "choosing",
                  actions: [
                    {
                      type: "notify",
                    },
                    "invalidate the status",
                    {
                      type: "tellSession",
                      params: {
                        type: "inbox.invalidated",
                      },
                    },
                  ],
                },
                {
                  target: "choosing",
                  actions: [
                    "invalidate the status",
                    {
                      type: "tellSession",
                      params: {
                        type: "inbox.invalidated",
                      },
                    },
                  ],
                },
              ],
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
