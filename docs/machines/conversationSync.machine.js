// Written by `npm run docs` from src/machines/sync/conversation-sync.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    syncConversation: fromPromise(async () => {}),
  },
  guards: {},
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the subject": assign({}),
  },
  delays: {},
}).createMachine({
  id: "conversationSync",
  initial: "idle",
  states: {
    idle: {
      on: {
        "conversationSync.requested": {
          target: "syncing",
          actions: {
            type: "keep the subject",
          },
        },
      },
    },
    syncing: {
      exit: {
        type: "tellSession",
        params: {
          type: "inbox.invalidated",
        },
      },
      invoke: {
        id: "syncConversation",
        src: "syncConversation",
        onDone: {
          target: "idle",
          actions: {
            type: "notify",
          },
        },
        onError: {
          target: "idle",
          actions: {
            type: "notify failure",
          },
        },
      },
    },
  },
})
