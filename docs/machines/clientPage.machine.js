// Written by `npm run docs` from src/machines/client/client-page.ts.
import { assign, createMachine, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    holdClients: fromPromise(async () => {}),
    watchClient: fromPromise(async () => {}),
    profile: createMachine({}),
    orders: createMachine({}),
    chats: createMachine({}),
  },
  guards: {},
  actions: {
    "keep the chat user": assign({}),
    "refetch the profile": sendTo("profile", { type: "refetch.requested" }),
    "refetch the orders": sendTo("orders", { type: "refetch.requested" }),
    "refetch the chats": sendTo("chats", { type: "refetch.requested" }),
    "tell the profile": sendTo("profile", { type: "an event" }),
    "tell the orders": sendTo("orders", { type: "an event" }),
  },
  delays: {},
}).createMachine({
  id: "clientPage",
  invoke: [
    {
      id: "holdClients",
      src: "holdClients",
    },
    {
      id: "watchClient",
      src: "watchClient",
    },
    {
      id: "profile",
      src: "profile",
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
    "clientData.changed": {
      actions: [
        {
          type: "tell the profile",
        },
        {
          type: "tell the orders",
        },
      ],
    },
  },
  initial: "loading",
  states: {
    loading: {
      on: {
        "client.changed": {
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
        "client.changed": {
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
