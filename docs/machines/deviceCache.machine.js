// Written by `npm run docs` from src/machines/session/device-cache.ts.
import { assign, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    watchScreen: fromPromise(async () => {}),
    saveInbox: fromPromise(async () => {}),
    clearDevice: fromPromise(async () => {}),
  },
  guards: {
    "is confirmed": () => true,
    "may keep conversations": () => true,
    "is a shared computer": () => true,
  },
  actions: {
    "store the confirmed user": assign({}),
    "store the open thread": assign({}),
  },
  delays: {
    saveDelay: 2000,
  },
}).createMachine({
  id: "deviceCache",
  initial: "unconfirmed",
  on: {
    "sharedComputer.changed": ".unconfirmed",
  },
  states: {
    unconfirmed: {
      always: [
        {
          guard: "is a shared computer",
          target: "clearing",
        },
        {
          guard: "may keep conversations",
          target: "keeping",
        },
        {
          guard: "is confirmed",
          target: "clearing",
        },
      ],
      on: {
        "user.confirmed": {
          actions: {
            type: "store the confirmed user",
          },
        },
      },
    },
    keeping: {
      invoke: {
        id: "watchScreen",
        src: "watchScreen",
      },
      initial: "saved",
      on: {
        "screen.changed": ".changed",
      },
      states: {
        saved: {},
        changed: {
          on: {
            "screen.changed": {},
          },
          after: {
            saveDelay: "saving",
          },
        },
        saving: {
          entry: "store the open thread",
          invoke: {
            id: "saveInbox",
            src: "saveInbox",
            onDone: "saved",
            onError: "saved",
          },
        },
      },
    },
    clearing: {
      invoke: {
        id: "clearDevice",
        src: "clearDevice",
        onDone: "off",
        onError: "off",
      },
    },
    off: {},
  },
})
