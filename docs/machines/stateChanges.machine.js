// Written by `npm run docs` from src/machines/list/state-changes.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    changeStates: fromPromise(async () => {}),
  },
  guards: {
    "a change waits": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "tell what begins": enqueueActions(() => {}),
    "tell the answer": enqueueActions(() => {}),
    "tell the end": enqueueActions(() => {}),
    "enqueue the change": assign({}),
    "hide the undo": enqueueActions(() => {}),
    "enqueue the undo": assign({}),
    "mark as begun": assign({}),
    "remember how to undo": assign({}),
    "undo the unwanted": assign({}),
    "remove the change": assign({}),
    "build on the answer": assign({}),
  },
  delays: {},
}).createMachine({
  id: "stateChanges",
  initial: "idle",
  on: {
    "change.requested": {
      actions: [
        {
          type: "enqueue the change",
        },
        {
          type: "tell what begins",
        },
        "mark as begun",
      ],
    },
    "undo.requested": {
      actions: [
        {
          type: "hide the undo",
        },
        {
          type: "enqueue the undo",
        },
        {
          type: "tell what begins",
        },
        "mark as begun",
      ],
    },
  },
  states: {
    idle: {
      always: {
        guard: "a change waits",
        target: "sending",
      },
    },
    sending: {
      invoke: {
        id: "changeStates",
        src: "changeStates",
        onDone: {
          target: "idle",
          actions: [
            {
              type: "tell the answer",
            },
            {
              type: "remember how to undo",
            },
            {
              type: "undo the unwanted",
            },
            "remove the change",
            {
              type: "build on the answer",
            },
            {
              type: "tell what begins",
            },
            "mark as begun",
          ],
        },
        onError: {
          target: "idle",
          actions: [
            {
              type: "notify failure",
            },
            {
              type: "tell the end",
            },
            "remove the change",
          ],
        },
      },
    },
  },
})
