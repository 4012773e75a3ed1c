// Written by `npm run docs` from src/machines/send/send-route.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    findBestPage: fromPromise(async () => {}),
    findIdentity: fromPromise(async () => {}),
  },
  guards: {
    "the person wrote": () => true,
    "a page was chosen": () => true,
    "nobody was found": () => true,
    "the conversation has a page": () => true,
  },
  actions: {
    keep: assign({}),
    "keep the recipient": assign({}),
    forget: assign({}),
    "use the chosen page": assign({}),
    "use the best page": assign({}),
    "use the first page": assign({}),
    "know it": assign({}),
    "fall back": assign({}),
  },
  delays: {
    newsSettle: 1000,
  },
}).createMachine({
  id: "sendRoute",
  initial: "idle",
  on: {
    "route.requested": {
      target: ".choosingPage",
      actions: [
        "forget",
        {
          type: "keep",
        },
      ],
    },
    "recipient.changed": {
      actions: {
        type: "keep the recipient",
      },
    },
  },
  states: {
    idle: {},
    choosingPage: {
      always: [
        {
          guard: "a page was chosen",
          target: "findingIdentity",
          actions: "use the chosen page",
        },
        {
          target: "findingPage",
        },
      ],
    },
    findingPage: {
      invoke: {
        id: "findBestPage",
        src: "findBestPage",
        onDone: {
          target: "findingIdentity",
          actions: {
            type: "use the best page",
          },
        },
        onError: [
          {
            guard: "the conversation has a page",
            target: "findingIdentity",
            actions: "use the first page",
          },
          {
            target: "idle",
          },
        ],
      },
      on: {
        "messages.changed": {
          guard: {
            type: "the person wrote",
          },
          target: "settling",
        },
      },
    },
    findingIdentity: {
      invoke: {
        id: "findIdentity",
        src: "findIdentity",
        onDone: {
          target: "known",
          actions: {
            type: "know it",
          },
        },
        onError: {
          target: "known",
          actions: "fall back",
        },
      },
      on: {
        "messages.changed": {
          guard: {
            type: "the person wrote",
          },
          target: "settling",
        },
      },
    },
    known: {
      on: {
        "recipient.changed": {
          guard: "nobody was found",
          actions: [
            {
              type: "keep the recipient",
            },
            "fall back",
          ],
        },
        "messages.changed": {
          guard: {
            type: "the person wrote",
          },
          target: "settling",
        },
      },
    },
    settling: {
      after: {
        newsSettle: "choosingPage",
      },
    },
  },
})
