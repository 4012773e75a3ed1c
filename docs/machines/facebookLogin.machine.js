// Written by `npm run docs` from src/machines/pages/facebook-login.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    beginLogin: fromPromise(async () => {}),
    watchReturn: fromPromise(async () => {}),
    completeLogin: fromPromise(async () => {}),
    connectPage: fromPromise(async () => {}),
  },
  guards: {
    "window is open": () => true,
    "was allowed": () => true,
    "was cancelled": () => true,
    "is over": () => true,
    "lacks permissions": () => true,
    "offers a page": () => true,
    "can be connected": () => true,
    "has chosen a page": () => true,
    "has another page": () => true,
    "has failures": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "forget the earlier login": assign({}),
    "keep the login": assign({}),
    "keep the code": assign({}),
    "forget the code": assign({}),
    "keep the pages": assign({}),
    "toggle the page": assign({}),
    "queue the chosen pages": assign({}),
    "mark the page as connected": assign({}),
    "keep the failure": assign({}),
  },
  delays: {
    loginLifetime: 600000,
  },
}).createMachine({
  id: "facebookLogin",
  initial: "ready",
  on: {
    "dialog.dismissed": ".closed",
  },
  states: {
    ready: {
      on: {
        "login.requested": "opening",
      },
    },
    opening: {
      entry: "forget the earlier login",
      invoke: {
        id: "beginLogin",
        src: "beginLogin",
        onDone: [
          {
            guard: {
              type: "window is open",
            },
            target: "waiting.opened",
            actions: {
              type: "keep the login",
            },
          },
          {
            target: "waiting.blocked",
            actions: {
              type: "keep the login",
            },
          },
        ],
        onError: {
          target: "stopped.failed",
          actions: {
            type: "notify failure",
          },
        },
      },
    },
    waiting: {
      initial: "opened",
      invoke: {
        id: "watchReturn",
        src: "watchReturn",
      },
      after: {
        loginLifetime: "stopped.over",
      },
      on: {
        "login.requested": "opening",
        "login.returned": [
          {
            guard: {
              type: "was allowed",
            },
            target: "completing",
            actions: {
              type: "keep the code",
            },
          },
          {
            guard: {
              type: "was cancelled",
            },
            target: "stopped.cancelled",
          },
          {
            target: "stopped.failed",
          },
        ],
      },
      states: {
        opened: {},
        blocked: {},
      },
    },
    completing: {
      exit: "forget the code",
      invoke: {
        id: "completeLogin",
        src: "completeLogin",
        onDone: [
          {
            guard: {
              type: "offers a page",
            },
            target: "choosing",
            actions: {
              type: "keep the pages",
            },
          },
          {
            target: "stopped.noPages",
          },
        ],
        onError: [
          {
            guard: {
              type: "is over",
            },
            target: "stopped.over",
            actions: {
              type: "notify failure",
            },
          },
          {
            guard: {
              type: "lacks permissions",
            },
            target: "stopped.refused",
            actions: {
              type: "notify failure",
            },
          },
          {
            target: "stopped.failed",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    stopped: {
      initial: "failed",
      on: {
        "login.requested": "opening",
      },
      states: {
        over: {},
        cancelled: {},
        refused: {},
        noPages: {},
        failed: {},
      },
    },
    choosing: {
      on: {
        "page.toggled": {
          guard: {
            type: "can be connected",
          },
          actions: {
            type: "toggle the page",
          },
        },
        "connection.requested": {
          guard: "has chosen a page",
          target: "connecting",
          actions: "queue the chosen pages",
        },
        "login.requested": "opening",
      },
    },
    connecting: {
      on: {
        "dialog.dismissed": {},
      },
      exit: {
        type: "tellSession",
        params: {
          type: "pages.changed",
        },
      },
      initial: "calling",
      states: {
        calling: {
          invoke: {
            id: "connectPage",
            src: "connectPage",
            onDone: {
              target: "called",
              actions: "mark the page as connected",
            },
            onError: {
              target: "called",
              actions: [
                {
                  type: "keep the failure",
                },
                {
                  type: "notify failure",
                },
              ],
            },
          },
        },
        called: {
          always: [
            {
              guard: "has another page",
              target: "calling",
            },
            {
              guard: "has failures",
              target: "#facebookLogin.partly",
            },
            {
              target: "#facebookLogin.closed",
              actions: {
                type: "notify",
              },
            },
          ],
        },
      },
    },
    partly: {
      on: {
        "connection.requested": {
          target: "connecting",
          actions: "queue the chosen pages",
        },
        "login.requested": "opening",
      },
    },
    closed: {
      type: "final",
    },
  },
})
