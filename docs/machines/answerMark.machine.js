// Written by `npm run docs` from src/machines/faq/answer-mark.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    markAnswer: fromPromise(async () => {}),
  },
  guards: {},
  actions: {
    tellSession: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the mark": assign({}),
    "forget the mark": assign({}),
  },
  delays: {},
}).createMachine({
  id: "answerMark",
  initial: "idle",
  states: {
    idle: {
      entry: "forget the mark",
      on: {
        "answer.marked": {
          target: "marking",
          actions: {
            type: "keep the mark",
          },
        },
      },
    },
    marking: {
      invoke: {
        id: "markAnswer",
        src: "markAnswer",
        onDone: {
          target: "idle",
          actions: {
            type: "tellSession",
            params: {
              type: "messages.changed",
            },
          },
        },
        onError: {
          target: "idle",
          actions: {
            type: "notify failure",
          },
        },
      },
    },
  },
})
