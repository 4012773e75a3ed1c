// Written by `npm run docs` from src/machines/client/record-payment.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadFacts: fromPromise(async () => {}),
    create: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is new": () => true,
    "may have been created": () => true,
    "is complete": () => true,
    "has no typed text": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    notify: enqueueActions(() => {}),
    "keep the typed fields": assign({}),
    "store the next target": assign({}),
    "store the attempt": assign({}),
    "show the failure": assign({}),
    "show that the result is unknown": assign({}),
    tellSession: enqueueActions(() => {}),
    "keep the facts": assign({}),
    "keep the refusal": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "recordPayment",
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "loadFacts",
        src: "loadFacts",
        onDone: {
          target: "editing",
          actions: {
            type: "keep the facts",
          },
        },
        onError: [
          {
            guard: {
              type: "is temporary",
            },
            target: "failed.waiting",
            actions: [
              {
                type: "notify failure",
              },
              {
                type: "count the failure",
              },
            ],
          },
          {
            target: "failed.refused",
            actions: {
              type: "notify failure",
            },
          },
        ],
      },
      on: {
        "dialog.dismissed": "closed",
      },
    },
    failed: {
      initial: "waiting",
      states: {
        waiting: {
          after: {
            retryDelay: "#recordPayment.loading",
          },
        },
        refused: {},
      },
      on: {
        "refetch.requested": {
          target: "loading",
          actions: "reset the failure count",
        },
        "dialog.dismissed": "closed",
      },
    },
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
        target: "closed",
      },
      on: {
        "discard.confirmed": "closed",
        "discard.refused": "editing",
        "dialog.dismissed": "editing",
      },
    },
    saving: {
      entry: "store the attempt",
      invoke: {
        id: "create",
        src: "create",
        onDone: {
          target: "closed",
          actions: [
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Payment recorded. It waits for approval.",
              },
            },
            {
              type: "tellSession",
            },
          ],
        },
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
              {
                type: "keep the refusal",
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
              {
                type: "keep the refusal",
              },
            ],
          },
        ],
      },
    },
    closed: {
      type: "final",
    },
  },
})
