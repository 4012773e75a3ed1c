// Written by `npm run docs` from src/machines/send/drafts.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    watchDrafts: fromPromise(async () => {}),
  },
  guards: {},
  actions: {
    tellSession: enqueueActions(() => {}),
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
        {
          type: "tellSession",
          params: {
            type: "drafts.changed",
          },
        },
      ],
    },
    "difference.settled": {
      actions: [
        {
          type: "keep",
        },
        {
          type: "store",
        },
        {
          type: "tellSession",
          params: {
            type: "drafts.changed",
          },
        },
      ],
    },
    "drafts.fetched": {
      actions: [
        {
          type: "keep",
        },
        {
          type: "store",
        },
        {
          type: "tellSession",
          params: {
            type: "drafts.merged",
          },
        },
      ],
    },
    "draft.answered": {
      actions: [
        {
          type: "keep",
        },
        {
          type: "store",
        },
        {
          type: "tellSession",
          params: {
            type: "drafts.merged",
          },
        },
      ],
    },
    "draft.refused": {
      actions: [
        {
          type: "keep",
        },
        {
          type: "tellSession",
          params: {
            type: "drafts.merged",
          },
        },
      ],
    },
    "draft.saving": {
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
        {
          type: "tellSession",
          params: {
            type: "drafts.merged",
          },
        },
      ],
    },
    "draft.received": {
      actions: [
        {
          type: "keep",
        },
        {
          type: "tellSession",
          params: {
            type: "drafts.merged",
          },
        },
      ],
    },
  },
})
