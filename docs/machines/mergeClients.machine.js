// Written by `npm run docs` from src/machines/client/merge-clients.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    searchClients: fromPromise(async () => {}),
    loadPreview: fromPromise(async () => {}),
    mergeClients: fromPromise(async () => {}),
  },
  guards: {
    "is long enough": () => true,
    "is another client": () => true,
    "was changed by somebody else": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the term": assign({}),
    "clear the search results": assign({}),
    "show the search results": assign({}),
    "keep the other client": assign({}),
    "keep the preview": assign({}),
    "forget the preview": assign({}),
    "keep the choice": assign({}),
  },
  delays: {
    searchDebounce: 300,
  },
}).createMachine({
  id: "mergeClients",
  initial: "choosing",
  states: {
    choosing: {
      initial: "idle",
      on: {
        "search.typed": [
          {
            guard: {
              type: "is long enough",
            },
            target: ".debouncing",
            actions: {
              type: "keep the term",
            },
          },
          {
            target: ".idle",
            actions: [
              {
                type: "keep the term",
              },
              "clear the search results",
            ],
          },
        ],
        "client.chosen": {
          guard: {
            type: "is another client",
          },
          target: "loading",
          actions: {
            type: "keep the other client",
          },
        },
        "dialog.dismissed": "closed",
      },
      states: {
        idle: {},
        debouncing: {
          after: {
            searchDebounce: "searching",
          },
        },
        searching: {
          invoke: {
            id: "searchClients",
            src: "searchClients",
            onDone: {
              target: "idle",
              actions: {
                type: "show the search results",
              },
            },
            onError: {
              target: "failed",
              actions: [
                "clear the search results",
                {
                  type: "notify failure",
                },
              ],
            },
          },
        },
        failed: {
          on: {
            "refetch.requested": "searching",
          },
        },
      },
    },
    loading: {
      on: {
        "back.requested": {
          target: "choosing",
          actions: "forget the preview",
        },
        "dialog.dismissed": "closed",
      },
      invoke: {
        id: "loadPreview",
        src: "loadPreview",
        onDone: {
          target: "comparing",
          actions: {
            type: "keep the preview",
          },
        },
        onError: {
          target: "choosing",
          actions: [
            "forget the preview",
            {
              type: "notify failure",
            },
          ],
        },
      },
    },
    comparing: {
      on: {
        "field.chosen": {
          actions: {
            type: "keep the choice",
          },
        },
        "back.requested": {
          target: "choosing",
          actions: "forget the preview",
        },
        "merge.confirmed": "merging",
        "dialog.dismissed": "closed",
      },
    },
    merging: {
      invoke: {
        id: "mergeClients",
        src: "mergeClients",
        onDone: {
          target: "closed",
          actions: [
            {
              type: "tellSession",
            },
            {
              type: "tellSession",
              params: {
                type: "clientData.changed",
              },
            },
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Clients merged. You can undo this under Deleted clients.",
              },
            },
          ],
        },
        onError: [
          {
            guard: {
              type: "was changed by somebody else",
            },
            target: "loading",
            actions: {
              type: "notify failure",
            },
          },
          {
            target: "comparing",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    closed: {
      type: "final",
    },
  },
})
