// Written by `npm run docs` from src/machines/shell/problem-report.ts.
import { enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    saveReport: fromPromise(async () => {}),
  },
  guards: {},
  actions: {
    notify: enqueueActions(() => {}),
  },
  delays: {},
}).createMachine({
  id: "problemReport",
  initial: "idle",
  states: {
    idle: {
      on: {
        "report.requested": "saving",
      },
    },
    saving: {
      invoke: {
        id: "saveReport",
        src: "saveReport",
        onDone: {
          target: "idle",
          actions: {
            type: "notify",
            params: {
              kind: "success",
              text: "Report saved as staff-inbox-report.json in your downloads. Give it to your administrator.",
            },
          },
        },
        onError: {
          target: "idle",
          actions: {
            type: "notify",
            params: {
              kind: "error",
              text: "Failed to save the report",
            },
          },
        },
      },
    },
  },
})
