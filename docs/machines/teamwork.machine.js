// Written by `npm run docs` from src/machines/thread/teamwork.ts.
import { assign, enqueueActions, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadColleagues: fromPromise(async () => {}),
  },
  guards: {
    "is offered": () => true,
  },
  actions: {
    forward: sendTo("colleagues", { type: "an event" }),
    "store the confirmed user": assign({}),
    "keep the conversation": assign({}),
    "keep whether the tab is hidden": assign({}),
    "start the colleagues": enqueueActions(() => {}),
  },
  delays: {
    reloadDelay: 30000,
  },
}).createMachine({
  id: "teamwork",
  initial: "notOffered",
  on: {
    "conversation.opened": {
      actions: {
        type: "keep the conversation",
      },
    },
    "conversation.closed": {
      actions: {
        type: "keep the conversation",
        params: {
          id: null,
        },
      },
    },
    "tab.shown": {
      actions: {
        type: "keep whether the tab is hidden",
        params: {
          isHidden: false,
        },
      },
    },
    "tab.hidden": {
      actions: {
        type: "keep whether the tab is hidden",
        params: {
          isHidden: true,
        },
      },
    },
    "user.confirmed": {
      actions: {
        type: "store the confirmed user",
      },
    },
  },
  states: {
    notOffered: {
      always: {
        guard: "is offered",
        target: "loading",
      },
    },
    loading: {
      invoke: {
        id: "loadColleagues",
        src: "loadColleagues",
        onDone: {
          target: "running",
          actions: {
            type: "start the colleagues",
          },
        },
        onError: "failed",
      },
    },
    failed: {
      after: {
        reloadDelay: "loading",
      },
    },
    running: {
      on: {
        "conversation.opened": {
          actions: "forward",
        },
        "conversation.closed": {
          actions: "forward",
        },
        "reply.typed": {
          actions: "forward",
        },
        "messages.changed": {
          actions: "forward",
        },
        "messages.fetched": {
          actions: "forward",
        },
        "message.sent": {
          actions: "forward",
        },
        "messages.announced": {
          actions: "forward",
        },
        "states.changed": {
          actions: "forward",
        },
        "settings.saved": {
          actions: "forward",
        },
        "refetch.requested": {
          actions: "forward",
        },
        "tab.shown": {
          actions: "forward",
        },
        "tab.hidden": {
          actions: "forward",
        },
      },
    },
  },
})
