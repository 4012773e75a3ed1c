// Written by `npm run docs` from src/machines/send/draft-sync.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadDrafts: fromPromise(async () => {}),
    saveDraft: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "keeps drafts": () => true,
    "is stale": () => true,
    "has one to save": () => true,
    "is flushing": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "store the confirmed user": assign({}),
    "mark as stale": assign({}),
    "mark as current": assign({}),
    "start to flush": assign({}),
    "stop flushing": assign({}),
    "forget the failures": assign({}),
    "count the failure": assign({}),
    "keep the next write": assign({}),
    "take the next write": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    saveDelay: 1000,
  },
}).createMachine({
  id: "draftSync",
  initial: "notOffered",
  on: {
    "user.confirmed": {
      actions: {
        type: "store the confirmed user",
      },
    },
    "drafts.changed": {
      actions: {
        type: "keep the next write",
      },
    },
    "drafts.merged": {
      actions: {
        type: "keep the next write",
      },
    },
    "drafts.invalidated": {
      actions: "mark as stale",
    },
    "flush.requested": {
      actions: "start to flush",
    },
  },
  states: {
    notOffered: {
      always: {
        guard: "keeps drafts",
        target: "choosing",
      },
      on: {
        "flush.requested": {
          actions: {
            type: "tellSession",
            params: {
              type: "drafts.flushed",
            },
          },
        },
      },
    },
    choosing: {
      always: [
        {
          guard: "is stale",
          target: "loading",
        },
        {
          guard: "has one to save",
          target: "saving",
        },
        {
          target: "idle",
        },
      ],
    },
    loading: {
      entry: "mark as current",
      invoke: {
        id: "loadDrafts",
        src: "loadDrafts",
        onDone: {
          target: "merging",
          actions: [
            {
              type: "tellSession",
              params: {
                type: "drafts.fetched",
              },
            },
            "forget the failures",
          ],
        },
        onError: [
          {
            guard: {
              type: "is temporary",
            },
            target: "waiting",
            actions: [
              "mark as stale",
              {
                type: "count the failure",
              },
            ],
          },
          {
            target: "refused",
          },
        ],
      },
    },
    saving: {
      entry: [
        "take the next write",
        {
          type: "tellSession",
          params: {
            type: "draft.saving",
          },
        },
      ],
      invoke: {
        id: "saveDraft",
        src: "saveDraft",
        onDone: {
          target: "merging",
          actions: [
            {
              type: "tellSession",
              params: {
                type: "draft.answered",
              },
            },
            "forget the failures",
          ],
        },
        onError: [
          {
            guard: {
              type: "is temporary",
            },
            target: "waiting",
            actions: {
              type: "count the failure",
            },
          },
          {
            target: "merging",
            actions: {
              type: "tellSession",
              params: {
                type: "draft.refused",
              },
            },
          },
        ],
      },
    },
    merging: {
      on: {
        "drafts.merged": {
          target: "pausing",
          actions: {
            type: "keep the next write",
          },
        },
      },
    },
    pausing: {
      always: {
        guard: "is flushing",
        target: "choosing",
      },
      after: {
        saveDelay: "choosing",
      },
      on: {
        "drafts.changed": {
          target: "pausing",
          reenter: true,
          actions: {
            type: "keep the next write",
          },
        },
        "tab.hidden": "choosing",
      },
    },
    waiting: {
      entry: [
        {
          type: "tellSession",
          params: {
            type: "drafts.flushed",
          },
        },
        "stop flushing",
      ],
      after: {
        retryDelay: "choosing",
      },
      on: {
        "drafts.invalidated": {
          target: "choosing",
          actions: "mark as stale",
        },
        "flush.requested": {
          target: "choosing",
          actions: "start to flush",
        },
      },
    },
    idle: {
      entry: [
        {
          type: "tellSession",
          params: {
            type: "drafts.flushed",
          },
        },
        "stop flushing",
      ],
      on: {
        "drafts.changed": {
          target: "pausing",
          actions: {
            type: "keep the next write",
          },
        },
        "drafts.invalidated": {
          target: "choosing",
          actions: "mark as stale",
        },
        "flush.requested": {
          target: "choosing",
          actions: "start to flush",
        },
      },
    },
    refused: {
      entry: [
        {
          type: "tellSession",
          params: {
            type: "drafts.flushed",
          },
        },
        "stop flushing",
      ],
      on: {
        "flush.requested": {
          actions: {
            type: "tellSession",
            params: {
              type: "drafts.flushed",
            },
          },
        },
      },
    },
  },
})
