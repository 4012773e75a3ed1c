// Written by `npm run docs` from src/machines/thread/colleagues.ts.
import { assign, createMachine, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    presence: createMachine({}),
    notes: createMachine({}),
    collision: createMachine({}),
    savedFilters: createMachine({}),
    commentCount: createMachine({}),
    commentNews: createMachine({}),
    watchColleagues: fromPromise(async () => {}),
  },
  guards: {
    "has a channel": () => true,
    "was lost": () => true,
    "is the own change": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "tell the parts": enqueueActions(() => {}),
    "start the parts": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
  },
  delays: {
    rejoinDelay: () => 1000,
  },
}).createMachine({
  id: "colleagues",
  entry: "start the parts",
  on: {
    "conversation.opened": {
      actions: {
        type: "tell the parts",
      },
    },
    "conversation.closed": {
      actions: {
        type: "tell the parts",
      },
    },
    "conversation.gone": {
      actions: {
        type: "tell the parts",
      },
    },
    "reply.typed": {
      actions: {
        type: "tell the parts",
      },
    },
    "messages.changed": {
      actions: {
        type: "tell the parts",
      },
    },
    "messages.fetched": {
      actions: {
        type: "tell the parts",
      },
    },
    "refetch.requested": {
      actions: {
        type: "tell the parts",
      },
    },
    "comments.requested": {
      actions: {
        type: "tell the parts",
      },
    },
    "tab.shown": {
      actions: {
        type: "tell the parts",
      },
    },
    "tab.hidden": {
      actions: {
        type: "tell the parts",
      },
    },
    "presence.changed": {
      actions: {
        type: "tell the parts",
      },
    },
    "label.changed": {
      actions: {
        type: "tellSession",
        params: {
          type: "labels.invalidated",
        },
      },
    },
    "clientLabels.changed": {
      actions: {
        type: "tellSession",
        params: {
          type: "clientLabels.told",
        },
      },
    },
    "clientData.changed": {
      actions: {
        type: "tellSession",
      },
    },
    "comments.changed": {
      actions: [
        {
          type: "tell the parts",
        },
        {
          type: "tellSession",
        },
      ],
    },
    "savedFilters.changed": {
      guard: {
        type: "is the own change",
      },
      actions: {
        type: "tell the parts",
      },
    },
    "note.changed": {
      actions: {
        type: "tell the parts",
      },
    },
  },
  initial: "alone",
  states: {
    alone: {
      always: {
        guard: "has a channel",
        target: "watching",
      },
    },
    watching: {
      invoke: {
        id: "watchColleagues",
        src: "watchColleagues",
      },
      on: {
        "channel.joined": [
          {
            guard: "was lost",
            actions: [
              "reset the failure count",
              {
                type: "tell the parts",
                params: {
                  type: "savedFilters.changed",
                },
              },
              {
                type: "tellSession",
                params: {
                  type: "labels.invalidated",
                },
              },
              {
                type: "tellSession",
                params: {
                  type: "clientData.changed",
                  clientIds: null,
                },
              },
              {
                type: "tellSession",
                params: {
                  type: "comments.changed",
                  thread: null,
                },
              },
            ],
          },
          {
            actions: {
              type: "tell the parts",
            },
          },
        ],
        "channel.lost": {
          target: "lost",
          actions: "count the failure",
        },
      },
    },
    lost: {
      after: {
        rejoinDelay: "watching",
      },
    },
  },
})
