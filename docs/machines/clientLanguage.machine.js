// Written by `npm run docs` from src/machines/client/client-language.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    saveLanguage: fromPromise(async () => {}),
  },
  guards: {
    "is the language of the client": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    tellClients: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the choice": assign({}),
    "forget the choice": assign({}),
  },
  delays: {},
}).createMachine({
  id: "clientLanguage",
  initial: "choosing",
  states: {
    choosing: {
      on: {
        "language.chosen": [
          {
            guard: {
              type: "is the language of the client",
            },
            target: "closed",
          },
          {
            target: "saving",
            actions: {
              type: "keep the choice",
            },
          },
        ],
        "dialog.dismissed": "closed",
      },
    },
    saving: {
      invoke: {
        id: "saveLanguage",
        src: "saveLanguage",
        onDone: {
          target: "closed",
          actions: [
            {
              type: "tellClients",
              params: {
                type: "clients.fetched",
              },
            },
            {
              type: "notify",
              params: {
                kind: "success",
                text: "Language of summaries saved",
              },
            },
          ],
        },
        onError: {
          target: "choosing",
          actions: [
            {
              type: "notify failure",
            },
            "forget the choice",
          ],
        },
      },
    },
    closed: {
      type: "final",
    },
  },
})
