// Written by `npm run docs` from src/machines/send/reply-help.ts.
import { createMachine, enqueueActions, setup } from 'xstate'

export const machine = setup({
  actors: {
    savedReplies: createMachine({}),
    faqSuggestions: createMachine({}),
    answerMark: createMachine({}),
    reactions: createMachine({}),
  },
  guards: {},
  actions: {
    "tell the saved replies": enqueueActions(() => {}),
    "start the parts": enqueueActions(() => {}),
  },
  delays: {},
}).createMachine({
  id: "replyHelp",
  entry: "start the parts",
  on: {
    "message.sent": {
      actions: {
        type: "tell the saved replies",
      },
    },
  },
})
