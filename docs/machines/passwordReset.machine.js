// Written by `npm run docs` from src/machines/session/password-reset.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    lookUp: fromPromise(async () => {}),
    requestLink: fromPromise(async () => {}),
    useLink: fromPromise(async () => {}),
  },
  guards: {
    "has a link": () => true,
    "is offered": () => true,
    "is an email": () => true,
    "is a new password": () => true,
    "link has ended": () => true,
    "is weak": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "show at the field": assign({}),
    "clear the message": assign({}),
  },
  delays: {},
}).createMachine({
  id: "passwordReset",
  initial: "looking",
  states: {
    looking: {
      tags: "working",
      invoke: {
        id: "lookUp",
        src: "lookUp",
        onDone: [
          {
            guard: {
              type: "has a link",
            },
            target: "choosing",
          },
          {
            guard: {
              type: "is offered",
            },
            target: "asking",
          },
          {
            target: "unavailable",
          },
        ],
        onError: {
          target: "failed",
          actions: {
            type: "notify failure",
          },
        },
      },
      on: {
        "dialog.dismissed": "closed",
      },
    },
    failed: {
      on: {
        "refetch.requested": "looking",
        "dialog.dismissed": "closed",
      },
    },
    unavailable: {
      on: {
        "dialog.dismissed": "closed",
      },
    },
    asking: {
      on: {
        "email.submitted": {
          guard: {
            type: "is an email",
          },
          target: "requesting",
        },
        "dialog.dismissed": "closed",
      },
    },
    requesting: {
      tags: "working",
      invoke: {
        id: "requestLink",
        src: "requestLink",
        onDone: "sent",
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
    sent: {
      on: {
        "dialog.dismissed": "closed",
      },
    },
    choosing: {
      on: {
        "password.submitted": {
          guard: {
            type: "is a new password",
          },
          target: "saving",
          actions: "clear the message",
        },
        "dialog.dismissed": "closed",
      },
    },
    saving: {
      tags: "working",
      invoke: {
        id: "useLink",
        src: "useLink",
        onDone: "saved",
        onError: [
          {
            guard: {
              type: "link has ended",
            },
            target: "ended",
          },
          {
            guard: {
              type: "is weak",
            },
            target: "choosing",
            actions: {
              type: "show at the field",
            },
          },
          {
            target: "choosing",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    ended: {
      on: {
        "link.requested": "asking",
        "dialog.dismissed": "closed",
      },
    },
    saved: {
      on: {
        "dialog.dismissed": "closed",
      },
    },
    closed: {
      type: "final",
    },
  },
})
