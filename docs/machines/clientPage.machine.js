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
    "receive the profile": enqueueActions(({ enqueue }) => { enqueue.raise({ type: "client.loaded" }) }),
    "keep the chat user": assign({}),
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
          type: "receive the profile",
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
  initial: "loading",
  states: {
    loading: {
      on: {
        "client.loaded": {
          target: "loaded",
          actions: {
            type: "keep the chat user",
          },
        },
      },
    },
    loaded: {
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
          target: "loaded",
          reenter: true,
          actions: {
            type: "keep the chat user",
          },
        },
      },
    },
  },
})
