// Written by `npm run docs` from src/machines/session/second-factor.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadSecondFactor: fromPromise(async () => {}),
    beginEnrolment: fromPromise(async () => {}),
    confirmEnrolment: fromPromise(async () => {}),
    disableSecondFactor: fromPromise(async () => {}),
  },
  guards: {
    "is at sign-in": () => true,
    "is on": () => true,
    "has a code": () => true,
    "has password and code": () => true,
    "is about the code": () => true,
    "is about the password": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the status": assign({}),
    "keep the secret": assign({}),
    "keep the recovery codes": assign({}),
    "show at the field": assign({}),
    "clear the message": assign({}),
  },
  delays: {},
}).createMachine({
  id: "secondFactor",
  initial: "starting",
  states: {
    starting: {
      always: [
        {
          guard: "is at sign-in",
          target: "beginning",
        },
        {
          target: "loading",
        },
      ],
    },
    loading: {
      tags: "working",
      invoke: {
        id: "loadSecondFactor",
        src: "loadSecondFactor",
        onDone: [
          {
            guard: {
              type: "is on",
            },
            target: "on",
            actions: {
              type: "keep the status",
            },
          },
          {
            target: "off",
            actions: {
              type: "keep the status",
            },
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
        "dialog.dismissed": "cancelled",
      },
    },
    failed: {
      on: {
        "refetch.requested": "starting",
        "dialog.dismissed": "cancelled",
      },
    },
    off: {
      on: {
        "enrolment.requested": "beginning",
        "dialog.dismissed": "cancelled",
      },
    },
    beginning: {
      tags: "working",
      invoke: {
        id: "beginEnrolment",
        src: "beginEnrolment",
        onDone: {
          target: "showing",
          actions: {
            type: "keep the secret",
          },
        },
        onError: {
          target: "failed",
          actions: {
            type: "notify failure",
          },
        },
      },
      on: {
        "dialog.dismissed": "cancelled",
      },
    },
    showing: {
      on: {
        "code.submitted": {
          guard: {
            type: "has a code",
          },
          target: "confirming",
          actions: "clear the message",
        },
        "dialog.dismissed": "cancelled",
      },
    },
    confirming: {
      tags: "working",
      invoke: {
        id: "confirmEnrolment",
        src: "confirmEnrolment",
        onDone: {
          target: "showingCodes",
          actions: {
            type: "keep the recovery codes",
          },
        },
        onError: [
          {
            target: "showing",
            guard: {
              type: "is about the code",
            },
            actions: {
              type: "show at the field",
            },
          },
          {
            target: "showing",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    showingCodes: {
      on: {
        "codes.saved": {
          target: "completed",
          actions: {
            type: "notify",
            params: {
              kind: "success",
              text: "Two-step sign-in is on. Your other devices are signed out.",
            },
          },
        },
      },
    },
    on: {
      on: {
        "disabling.submitted": {
          guard: {
            type: "has password and code",
          },
          target: "disabling",
          actions: "clear the message",
        },
        "dialog.dismissed": "cancelled",
      },
    },
    disabling: {
      tags: "working",
      invoke: {
        id: "disableSecondFactor",
        src: "disableSecondFactor",
        onDone: {
          target: "completed",
          actions: {
            type: "notify",
            params: {
              kind: "success",
              text: "Two-step sign-in is off.",
            },
          },
        },
        onError: [
          {
            target: "on",
            guard: {
              type: "is about the code",
            },
            actions: {
              type: "show at the field",
            },
          },
          {
            guard: {
              type: "is about the password",
            },
            target: "on",
            actions: {
              type: "show at the field",
            },
          },
          {
            target: "on",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
    },
    completed: {
      type: "final",
    },
    cancelled: {
      type: "final",
    },
  },
})
