// Written by `npm run docs` from src/machines/session/second-factor.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadSecondFactor: fromPromise(async () => {}),
    beginEnrolment: fromPromise(async () => {}),
    confirmEnrolment: fromPromise(async () => {}),
    replaceRecoveryCodes: fromPromise(async () => {}),
    disableSecondFactor: fromPromise(async () => {}),
    copyText: fromPromise(async () => {}),
  },
  guards: {
    "is at sign-in": () => true,
    "is on": () => true,
    "was on before": () => true,
    "has a password": () => true,
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
          target: "off",
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
        "enrolment.requested": {
          guard: {
            type: "has a password",
          },
          target: "beginning",
          actions: "clear the message",
        },
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
        onError: [
          {
            target: "off",
            guard: {
              type: "is about the password",
            },
            actions: {
              type: "show at the field",
            },
          },
          {
            target: "off",
            actions: {
              type: "notify failure",
            },
          },
        ],
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
      initial: "idle",
      on: {
        "codes.saved": [
          {
            guard: "was on before",
            target: "completed",
            actions: {
              type: "notify",
              params: {
                kind: "success",
                text: "Your new recovery codes are in use. The old ones no longer work.",
              },
            },
          },
          {
            target: "completed",
            actions: {
              type: "notify",
              params: {
                kind: "success",
                text: "Two-step sign-in is on. Your other devices are signed out.",
              },
            },
          },
        ],
      },
      states: {
        idle: {
          on: {
            "copy.requested": "copying",
          },
        },
        copying: {
          invoke: {
            id: "copyText",
            src: "copyText",
            onDone: {
              target: "idle",
              actions: {
                type: "notify",
                params: {
                  kind: "success",
                  text: "Recovery codes copied",
                },
              },
            },
            onError: {
              target: "idle",
              actions: {
                type: "notify",
                params: {
                  kind: "error",
                  text: "The codes could not be copied. Please download them or write them down.",
                },
              },
            },
          },
        },
      },
    },
    on: {
      on: {
        "newCodes.submitted": {
          guard: {
            type: "has password and code",
          },
          target: "replacingCodes",
          actions: "clear the message",
        },
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
    replacingCodes: {
      tags: "working",
      invoke: {
        id: "replaceRecoveryCodes",
        src: "replaceRecoveryCodes",
        onDone: {
          target: "showingCodes",
          actions: {
            type: "keep the recovery codes",
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
            target: "on",
            guard: {
              type: "is about the password",
            },
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
            target: "on",
            guard: {
              type: "is about the password",
            },
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
