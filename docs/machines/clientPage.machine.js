// Written by `npm run docs` from src/machines/client/client-page.ts.
import { assign, createMachine, enqueueActions, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    profile: createMachine({}),
    orders: createMachine({}),
    chats: createMachine({}),
  },
  guards: {
    "has another chat": () => true,
  },
  actions: {
    "hear the profile": enqueueActions(({ enqueue }) => { enqueue.raise({ type: "client.loaded" }) }),
    "keep whose chats they are": assign({}),
    "ask for the profile": sendTo("profile", { type: "refresh.requested" }),
    "ask for the orders": sendTo("orders", { type: "refresh.requested" }),
    "ask for the chats": sendTo("chats", { type: "refresh.requested" }),
  },
  delays: {},
}).createMachine({
  id: "clientPage",
  invoke: [
    {
      id: "profile",
      src: "profile",
      onSnapshot: {
        actions: {
          type: "hear the profile",
        },
      },
    },
    {
      id: "orders",
      src: "orders",
    },
  ],
  on: {
    "refresh.requested": {
      actions: [
        "ask for the profile",
        "ask for the orders",
      ],
    },
  },
  initial: "meeting",
  states: {
    meeting: {
      on: {
        "client.loaded": {
          target: "met",
          actions: {
            type: "keep whose chats they are",
          },
        },
      },
    },
    met: {
      invoke: {
        id: "chats",
        src: "chats",
      },
      on: {
        "refresh.requested": {
          actions: [
            "ask for the profile",
            "ask for the orders",
            "ask for the chats",
          ],
        },
        "client.loaded": {
          guard: {
            type: "has another chat",
          },
          target: "met",
          reenter: true,
          actions: {
            type: "keep whose chats they are",
          },
        },
      },
    },
  },
})
