// Written by `npm run docs` from src/machines/send/outbox.ts.
import { assign, createMachine, enqueueActions, fromPromise, setup, stopChild } from 'xstate'

export const machine = setup({
  actors: {
    sendFlow: createMachine({}),
    loadOutgoing: fromPromise(async () => {}),
    forgetOnSignOut: fromPromise(async () => {}),
  },
  guards: {
    "is a new draft": () => true,
    "has a send to start": () => true,
    "has a send to resume": () => true,
    "is not in progress": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    store: () => {},
    forget: () => {},
    "queue the message": assign({}),
    "restore the sends": assign({}),
    "start the next send": assign({}),
    "queue the waiting sends": assign({}),
    "mark the next send as pending": assign({}),
    "update the send": assign({}),
    "remove the send": assign({}),
    "claim the message": assign({}),
    "stop the flow": stopChild(() => "the child"),
    "forward to the send flows": enqueueActions(() => {}),
    "drop the sends": enqueueActions(() => {}),
  },
  delays: {},
}).createMachine({
  description: "The action \"restore the sends\" starts the child sendFlow.\nThe action \"start the next send\" starts the child sendFlow.",
  id: "outbox",
  invoke: {
    id: "forgetOnSignOut",
    src: "forgetOnSignOut",
  },
  initial: "restoring",
  on: {
    "send.requested": {
      guard: {
        type: "is a new draft",
      },
      actions: [
        {
          type: "queue the message",
        },
        {
          type: "store",
        },
      ],
    },
    "send.retried": {
      actions: {
        type: "forward to the send flows",
        params: {
          type: "send.retried",
        },
      },
    },
    "waiting.retried": {
      actions: "queue the waiting sends",
    },
    "check.requested": {
      actions: {
        type: "forward to the send flows",
        params: {
          type: "check.requested",
        },
      },
    },
    "browser.online": {
      actions: {
        type: "forward to the send flows",
      },
    },
    "send.discarded": {
      guard: {
        type: "is not in progress",
      },
      actions: [
        {
          type: "stop the flow",
        },
        {
          type: "remove the send",
        },
        {
          type: "forget",
        },
      ],
    },
    "send.dropped": {
      actions: [
        {
          type: "stop the flow",
        },
        {
          type: "remove the send",
        },
        {
          type: "forget",
        },
      ],
    },
    "conversation.gone": {
      actions: {
        type: "drop the sends",
      },
    },
    "messages.changed": {
      actions: {
        type: "forward to the send flows",
      },
    },
    "messages.fetched": {
      actions: {
        type: "forward to the send flows",
      },
    },
    "flow.checked": {
      actions: {
        type: "forward to the send flows",
      },
    },
    "resync.requested": {
      actions: [
        {
          type: "forward to the send flows",
        },
        {
          type: "tellSession",
          params: {
            type: "resync.done",
            from: "outbox",
          },
        },
      ],
    },
    "flow.pageRefused": {
      actions: {
        type: "tellSession",
        params: {
          type: "pages.invalidated",
        },
      },
    },
    "flow.progressed": {
      actions: [
        {
          type: "update the send",
        },
        {
          type: "store",
        },
      ],
    },
    "flow.sent": {
      actions: [
        {
          type: "claim the message",
        },
        {
          type: "remove the send",
        },
        {
          type: "forget",
        },
        {
          type: "tellSession",
        },
      ],
    },
  },
  states: {
    restoring: {
      invoke: {
        id: "loadOutgoing",
        src: "loadOutgoing",
        onDone: {
          target: "ready",
          actions: {
            type: "restore the sends",
          },
        },
        onError: "ready",
      },
    },
    ready: {
      always: [
        {
          guard: "has a send to resume",
          actions: [
            {
              type: "forward to the send flows",
              params: {
                type: "send.retried",
              },
            },
            "mark the next send as pending",
          ],
        },
        {
          guard: "has a send to start",
          actions: "start the next send",
        },
      ],
    },
  },
})
