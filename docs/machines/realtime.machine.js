// Written by `npm run docs` from src/machines/shell/realtime.ts.
import { and, assign, enqueueActions, fromPromise, not, setup, stateIn } from 'xstate'

export const machine = setup({
  actors: {
    channel: fromPromise(async () => {}),
  },
  guards: {
    "is this channel": () => true,
    "both channels are ready": and([stateIn({"messages":{"open":{"subscribed":"ready"}}}), stateIn({"users":{"open":{"subscribed":"ready"}}})]),
    "is doubtful": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "notify when": enqueueActions(() => {}),
    "count the failure": assign({}),
    "forget the failures": assign({}),
    "ask for a fresh token": assign({}),
    doubt: assign({}),
    trust: assign({}),
    "note that the tab is hidden": assign({}),
    "note that the tab is shown": assign({}),
  },
  delays: {
    connectPatience: 20000,
    readyPatience: 5000,
    messagesReconnect: () => 1000,
    usersReconnect: () => 1000,
    pollInterval: () => 1000,
    catchUpPatience: 30000,
    doubtSettles: 2000,
  },
}).createMachine({
  id: "realtime",
  type: "parallel",
  states: {
    messages: {
      initial: "open",
      states: {
        open: {
          initial: "connecting",
          invoke: {
            src: "channel",
            id: "messagesChannel",
          },
          on: {
            "channel.failed": {
              guard: {
                type: "is this channel",
              },
              target: "channelError",
              actions: {
                type: "ask for a fresh token",
              },
            },
            "channel.timedOut": {
              guard: {
                type: "is this channel",
              },
              target: "timedOut",
            },
            "channel.closed": {
              guard: {
                type: "is this channel",
              },
              target: "disconnected",
              actions: {
                type: "ask for a fresh token",
                params: {
                  channel: "messages",
                  isNeeded: true,
                },
              },
            },
            "browser.offline": "disconnected",
          },
          states: {
            connecting: {
              after: {
                connectPatience: "#realtime.messages.timedOut",
              },
              on: {
                "channel.subscribed": {
                  guard: {
                    type: "is this channel",
                  },
                  target: "subscribed",
                },
              },
            },
            subscribed: {
              initial: "settling",
              states: {
                settling: {
                  after: {
                    readyPatience: "ready",
                  },
                  on: {
                    "channel.ready": {
                      guard: {
                        type: "is this channel",
                      },
                      target: "ready",
                    },
                  },
                },
                ready: {
                  entry: {
                    type: "forget the failures",
                    params: {
                      channel: "messages",
                    },
                  },
                },
              },
            },
          },
        },
        channelError: {
          entry: [
            {
              type: "notify when",
            },
            {
              type: "count the failure",
              params: {
                channel: "messages",
              },
            },
          ],
          after: {
            messagesReconnect: "open",
          },
          on: {
            "browser.online": "open",
          },
        },
        timedOut: {
          entry: [
            {
              type: "notify when",
            },
            {
              type: "count the failure",
              params: {
                channel: "messages",
              },
            },
          ],
          after: {
            messagesReconnect: "open",
          },
          on: {
            "browser.online": "open",
          },
        },
        disconnected: {
          entry: {
            type: "count the failure",
            params: {
              channel: "messages",
            },
          },
          after: {
            messagesReconnect: "open",
          },
          on: {
            "browser.online": "open",
          },
        },
      },
    },
    users: {
      initial: "open",
      states: {
        open: {
          initial: "connecting",
          invoke: {
            src: "channel",
            id: "usersChannel",
          },
          on: {
            "channel.failed": {
              guard: {
                type: "is this channel",
              },
              target: "channelError",
              actions: {
                type: "ask for a fresh token",
              },
            },
            "channel.timedOut": {
              guard: {
                type: "is this channel",
              },
              target: "timedOut",
            },
            "channel.closed": {
              guard: {
                type: "is this channel",
              },
              target: "disconnected",
              actions: {
                type: "ask for a fresh token",
                params: {
                  channel: "users",
                  isNeeded: true,
                },
              },
            },
            "browser.offline": "disconnected",
          },
          states: {
            connecting: {
              after: {
                connectPatience: "#realtime.users.timedOut",
              },
              on: {
                "channel.subscribed": {
                  guard: {
                    type: "is this channel",
                  },
                  target: "subscribed",
                },
              },
            },
            subscribed: {
              initial: "settling",
              states: {
                settling: {
                  after: {
                    readyPatience: "ready",
                  },
                  on: {
                    "channel.ready": {
                      guard: {
                        type: "is this channel",
                      },
                      target: "ready",
                    },
                  },
                },
                ready: {
                  entry: {
                    type: "forget the failures",
                    params: {
                      channel: "users",
                    },
                  },
                },
              },
            },
          },
        },
        channelError: {
          entry: [
            {
              type: "notify when",
            },
            {
              type: "count the failure",
              params: {
                channel: "users",
              },
            },
          ],
          after: {
            usersReconnect: "open",
          },
          on: {
            "browser.online": "open",
          },
        },
        timedOut: {
          entry: [
            {
              type: "notify when",
            },
            {
              type: "count the failure",
              params: {
                channel: "users",
              },
            },
          ],
          after: {
            usersReconnect: "open",
          },
          on: {
            "browser.online": "open",
          },
        },
        disconnected: {
          entry: {
            type: "count the failure",
            params: {
              channel: "users",
            },
          },
          after: {
            usersReconnect: "open",
          },
          on: {
            "browser.online": "open",
          },
        },
      },
    },
    standing: {
      initial: "behind",
      states: {
        behind: {
          always: {
            guard: "both channels are ready",
            target: "catchingUp",
          },
          after: {
            pollInterval: {
              target: "behind",
              reenter: true,
              actions: {
                type: "tellSession",
                params: {
                  type: "poll.due",
                },
              },
            },
          },
        },
        catchingUp: {
          entry: [
            "trust",
            {
              type: "tellSession",
              params: {
                type: "catchUp.requested",
              },
            },
          ],
          always: {
            guard: not("both channels are ready"),
            target: "behind",
          },
          after: {
            catchUpPatience: {
              target: "catchingUp",
              reenter: true,
            },
          },
          on: {
            "catchUp.done": [
              {
                guard: "is doubtful",
                target: "live.doubtful",
              },
              {
                target: "live.sound",
              },
            ],
            "row.refused": {
              actions: "doubt",
            },
            "clock.jumped": {
              target: "catchingUp",
              reenter: true,
            },
            "channel.ready": {
              target: "catchingUp",
              reenter: true,
            },
          },
        },
        live: {
          initial: "sound",
          always: {
            guard: not("both channels are ready"),
            target: "behind",
          },
          on: {
            "clock.jumped": "catchingUp",
            "browser.online": "catchingUp",
            "tab.shown": {
              actions: {
                type: "tellSession",
                params: {
                  type: "catchUp.requested",
                },
              },
            },
            "channel.ready": {
              actions: {
                type: "tellSession",
                params: {
                  type: "catchUp.requested",
                },
              },
            },
          },
          states: {
            sound: {
              on: {
                "row.refused": "doubtful",
              },
            },
            doubtful: {
              after: {
                doubtSettles: "#realtime.standing.catchingUp",
              },
            },
          },
        },
      },
    },
    relay: {
      on: {
        "messages.heard": {
          actions: {
            type: "tellSession",
            params: {
              type: "messages.changed",
            },
          },
        },
        "users.heard": {
          actions: {
            type: "tellSession",
            params: {
              type: "users.changed",
            },
          },
        },
        "tab.shown": {
          actions: "note that the tab is shown",
        },
        "tab.hidden": {
          actions: "note that the tab is hidden",
        },
      },
    },
  },
})
