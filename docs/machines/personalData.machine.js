// Written by `npm run docs` from src/machines/client/personal-data.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    exportPerson: fromPromise(async () => {}),
    loadErasable: fromPromise(async () => {}),
    erasePerson: fromPromise(async () => {}),
    loadErasure: fromPromise(async () => {}),
  },
  guards: {
    "may export": () => true,
    "may erase": () => true,
    "is not loaded": () => true,
    "client may be erased": () => true,
    "is confirmed": () => true,
    "is completed": () => true,
    "is temporary": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    tellSession: enqueueActions(() => {}),
    "keep what is erased": assign({}),
    "keep the choice": assign({}),
    "keep the word": assign({}),
    "keep the erasure": assign({}),
  },
  delays: {
    progressInterval: 1000,
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "personalData",
  initial: "opening",
  states: {
    opening: {
      always: [
        {
          guard: "may erase",
          target: "loading",
        },
        {
          target: "asking",
        },
      ],
    },
    loading: {
      invoke: {
        id: "loadErasable",
        src: "loadErasable",
        onDone: {
          target: "asking",
          actions: {
            type: "keep what is erased",
          },
        },
        onError: {
          target: "asking",
          actions: {
            type: "notify failure",
          },
        },
      },
      on: {
        "dialog.dismissed": "closed",
      },
    },
    asking: {
      on: {
        "refetch.requested": {
          guard: "is not loaded",
          target: "opening",
        },
        "client.toggled": {
          guard: "client may be erased",
          actions: {
            type: "keep the choice",
          },
        },
        "export.requested": {
          guard: "may export",
          target: "exporting",
        },
        "word.typed": {
          actions: {
            type: "keep the word",
          },
        },
        "erase.requested": {
          guard: "is confirmed",
          target: "starting",
        },
        "dialog.dismissed": "closed",
      },
    },
    exporting: {
      invoke: {
        id: "exportPerson",
        src: "exportPerson",
        onDone: {
          target: "asking",
          actions: {
            type: "notify",
            params: {
              kind: "success",
              text: "Personal data exported",
            },
          },
        },
        onError: {
          target: "asking",
          actions: {
            type: "notify failure",
          },
        },
      },
      on: {
        "word.typed": {
          actions: {
            type: "keep the word",
          },
        },
        "dialog.dismissed": "closed",
      },
    },
    starting: {
      invoke: {
        id: "erasePerson",
        src: "erasePerson",
        onDone: {
          target: "erasing",
          actions: {
            type: "keep the erasure",
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
    erasing: {
      on: {
        "dialog.dismissed": "closed",
      },
      initial: "waiting",
      states: {
        waiting: {
          after: {
            progressInterval: "looking",
          },
        },
        looking: {
          invoke: {
            id: "loadErasure",
            src: "loadErasure",
            onDone: [
              {
                guard: {
                  type: "is completed",
                },
                target: "#personalData.done",
              },
              {
                target: "waiting",
                actions: {
                  type: "keep the erasure",
                },
              },
            ],
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
                target: "#personalData.failed",
                actions: {
                  type: "notify failure",
                },
              },
            ],
          },
        },
        backingOff: {
          after: {
            retryDelay: "looking",
          },
        },
      },
    },
    failed: {
      on: {
        "erase.requested": "starting",
        "dialog.dismissed": "closed",
      },
    },
    done: {
      entry: {
        type: "tellSession",
        params: {
          type: "person.erased",
        },
      },
      on: {
        "dialog.dismissed": "closed",
      },
    },
    closed: {
      type: "final",
    },
  },
})
