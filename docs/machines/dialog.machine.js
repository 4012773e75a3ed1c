// Written by `npm run docs` from src/machines/shell/dialog.ts.
import { assign, enqueueActions, fromPromise, sendTo, setup, stopChild } from 'xstate'

export const machine = setup({
  actors: {
    loadDialog: fromPromise(async () => {}),
  },
  guards: {
    "is about a conversation": () => true,
    "has a next dialog": () => true,
    "is the palette": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    tellRecords: enqueueActions(() => {}),
    "load ahead": () => {},
    "keep the request": assign({}),
    "request the next dialog": assign({}),
    "forget the next dialog": assign({}),
    "start the dialog": assign({}),
    "remember the command": assign({}),
    "keep the key": assign({}),
    "pass on what was typed": enqueueActions(() => {}),
    "forget the dialog": assign({}),
    "stop the dialog": stopChild("opened"),
    "forward the dismissal": sendTo("opened", { type: "dialog.dismissed" }),
    "forward the event": sendTo("opened", { type: "an event" }),
  },
  delays: {},
}).createMachine({
  description: "The action \"start the dialog\" starts the child opened.",
  id: "dialog",
  initial: "closed",
  states: {
    closed: {
      entry: "forget the dialog",
      on: {
        "dialog.expected": {
          actions: {
            type: "load ahead",
          },
        },
        "dialog.requested": {
          target: "loading",
          actions: {
            type: "keep the request",
          },
        },
      },
    },
    loading: {
      invoke: {
        id: "loadDialog",
        src: "loadDialog",
        onDone: {
          target: "open",
          actions: [
            {
              type: "start the dialog",
            },
            {
              type: "pass on what was typed",
            },
          ],
        },
        onError: {
          target: "closed",
          actions: {
            type: "notify",
            params: {
              kind: "error",
              text: "Network error. Please check your connection.",
            },
          },
        },
      },
      on: {
        "dialog.dismissed": "closed",
        "key.typed": {
          guard: "is the palette",
          actions: {
            type: "keep the key",
          },
        },
        "conversation.left": {
          guard: "is about a conversation",
          target: "closed",
        },
      },
    },
    open: {
      entry: {
        type: "tellRecords",
        params: {
          type: "conversations.held",
        },
      },
      exit: [
        "stop the dialog",
        {
          type: "tellRecords",
          params: {
            type: "conversations.held",
            from: "dialog",
            ids: [],
          },
        },
      ],
      on: {
        "xstate.done.actor.opened": [
          {
            guard: "has a next dialog",
            target: "loading",
            actions: "request the next dialog",
          },
          {
            target: "closed",
          },
        ],
        "clientData.changed": {
          actions: "forward the event",
        },
        "comments.changed": {
          actions: "forward the event",
        },
        "command.chosen": {
          actions: {
            type: "remember the command",
          },
        },
        "dialog.dismissed": {
          actions: "forward the dismissal",
        },
        "key.typed": {
          guard: "is the palette",
          actions: "forward the event",
        },
        "conversation.left": {
          guard: "is about a conversation",
          actions: [
            "forget the next dialog",
            "forward the dismissal",
          ],
        },
      },
    },
  },
})
