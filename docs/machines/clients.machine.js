// Written by `npm run docs` from src/machines/client/clients.ts.
import { assign, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {},
  actions: {
    "merge the answer": assign({}),
    "write the link": assign({}),
    "merge the labels": assign({}),
    "hold the clients": assign({}),
  },
  delays: {},
}).createMachine({
  id: "clients",
  on: {
    "clients.fetched": {
      actions: {
        type: "merge the answer",
      },
    },
    "client.linked": {
      actions: {
        type: "write the link",
      },
    },
    "client.unlinked": {
      actions: {
        type: "write the link",
      },
    },
    "clientLabels.told": {
      actions: {
        type: "merge the labels",
      },
    },
    "clients.held": {
      actions: {
        type: "hold the clients",
      },
    },
  },
})
