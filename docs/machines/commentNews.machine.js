// Written by `npm run docs` from src/machines/comments/comment-news.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    openComments: fromPromise(async () => {}),
    readAddress: fromPromise(async () => {}),
  },
  guards: {
    "has news": () => true,
    "is news": () => true,
    "needs no answer": () => true,
  },
  actions: {
    announce: enqueueActions(() => {}),
    "keep the news": assign({}),
    "drop the news": assign({}),
    "forget the news": assign({}),
    "keep the request": assign({}),
    "remember that the tab is hidden": assign({}),
    "remember that the tab is visible": assign({}),
  },
  delays: {
    gatherTime: 1000,
    pause: () => 1000,
  },
}).createMachine({
  id: "commentNews",
  type: "parallel",
  invoke: {
    id: "readAddress",
    src: "readAddress",
  },
  on: {
    "tab.shown": {
      actions: "remember that the tab is visible",
    },
    "tab.hidden": {
      actions: "remember that the tab is hidden",
    },
  },
  states: {
    announcing: {
      initial: "idle",
      on: {
        "comments.changed": [
          {
            guard: {
              type: "is news",
            },
            actions: {
              type: "keep the news",
            },
          },
          {
            guard: {
              type: "needs no answer",
            },
            actions: {
              type: "drop the news",
            },
          },
        ],
      },
      states: {
        idle: {
          always: {
            guard: "has news",
            target: "gathering",
          },
        },
        gathering: {
          after: {
            gatherTime: [
              {
                guard: "has news",
                target: "throttled",
                actions: [
                  {
                    type: "announce",
                  },
                  "forget the news",
                ],
              },
              {
                target: "idle",
              },
            ],
          },
        },
        throttled: {
          after: {
            pause: "idle",
          },
        },
      },
    },
    opening: {
      initial: "none",
      on: {
        "comments.requested": {
          target: ".asked",
          actions: {
            type: "keep the request",
          },
        },
      },
      states: {
        none: {},
        asked: {
          invoke: {
            id: "openComments",
            src: "openComments",
          },
          on: {
            "comments.shown": "none",
          },
        },
      },
    },
  },
})
