// Written by `npm run docs` from src/machines/client/order.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadOrder: fromPromise(async () => {}),
    changeOrder: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "is allowed": () => true,
    "is allowed after a question": () => true,
    "is about the client": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the order": assign({}),
    "keep the change": assign({}),
    "forget the change": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
    changeDelay: 1000,
  },
}).createMachine({
  id: "order",
  initial: "open",
  states: {
    open: {
      initial: "loading",
      on: {
        "change.requested": [
          {
            guard: {
              type: "is allowed after a question",
            },
            target: "asking",
            actions: {
              type: "keep the change",
            },
          },
          {
            guard: {
              type: "is allowed",
            },
            target: "changing",
            actions: {
              type: "keep the change",
            },
          },
        ],
        "dialog.dismissed": "closed",
      },
      states: {
        loading: {
          on: {
            "clientData.changed": {
              guard: {
                type: "is about the client",
              },
              target: "loading",
              reenter: true,
            },
          },
          invoke: {
            id: "loadOrder",
            src: "loadOrder",
            onDone: {
              target: "showing",
              actions: {
                type: "keep the order",
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
        },
        showing: {
          initial: "idle",
          states: {
            idle: {
              on: {
                "clientData.changed": {
                  guard: {
                    type: "is about the client",
                  },
                  target: "changed",
                },
              },
            },
            changed: {
              after: {
                changeDelay: "#order.open.loading",
              },
            },
          },
        },
        failed: {
          initial: "waiting",
          states: {
            waiting: {
              after: {
                retryDelay: "#order.open.loading",
              },
            },
            refused: {},
          },
          on: {
            "refetch.requested": {
              target: "loading",
              actions: "reset the failure count",
            },
            "clientData.changed": {
              guard: {
                type: "is about the client",
              },
              target: "loading",
            },
          },
        },
      },
    },
    asking: {
      on: {
        "change.confirmed": "changing",
        "change.refused": {
          target: "open.loading",
          actions: "forget the change",
        },
        "dialog.dismissed": "closed",
      },
    },
    changing: {
      invoke: {
        id: "changeOrder",
        src: "changeOrder",
        onDone: {
          target: "open.showing",
          actions: [
            {
              type: "notify",
            },
            {
              type: "keep the order",
            },
            {
              type: "tellSession",
              params: {
                type: "clientData.changed",
              },
            },
          ],
        },
        onError: {
          target: "open.loading",
          actions: [
            {
              type: "notify failure",
            },
            "forget the change",
          ],
        },
      },
    },
    closed: {
      type: "final",
    },
  },
})
