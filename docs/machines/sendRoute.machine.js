// Written by `npm run docs` from src/machines/send/send-route.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    findBestPage: fromPromise(async () => {}),
    findIdentity: fromPromise(async () => {}),
  },
  guards: {
    "may change the route": () => true,
    "is another request": () => true,
    "has no address": () => true,
    "is another conversation": () => true,
    "a page was chosen": () => true,
    "has no identity": () => true,
    "the conversation has a page": () => true,
  },
  actions: {
    "keep the request": assign({}),
    "keep the recipient": assign({}),
    "forget the route": assign({}),
    "use the chosen page": assign({}),
    "use the best page": assign({}),
    "use the first page": assign({}),
    "store the route": assign({}),
    "store whether there was an answer": assign({}),
    "use the fallback identity": assign({}),
  },
  delays: {
    messagesDebounce: 1000,
  },
}).createMachine({
  id: "sendRoute",
  initial: "idle",
  on: {
    "route.requested": {
      guard: {
        type: "is another request",
      },
      target: ".choosingPage",
      actions: [
        "forget the route",
        {
          type: "keep the request",
        },
      ],
    },
    "recipient.changed": [
      {
        guard: {
          type: "is another conversation",
        },
        target: ".choosingPage",
        actions: [
          "forget the route",
          {
            type: "keep the recipient",
          },
        ],
      },
      {
        actions: {
          type: "keep the recipient",
        },
      },
    ],
  },
  states: {
    idle: {
      on: {
        "route.requested": {
          target: "choosingPage",
          actions: [
            "forget the route",
            {
              type: "keep the request",
            },
          ],
        },
        "recipient.changed": {
          actions: {
            type: "keep the recipient",
          },
        },
      },
    },
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
            type: "may change the route",
          },
          target: "debouncing",
        },
        "route.invalidated": "debouncing",
      },
    },
    findingIdentity: {
      invoke: {
        id: "findIdentity",
        src: "findIdentity",
        onDone: {
          target: "known",
          actions: {
            type: "store the route",
          },
        },
        onError: {
          target: "known",
          actions: [
            {
              type: "store whether there was an answer",
            },
            "use the fallback identity",
          ],
        },
      },
      on: {
        "messages.changed": {
          guard: {
            type: "may change the route",
          },
          target: "debouncing",
        },
        "route.invalidated": "debouncing",
      },
    },
    known: {
      on: {
        "messages.changed": {
          guard: {
            type: "may change the route",
          },
          target: "debouncing",
        },
        "route.invalidated": "debouncing",
        "route.requested": {
          guard: {
            type: "has no address",
          },
          target: "choosingPage",
          actions: [
            "forget the route",
            {
              type: "keep the request",
            },
          ],
        },
        "recipient.changed": {
          guard: {
            type: "has no identity",
          },
          actions: [
            {
              type: "keep the recipient",
            },
            "use the fallback identity",
          ],
        },
      },
    },
    debouncing: {
      after: {
        messagesDebounce: "choosingPage",
      },
    },
  },
})
