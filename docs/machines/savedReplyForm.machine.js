// Written by `npm run docs` from src/machines/send/saved-reply-form.ts.
import { assign, createMachine, enqueueActions, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    saveReply: fromPromise(async () => {}),
    pictures: createMachine({}),
  },
  guards: {
    "is new": () => true,
    "may have been created": () => true,
    "is complete": () => true,
    "has no typed text": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the typed fields": assign({}),
    "store the next target": assign({}),
    "store the attempt": assign({}),
    "show the failure": assign({}),
    "show that the result is unknown": assign({}),
    "keep the pictures": assign({}),
    "discard the pictures": sendTo("pictures", { type: "conversation.gone" }),
  },
  delays: {},
}).createMachine({
  id: "savedReplyForm",
  invoke: {
    id: "pictures",
    src: "pictures",
    onSnapshot: {
      actions: {
        type: "keep the pictures",
      },
    },
  },
  initial: "editing",
  states: {
    editing: {
      on: {
        "fields.typed": {
          actions: {
            type: "keep the typed fields",
          },
        },
        "form.submitted": {
          guard: "is complete",
          target: "saving",
        },
        "form.cancelled": {
          target: "leaving",
          actions: {
            type: "store the next target",
            params: {
              isDismissed: false,
            },
          },
        },
        "dialog.dismissed": {
          target: "leaving",
          actions: {
            type: "store the next target",
            params: {
              isDismissed: true,
            },
          },
        },
      },
    },
    leaving: {
      always: {
        guard: "has no typed text",
        target: "left",
      },
      on: {
        "discard.confirmed": "left",
        "discard.refused": "editing",
        "dialog.dismissed": "editing",
      },
    },
    saved: {
      type: "final",
    },
    left: {
      type: "final",
      entry: "discard the pictures",
    },
    saving: {
      entry: "store the attempt",
      invoke: {
        id: "saveReply",
        src: "saveReply",
        onDone: [
          {
            guard: "is new",
            target: "saved",
            actions: {
              type: "notify",
              params: {
                kind: "success",
                text: "Saved reply created",
              },
            },
          },
          {
            target: "saved",
            actions: {
              type: "notify",
              params: {
                kind: "success",
                text: "Saved reply updated",
              },
            },
          },
        ],
        onError: [
          {
            guard: {
              type: "may have been created",
            },
            target: "editing",
            actions: [
              "show that the result is unknown",
              {
                type: "notify failure",
              },
            ],
          },
          {
            target: "editing",
            actions: [
              {
                type: "show the failure",
              },
              {
                type: "notify failure",
              },
            ],
          },
        ],
      },
    },
  },
})
