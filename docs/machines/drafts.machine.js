// Written by `npm run docs` from src/machines/send/drafts.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    watchDrafts: fromPromise(async () => {}),
  },
  guards: {},
  actions: {
    store: () => {},
    keep: assign({}),
  },
  delays: {},
}).createMachine({
  id: "drafts",
  invoke: {
    id: "watchDrafts",
    src: "watchDrafts",
  },
  on: {
    "draft.changed": {
      actions: [
        {
          type: "keep",
        },
        {
          type: "store",
        },
      ],
    },
    "conversation.gone": {
      actions: [
        {
          type: "keep",
        },
        {
          type: "store",
        },
      ],
    },
    "draft.received": {
      actions: {
        type: "keep",
      },
    },
  },
})
