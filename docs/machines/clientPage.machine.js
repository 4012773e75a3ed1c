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
    "refetch the profile": sendTo("profile", { type: "refetch.requested" }),
    "refetch the orders": sendTo("orders", { type: "refetch.requested" }),
    "refetch the chats": sendTo("chats", { type: "refetch.requested" }),
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
    "refetch.requested": {
      actions: [
        "refetch the profile",
        "refetch the orders",
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
        "refetch.requested": {
          actions: [
            "refetch the profile",
            "refetch the orders",
            "refetch the chats",
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
