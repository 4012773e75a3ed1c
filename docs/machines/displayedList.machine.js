// Written by `npm run docs` from src/machines/list/displayed-list.ts.
import { and, assign, enqueueActions, fromPromise, not, setup, stateIn } from 'xstate'

export const machine = setup({
  actors: {
    watchList: fromPromise(async () => {}),
  },
  guards: {
    "is not in use": and([stateIn({"pointer":"outside"}), stateIn({"focus":"outside"}), stateIn({"press":"none"})]),
    "is another list": () => true,
  },
  actions: {
    tellRecords: enqueueActions(() => {}),
    "store the list": assign({}),
    "arrange by the time": assign({}),
    "show the latest": assign({}),
    "store the list behind the shown": assign({}),
    "toggle the fold": assign({}),
    "toggle the mark": assign({}),
    "mark the range": assign({}),
    "mark all": assign({}),
    "clear the marks": assign({}),
  },
  delays: {
    clickDelay: 100,
    settleDelay: 300,
    windowTick: 30000,
  },
}).createMachine({
  id: "displayedList",
  invoke: {
    src: "watchList",
    id: "watchList",
  },
  type: "parallel",
  on: {
    "fold.toggled": {
      actions: "toggle the fold",
    },
    "row.marked": {
      actions: {
        type: "toggle the mark",
      },
    },
    "range.marked": {
      actions: {
        type: "mark the range",
      },
    },
    "all.marked": {
      actions: "mark all",
    },
    "marks.cleared": {
      actions: "clear the marks",
    },
  },
  states: {
    pointer: {
      initial: "outside",
      states: {
        outside: {
          on: {
            "pointer.entered": "inside",
          },
        },
        inside: {
          on: {
            "pointer.left": "outside",
          },
        },
      },
    },
    focus: {
      initial: "outside",
      states: {
        outside: {
          on: {
            "focus.entered": "inside",
          },
        },
        inside: {
          on: {
            "focus.left": "outside",
          },
        },
      },
    },
    press: {
      initial: "none",
      states: {
        none: {
          on: {
            "press.began": "down",
          },
        },
        down: {
          on: {
            "press.ended": "clicking",
          },
        },
        clicking: {
          after: {
            clickDelay: "none",
          },
          on: {
            "press.began": "down",
          },
        },
      },
    },
    order: {
      initial: "following",
      states: {
        following: {
          entry: [
            "arrange by the time",
            "show the latest",
            {
              type: "tellRecords",
              params: {
                type: "conversations.held",
                from: "list",
                ids: [],
              },
            },
          ],
          always: {
            guard: not("is not in use"),
            target: "held",
          },
          after: {
            windowTick: {
              target: "following",
              reenter: true,
            },
          },
          on: {
            "list.changed": [
              {
                guard: {
                  type: "is another list",
                },
                actions: [
                  {
                    type: "store the list",
                  },
                  "show the latest",
                  "clear the marks",
                ],
              },
              {
                actions: [
                  {
                    type: "store the list",
                  },
                  "show the latest",
                ],
              },
            ],
          },
        },
        held: {
          entry: {
            type: "tellRecords",
            params: {
              type: "conversations.held",
            },
          },
          always: {
            guard: "is not in use",
            target: "settling",
          },
          on: {
            "list.changed": [
              {
                guard: {
                  type: "is another list",
                },
                actions: [
                  {
                    type: "store the list",
                  },
                  "show the latest",
                  "clear the marks",
                  {
                    type: "tellRecords",
                    params: {
                      type: "conversations.held",
                    },
                  },
                ],
              },
              {
                actions: [
                  {
                    type: "store the list behind the shown",
                  },
                  {
                    type: "tellRecords",
                    params: {
                      type: "conversations.held",
                    },
                  },
                ],
              },
            ],
            "arrivals.taken": {
              actions: [
                "arrange by the time",
                "show the latest",
                {
                  type: "tellRecords",
                  params: {
                    type: "conversations.held",
                  },
                },
              ],
            },
          },
        },
        settling: {
          always: {
            guard: not("is not in use"),
            target: "held",
          },
          after: {
            settleDelay: "following",
          },
          on: {
            "list.changed": [
              {
                guard: {
                  type: "is another list",
                },
                actions: [
                  {
                    type: "store the list",
                  },
                  "show the latest",
                  "clear the marks",
                  {
                    type: "tellRecords",
                    params: {
                      type: "conversations.held",
                    },
                  },
                ],
              },
              {
                actions: [
                  {
                    type: "store the list behind the shown",
                  },
                  {
                    type: "tellRecords",
                    params: {
                      type: "conversations.held",
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
})
