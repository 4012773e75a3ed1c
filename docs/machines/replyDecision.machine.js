// Written by `npm run docs` from src/machines/thread/reply-decision.ts.
import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'

export const machine = setup({
  actors: {
    decideReply: fromPromise(async () => {}),
  },
  guards: {},
  actions: {
    "notify failure": enqueueActions(() => {}),
    "notify all": enqueueActions(() => {}),
    "keep the decision": assign({}),
    "forget the decision": assign({}),
    "forward to the thread": sendParent({ type: "messages.changed" }),
  },
  delays: {},
}).createMachine({
  id: "replyDecision",
  initial: "idle",
  states: {
    idle: {
      entry: "forget the decision",
      on: {
        "reply.decided": {
          target: "deciding",
          actions: {
            type: "keep the decision",
          },
        },
      },
    },
    deciding: {
      invoke: {
        id: "decideReply",
        src: "decideReply",
        onDone: {
          target: "idle",
          actions: [
            {
              type: "forward to the thread",
            },
            {
              type: "notify all",
            },
          ],
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
