// Written by `npm run docs` from src/machines/client/data-transfer.ts.
import { assign, enqueueActions, fromPromise, setup, stateIn } from 'xstate'

export const machine = setup({
  actors: {
    loadImports: fromPromise(async () => {}),
    loadImport: fromPromise(async () => {}),
    upload: fromPromise(async () => {}),
    checkImport: fromPromise(async () => {}),
    runImport: fromPromise(async () => {}),
    cancelImport: fromPromise(async () => {}),
    loadRows: fromPromise(async () => {}),
    saveRefused: fromPromise(async () => {}),
    exportData: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "may import": () => true,
    "can be uploaded": () => true,
    "is uploaded": () => true,
    "is worked on": () => true,
    "waits for columns": () => true,
    "is checked": () => true,
    "is uploading elsewhere": () => true,
    "has its columns": () => true,
    "has more rows": () => true,
    "has earlier rows": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the imports": assign({}),
    "use the kind": assign({}),
    "use the file": assign({}),
    "count the step": assign({}),
    "keep the import": assign({}),
    "change the mapping": assign({}),
    "begin with the first rows": assign({}),
    "use the outcome": assign({}),
    "turn to the next page": assign({}),
    "turn to the previous page": assign({}),
    "keep the rows": assign({}),
    "leave the import": assign({}),
    "choose the export": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    pollDelay: 1000,
  },
}).createMachine({
  id: "dataTransfer",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        import: {
          initial: "notOffered",
          on: {
            "dialog.dismissed": "#dataTransfer.dismissed",
          },
          states: {
            notOffered: {
              always: {
                guard: "may import",
                target: "loading",
              },
            },
            loading: {
              invoke: {
                id: "loadImports",
                src: "loadImports",
                onDone: {
                  target: "choosing",
                  actions: {
                    type: "keep the imports",
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
                    retryDelay: "#dataTransfer.open.import.loading",
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
            choosing: {
              on: {
                "kind.chosen": {
                  actions: {
                    type: "use the kind",
                  },
                },
                "file.chosen": [
                  {
                    guard: {
                      type: "can be uploaded",
                    },
                    target: "uploading",
                    actions: {
                      type: "use the file",
                    },
                  },
                  {
                    actions: {
                      type: "notify",
                    },
                  },
                ],
                "import.opened": {
                  target: "deciding",
                  actions: {
                    type: "keep the import",
                  },
                },
                "refetch.requested": "loading",
              },
            },
            uploading: {
              initial: "sending",
              on: {
                "dialog.dismissed": "#dataTransfer.abandoning",
              },
              states: {
                sending: {
                  initial: "going",
                  states: {
                    going: {
                      on: {
                        "cancel.requested": "cancelling",
                        "dialog.dismissed": "closing",
                      },
                    },
                    cancelling: {
                      on: {
                        "dialog.dismissed": "closing",
                      },
                    },
                    closing: {
                      on: {
                        "dialog.dismissed": "closing",
                      },
                    },
                  },
                  invoke: {
                    id: "upload",
                    src: "upload",
                    onDone: [
                      {
                        guard: stateIn({"open":{"import":{"uploading":{"sending":"cancelling"}}}}),
                        target: "abandoning",
                      },
                      {
                        guard: stateIn({"open":{"import":{"uploading":{"sending":"closing"}}}}),
                        target: "#dataTransfer.abandoning",
                      },
                      {
                        guard: {
                          type: "is uploaded",
                        },
                        target: "#dataTransfer.open.import.deciding",
                        actions: {
                          type: "keep the import",
                        },
                      },
                      {
                        target: "sending",
                        reenter: true,
                        actions: "count the step",
                      },
                    ],
                    onError: [
                      {
                        guard: stateIn({"open":{"import":{"uploading":{"sending":"cancelling"}}}}),
                        target: "abandoning",
                      },
                      {
                        guard: stateIn({"open":{"import":{"uploading":{"sending":"closing"}}}}),
                        target: "#dataTransfer.abandoning",
                      },
                      {
                        guard: {
                          type: "is temporary",
                        },
                        target: "waiting",
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
                        target: "#dataTransfer.open.import.loading",
                        actions: [
                          "leave the import",
                          {
                            type: "notify failure",
                          },
                        ],
                      },
                    ],
                  },
                },
                waiting: {
                  after: {
                    retryDelay: "sending",
                  },
                  on: {
                    "cancel.requested": "abandoning",
                  },
                },
                abandoning: {
                  invoke: {
                    id: "abandonImport",
                    src: "cancelImport",
                    onDone: {
                      target: "#dataTransfer.open.import.loading",
                      actions: "leave the import",
                    },
                    onError: {
                      target: "#dataTransfer.open.import.loading",
                      actions: "leave the import",
                    },
                  },
                },
              },
            },
            deciding: {
              always: [
                {
                  guard: "is worked on",
                  target: "working",
                },
                {
                  guard: "waits for columns",
                  target: "mapping",
                },
                {
                  guard: "is checked",
                  target: "checked",
                },
                {
                  guard: "is uploading elsewhere",
                  target: "interrupted",
                },
                {
                  target: "ended",
                },
              ],
            },
            working: {
              after: {
                pollDelay: "refreshing",
              },
              on: {
                "import.left": {
                  target: "loading",
                  actions: "leave the import",
                },
                "cancel.requested": "cancelling",
              },
            },
            refreshing: {
              on: {
                "import.left": {
                  target: "loading",
                  actions: "leave the import",
                },
                "cancel.requested": "cancelling",
              },
              invoke: {
                id: "loadImport",
                src: "loadImport",
                onDone: {
                  target: "deciding",
                  actions: {
                    type: "keep the import",
                  },
                },
                onError: [
                  {
                    guard: {
                      type: "is temporary",
                    },
                    target: "unreachable",
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
                    target: "loading",
                    actions: [
                      "leave the import",
                      {
                        type: "notify failure",
                      },
                    ],
                  },
                ],
              },
            },
            unreachable: {
              after: {
                retryDelay: "refreshing",
              },
              on: {
                "import.left": {
                  target: "loading",
                  actions: "leave the import",
                },
                "cancel.requested": "cancelling",
              },
            },
            mapping: {
              on: {
                "mapping.changed": {
                  actions: {
                    type: "change the mapping",
                  },
                },
                "check.requested": {
                  guard: "has its columns",
                  target: "checking",
                },
                "import.left": {
                  target: "loading",
                  actions: "leave the import",
                },
                "cancel.requested": "cancelling",
              },
            },
            checking: {
              invoke: {
                id: "checkImport",
                src: "checkImport",
                onDone: {
                  target: "deciding",
                  actions: {
                    type: "keep the import",
                  },
                },
                onError: {
                  target: "mapping",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            checked: {
              entry: "begin with the first rows",
              initial: "loading",
              on: {
                "outcome.chosen": {
                  target: ".loading",
                  actions: {
                    type: "use the outcome",
                  },
                },
                "mapping.reopened": "mapping",
                "run.requested": "starting",
                "import.left": {
                  target: "loading",
                  actions: "leave the import",
                },
                "cancel.requested": "cancelling",
              },
              states: {
                loading: {
                  invoke: {
                    id: "loadRows",
                    src: "loadRows",
                    onDone: {
                      target: "shown",
                      actions: {
                        type: "keep the rows",
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
                shown: {
                  on: {
                    "rows.next": {
                      guard: "has more rows",
                      target: "loading",
                      actions: "turn to the next page",
                    },
                    "rows.previous": {
                      guard: "has earlier rows",
                      target: "loading",
                      actions: "turn to the previous page",
                    },
                  },
                },
                failed: {
                  on: {
                    "refetch.requested": "loading",
                  },
                },
              },
            },
            starting: {
              invoke: {
                id: "runImport",
                src: "runImport",
                onDone: {
                  target: "deciding",
                  actions: {
                    type: "keep the import",
                  },
                },
                onError: {
                  target: "refreshing",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            interrupted: {
              on: {
                "import.left": {
                  target: "loading",
                  actions: "leave the import",
                },
                "cancel.requested": "cancelling",
              },
            },
            cancelling: {
              invoke: {
                id: "cancelImport",
                src: "cancelImport",
                onDone: {
                  target: "deciding",
                  actions: {
                    type: "keep the import",
                  },
                },
                onError: {
                  target: "refreshing",
                  actions: {
                    type: "notify failure",
                  },
                },
              },
            },
            ended: {
              entry: "begin with the first rows",
              initial: "loading",
              on: {
                "outcome.chosen": {
                  target: ".loading",
                  actions: {
                    type: "use the outcome",
                  },
                },
                "import.left": {
                  target: "loading",
                  actions: "leave the import",
                },
              },
              states: {
                loading: {
                  invoke: {
                    id: "loadRows",
                    src: "loadRows",
                    onDone: {
                      target: "shown",
                      actions: {
                        type: "keep the rows",
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
                shown: {
                  on: {
                    "rows.next": {
                      guard: "has more rows",
                      target: "loading",
                      actions: "turn to the next page",
                    },
                    "rows.previous": {
                      guard: "has earlier rows",
                      target: "loading",
                      actions: "turn to the previous page",
                    },
                  },
                },
                failed: {
                  on: {
                    "refetch.requested": "loading",
                  },
                },
              },
            },
          },
        },
        download: {
          initial: "idle",
          states: {
            idle: {
              on: {
                "refused.requested": "saving",
                "export.requested": "exporting",
                "export.chosen": {
                  actions: {
                    type: "choose the export",
                  },
                },
              },
            },
            saving: {
              invoke: {
                id: "saveRefused",
                src: "saveRefused",
                onDone: {
                  target: "idle",
                  actions: {
                    type: "notify",
                    params: {
                      kind: "success",
                      text: "The download has started",
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
            exporting: {
              invoke: {
                id: "exportData",
                src: "exportData",
                onDone: {
                  target: "idle",
                  actions: {
                    type: "notify",
                    params: {
                      kind: "success",
                      text: "The download has started",
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
    abandoning: {
      invoke: {
        id: "abandonOnDismissal",
        src: "cancelImport",
        onDone: "dismissed",
        onError: "dismissed",
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
