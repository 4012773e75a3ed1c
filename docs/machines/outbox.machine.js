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
    "one may leave": () => true,
    "is at rest": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    store: () => {},
    forget: () => {},
    accept: assign({}),
    restore: assign({}),
    "start the next": assign({}),
    note: assign({}),
    remove: assign({}),
    claim: assign({}),
    "stop the flow": stopChild(() => "the child"),
    "tell the flows": enqueueActions(() => {}),
  },
  delays: {},
}).createMachine({
  description: "The action \"restore\" starts the child sendFlow.\nThe action \"start the next\" starts the child sendFlow.",
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
          type: "accept",
        },
        {
          type: "store",
        },
      ],
    },
    "send.retried": {
      actions: {
        type: "tell the flows",
        params: {
          type: "send.retried",
        },
      },
    },
    "look.requested": {
      actions: {
        type: "tell the flows",
        params: {
          type: "look.requested",
        },
      },
    },
    "browser.online": {
      actions: {
        type: "tell the flows",
      },
    },
    "send.discarded": {
      guard: {
        type: "is at rest",
      },
      actions: [
        {
          type: "stop the flow",
        },
        {
          type: "remove",
        },
        {
          type: "forget",
        },
      ],
    },
    "messages.changed": {
      actions: {
        type: "tell the flows",
      },
    },
    "messages.fetched": {
      actions: {
        type: "tell the flows",
      },
    },
    "flow.looked": {
      actions: {
        type: "tell the flows",
      },
    },
    "resync.requested": {
      actions: [
        {
          type: "tell the flows",
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
          type: "pages.outdated",
        },
      },
    },
    "flow.progressed": {
      actions: [
        {
          type: "note",
        },
        {
          type: "store",
        },
      ],
    },
    "flow.sent": {
      actions: [
        {
          type: "claim",
        },
        {
          type: "remove",
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
            type: "restore",
          },
        },
        onError: "ready",
      },
    },
    ready: {
      always: {
        guard: "one may leave",
        actions: "start the next",
      },
    },
  },
})
