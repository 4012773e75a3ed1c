// Written by `npm run docs` from src/machines/comments/answers.ts.
import { assign, createMachine, enqueueActions, fromPromise, setup, stopChild } from 'xstate'

export const machine = setup({
  actors: {
    answerFlow: createMachine({}),
    loadAnswers: fromPromise(async () => {}),
  },
  guards: {
    "has a text": () => true,
    "has an answer to start": () => true,
    "has an answer to resume": () => true,
    "is not in progress": () => true,
    "was deleted": () => true,
  },
  actions: {
    tellSession: enqueueActions(() => {}),
    "forward to the flows": enqueueActions(() => {}),
    store: () => {},
    forget: () => {},
    "keep the typed text": assign({}),
    "queue the answer": assign({}),
    "restore the answers": assign({}),
    "start the next answer": assign({}),
    "queue the waiting answers": assign({}),
    "mark the next answer as pending": assign({}),
    "update the answer": assign({}),
    "remove the answers": assign({}),
    "stop the flow": stopChild(() => "the child"),
  },
  delays: {},
}).createMachine({
  description: "The action \"restore the answers\" starts the child answerFlow.\nThe action \"start the next answer\" starts the child answerFlow.",
  id: "answers",
  initial: "restoring",
  on: {
    "answer.typed": [
      {
        guard: {
          type: "has a text",
        },
        actions: [
          {
            type: "keep the typed text",
          },
          {
            type: "store",
          },
        ],
      },
      {
        actions: [
          {
            type: "forget",
          },
          {
            type: "remove the answers",
          },
        ],
      },
    ],
    "answer.submitted": {
      guard: {
        type: "has a text",
      },
      actions: [
        {
          type: "queue the answer",
        },
        {
          type: "store",
        },
      ],
    },
    "answer.cancelled": {
      actions: [
        {
          type: "forget",
        },
        {
          type: "remove the answers",
        },
      ],
    },
    "send.retried": {
      actions: {
        type: "forward to the flows",
        params: {
          type: "send.retried",
        },
      },
    },
    "waiting.retried": {
      actions: "queue the waiting answers",
    },
    "check.requested": {
      actions: {
        type: "forward to the flows",
        params: {
          type: "check.requested",
        },
      },
    },
    "browser.online": {
      actions: {
        type: "forward to the flows",
        params: {
          type: "browser.online",
        },
      },
    },
    "send.discarded": {
      guard: {
        type: "is not in progress",
      },
      actions: [
        {
          type: "stop the flow",
        },
        {
          type: "remove the answers",
        },
        {
          type: "forget",
        },
      ],
    },
    "comments.changed": {
      guard: {
        type: "was deleted",
      },
      actions: [
        {
          type: "forget",
        },
        {
          type: "remove the answers",
        },
      ],
    },
    "flow.progressed": {
      actions: [
        {
          type: "update the answer",
        },
        {
          type: "store",
        },
      ],
    },
    "flow.settled": {
      actions: [
        {
          type: "remove the answers",
        },
        {
          type: "forget",
        },
        {
          type: "tellSession",
        },
      ],
    },
  },
  states: {
    restoring: {
      invoke: {
        id: "loadAnswers",
        src: "loadAnswers",
        onDone: {
          target: "ready",
          actions: {
            type: "restore the answers",
          },
        },
        onError: "ready",
      },
    },
    ready: {
      always: [
        {
          guard: "has an answer to resume",
          actions: [
            {
              type: "forward to the flows",
              params: {
                type: "send.retried",
              },
            },
            "mark the next answer as pending",
          ],
        },
        {
          guard: "has an answer to start",
          actions: "start the next answer",
        },
      ],
    },
  },
})
