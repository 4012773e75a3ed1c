// Written by `npm run docs` from src/machines/list/records.ts.
import { assign, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {},
  actions: {
    "merge the answer": assign({}),
    "merge the looked-up rows": assign({}),
    "keep only the listed": assign({}),
    "apply the messages": assign({}),
    "apply the changes of people": assign({}),
    "mark as read": assign({}),
    "merge the states": assign({}),
    "expect the state": assign({}),
    "settle the change": assign({}),
    "mark as unread": assign({}),
    "hold the conversations": assign({}),
    "use the page": assign({}),
  },
  delays: {},
}).createMachine({
  id: "records",
  on: {
    "conversations.fetched": {
      actions: {
        type: "merge the answer",
      },
    },
    "conversations.lookedUp": {
      actions: {
        type: "merge the looked-up rows",
      },
    },
    "conversations.listed": {
      actions: {
        type: "keep only the listed",
      },
    },
    "messages.changed": {
      actions: {
        type: "apply the messages",
      },
    },
    "users.changed": {
      actions: {
        type: "apply the changes of people",
      },
    },
    "conversation.read": {
      actions: {
        type: "mark as read",
      },
    },
    "states.changed": {
      actions: {
        type: "merge the states",
      },
    },
    "states.expected": {
      actions: {
        type: "expect the state",
      },
    },
    "states.settled": {
      actions: {
        type: "settle the change",
      },
    },
    "conversations.unread": {
      actions: {
        type: "mark as unread",
      },
    },
    "conversations.held": {
      actions: {
        type: "hold the conversations",
      },
    },
    "page.chosen": {
      actions: {
        type: "use the page",
      },
    },
  },
})
