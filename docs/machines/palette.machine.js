// Written by `npm run docs` from src/machines/shell/palette.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    findPeople: fromPromise(async () => {}),
    search: createMachine({}),
  },
  guards: {
    "can be searched": () => true,
  },
  actions: {
    tellRecords: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellDialog: enqueueActions(() => {}),
    "forward to the search": sendTo("search", { type: "an event" }),
    "type the key": raise({ type: "term.typed" }),
    "keep the term": assign({}),
    "forget the people": assign({}),
    "start the search": assign({}),
    "keep the people": assign({}),
  },
  delays: {
    searchDebounce: 300,
  },
}).createMachine({
  id: "palette",
  invoke: {
    id: "search",
    src: "search",
  },
  initial: "open",
  states: {
    open: {
      initial: "idle",
      on: {
        "term.typed": [
          {
            guard: {
              type: "can be searched",
            },
            target: ".debouncing",
            actions: [
              {
                type: "keep the term",
              },
              "forward to the search",
            ],
          },
          {
            target: ".idle",
            actions: [
              {
                type: "keep the term",
              },
              "forward to the search",
            ],
          },
        ],
        "key.typed": {
          actions: {
            type: "type the key",
          },
        },
        "command.chosen": {
          target: "closed",
          actions: {
            type: "tellDialog",
          },
        },
        "person.chosen": "closed",
        "dialog.dismissed": "closed",
      },
      states: {
        idle: {
          entry: "forget the people",
        },
        debouncing: {
          after: {
            searchDebounce: "searching",
          },
        },
        searching: {
          entry: "start the search",
          invoke: {
            id: "findPeople",
            src: "findPeople",
            onDone: {
              target: "found",
              actions: [
                {
                  type: "keep the people",
                },
                {
                  type: "tellRecords",
                  params: {
                    type: "conversations.held",
                  },
                },
                {
                  type: "tellRecords",
                  params: {
                    type: "conversations.lookedUp",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                "forget the people",
                {
                  type: "notify failure",
                },
              ],
            },
          },
        },
        found: {},
        failed: {
          on: {
            "refetch.requested": "searching",
          },
        },
      },
    },
    closed: {
      type: "final",
    },
  },
})
