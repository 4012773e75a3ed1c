// Written by `npm run docs` from src/machines/shell/realtime.ts.
import { and, assign, enqueueActions, fromPromise, not, setup, stateIn } from 'xstate'

export const machine = setup({
  actors: {
    channel: fromPromise(async () => {}),
  },
  guards: {
    "is confirmed": () => true,
    "is this channel": () => true,
    "both channels are ready": and([stateIn({"messages":{"open":{"subscribed":"ready"}}}), stateIn({"users":{"open":{"subscribed":"ready"}}})]),
    "may have missed rows": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "store the confirmation": assign({}),
    "notify when": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "require a fresh token": assign({}),
    "mark as suspect": assign({}),
    "clear the suspect mark": assign({}),
    "remember that the tab is hidden": assign({}),
    "remember that the tab is visible": assign({}),
  },
  delays: {
    connectTimeout: 20000,
    readyTimeout: 5000,
    messagesReconnect: () => 1000,
    usersReconnect: () => 1000,
    pollInterval: () => 1000,
    resyncTimeout: 30000,
    resyncDelay: 2000,
  },
}).createMachine({
  id: "realtime",
  type: "parallel",
  states: {
    messages: {
      initial: "unconfirmed",
      states: {
        unconfirmed: {
          always: {
            guard: "is confirmed",
            target: "open",
          },
        },
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
                type: "require a fresh token",
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
                type: "require a fresh token",
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
                connectTimeout: "#realtime.messages.timedOut",
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
              initial: "confirming",
              states: {
                confirming: {
                  after: {
                    readyTimeout: "ready",
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
                    type: "reset the failure count",
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
      initial: "unconfirmed",
      states: {
        unconfirmed: {
          always: {
            guard: "is confirmed",
            target: "open",
          },
        },
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
                type: "require a fresh token",
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
                type: "require a fresh token",
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
                connectTimeout: "#realtime.users.timedOut",
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
              initial: "confirming",
              states: {
                confirming: {
                  after: {
                    readyTimeout: "ready",
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
                    type: "reset the failure count",
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
    status: {
      initial: "invalidated",
      states: {
        invalidated: {
          always: {
            guard: "both channels are ready",
            target: "resyncing",
          },
          after: {
            pollInterval: {
              target: "invalidated",
              reenter: true,
              actions: {
                type: "tellSession",
                params: {
                  type: "inbox.invalidated",
                },
              },
            },
          },
        },
        resyncing: {
          entry: [
            "clear the suspect mark",
            {
              type: "tellSession",
              params: {
                type: "resync.requested",
              },
            },
          ],
          always: {
            guard: not("both channels are ready"),
            target: "invalidated",
          },
          after: {
            resyncTimeout: {
              target: "resyncing",
              reenter: true,
            },
          },
          on: {
            "resync.done": [
              {
                guard: "may have missed rows",
                target: "live.suspect",
              },
              {
                target: "live.valid",
              },
            ],
            "row.refused": {
              actions: "mark as suspect",
            },
            "clock.jumped": {
              target: "resyncing",
              reenter: true,
            },
            "channel.ready": {
              target: "resyncing",
              reenter: true,
            },
          },
        },
        live: {
          initial: "valid",
          always: {
            guard: not("both channels are ready"),
            target: "invalidated",
          },
          on: {
            "clock.jumped": "resyncing",
            "browser.online": "resyncing",
            "tab.shown": {
              actions: {
                type: "tellSession",
                params: {
                  type: "resync.requested",
                },
              },
            },
            "channel.ready": {
              actions: {
                type: "tellSession",
                params: {
                  type: "resync.requested",
                },
              },
            },
          },
          states: {
            valid: {
              on: {
                "row.refused": "suspect",
              },
            },
            suspect: {
              after: {
                resyncDelay: "#realtime.status.resyncing",
              },
            },
          },
        },
      },
    },
    access: {
      initial: "granted",
      states: {
        granted: {
          on: {
            "access.refused": {
              target: "refused",
              actions: {
                type: "tellSession",
                params: {
                  type: "inbox.invalidated",
                },
              },
            },
          },
        },
        refused: {
          initial: "failing",
          states: {
            failing: {
              always: {
                guard: not("both channels are ready"),
                target: "failed",
              },
            },
            failed: {
              always: {
                guard: "both channels are ready",
                target: "#realtime.access.granted",
              },
            },
          },
        },
      },
    },
    relay: {
      on: {
        "user.confirmed": {
          actions: {
            type: "store the confirmation",
          },
        },
        "messages.received": {
          actions: {
            type: "tellSession",
            params: {
              type: "messages.changed",
            },
          },
        },
        "users.received": {
          actions: {
            type: "tellSession",
            params: {
              type: "users.changed",
            },
          },
        },
        "states.received": {
          actions: {
            type: "tellSession",
            params: {
              type: "states.changed",
            },
          },
        },
        "tab.shown": {
          actions: "remember that the tab is visible",
        },
        "tab.hidden": {
          actions: "remember that the tab is hidden",
        },
      },
    },
  },
})
