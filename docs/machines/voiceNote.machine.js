// Written by `npm run docs` from src/machines/send/voice-note.ts.
import { assign, enqueueActions, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    recordVoice: fromPromise(async () => {}),
  },
  guards: {
    "has recorded something": () => true,
    "is too long": () => true,
  },
  actions: {
    tellFiles: enqueueActions(() => {}),
    "stop recording": sendTo("recordVoice", { type: "recording.stopped" }),
    "start anew": assign({}),
    "count the second": assign({}),
    "keep the problem": assign({}),
  },
  delays: {
    second: 1000,
  },
}).createMachine({
  id: "voiceNote",
  initial: "working",
  states: {
    working: {
      entry: "start anew",
      invoke: {
        id: "recordVoice",
        src: "recordVoice",
      },
      on: {
        "recording.refused": {
          target: "refused",
          actions: {
            type: "keep the problem",
          },
        },
        "recording.ready": {
          target: "closed",
          actions: {
            type: "tellFiles",
            params: {
              type: "files.chosen",
            },
          },
        },
      },
      type: "parallel",
      states: {
        sound: {
          initial: "asking",
          states: {
            asking: {
              on: {
                "recording.began": "recording",
              },
            },
            recording: {
              always: {
                guard: "is too long",
                target: "ending",
              },
              after: {
                second: {
                  target: "recording",
                  reenter: true,
                  actions: "count the second",
                },
              },
              on: {
                "recording.stopped": "ending",
              },
            },
            ending: {
              entry: "stop recording",
            },
          },
        },
        question: {
          initial: "none",
          states: {
            none: {
              on: {
                "dialog.dismissed": [
                  {
                    guard: "has recorded something",
                    target: "asking",
                  },
                  {
                    target: "#voiceNote.closed",
                  },
                ],
              },
            },
            asking: {
              on: {
                "discard.confirmed": "#voiceNote.closed",
                "discard.refused": "none",
                "dialog.dismissed": "none",
              },
            },
          },
        },
      },
    },
    refused: {
      on: {
        "recording.retried": "working",
        "dialog.dismissed": "closed",
      },
    },
    closed: {
      type: "final",
    },
  },
})
