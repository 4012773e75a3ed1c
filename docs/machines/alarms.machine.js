// Written by `npm run docs` from src/machines/shell/alarms.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadAlarms: fromPromise(async () => {}),
  },
  guards: {
    "may read alarms": () => true,
    "may not read alarms": () => true,
    "an incident lasts": () => true,
    "no incident lasts": () => true,
  },
  actions: {
    "store the confirmed user": assign({}),
    "keep the alarms": assign({}),
    "forget the alarms": assign({}),
    "remember that the tab is hidden": assign({}),
    "remember that the tab is visible": assign({}),
  },
  delays: {
    pollDelay: () => 1000,
  },
}).createMachine({
  id: "alarms",
  initial: "notOffered",
  on: {
    "user.confirmed": {
      actions: {
        type: "store the confirmed user",
      },
    },
    "tab.hidden": {
      actions: "remember that the tab is hidden",
    },
    "tab.shown": {
      actions: "remember that the tab is visible",
    },
  },
  states: {
    notOffered: {
      always: {
        guard: "may read alarms",
        target: "offered",
      },
    },
    offered: {
      type: "parallel",
      always: {
        guard: "may not read alarms",
        target: "notOffered",
      },
      exit: "forget the alarms",
      states: {
        polling: {
          initial: "asking",
          on: {
            "refetch.requested": ".asking",
            "tab.shown": {
              target: ".asking",
              actions: "remember that the tab is visible",
            },
            "clock.jumped": ".asking",
          },
          states: {
            asking: {
              invoke: {
                id: "loadAlarms",
                src: "loadAlarms",
                onDone: {
                  target: "waiting",
                  actions: {
                    type: "keep the alarms",
                  },
                },
                onError: "failed",
              },
            },
            waiting: {
              after: {
                pollDelay: "asking",
              },
            },
            failed: {
              after: {
                pollDelay: "asking",
              },
            },
          },
        },
        incidents: {
          initial: "loading",
          states: {
            loading: {
              always: [
                {
                  guard: "an incident lasts",
                  target: "ringing",
                },
                {
                  guard: "no incident lasts",
                  target: "quiet",
                },
              ],
            },
            quiet: {
              always: {
                guard: "an incident lasts",
                target: "ringing",
              },
            },
            ringing: {
              always: {
                guard: "no incident lasts",
                target: "quiet",
              },
            },
          },
        },
      },
    },
  },
})
