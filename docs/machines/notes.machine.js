// Written by `npm run docs` from src/machines/thread/notes.ts.
import { and, assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadNotes: fromPromise(async () => {}),
    saveNote: fromPromise(async () => {}),
    deleteNote: fromPromise(async () => {}),
    watchTexts: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "has a conversation": () => true,
    "is another conversation": () => true,
    "can be saved": () => true,
  },
  actions: {
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "notify about a mention": enqueueActions(() => {}),
    "use the conversation": assign({}),
    "forget the conversation": assign({}),
    "start loading": assign({}),
    "keep the notes": assign({}),
    "apply the change": assign({}),
    "keep the text": assign({}),
    "store the text": () => {},
    "compose the note": assign({}),
    "add the saved note": assign({}),
    "keep the note to delete": assign({}),
    "remove the deleted note": assign({}),
    "forget the note to delete": assign({}),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "notes",
  type: "parallel",
  invoke: {
    id: "watchTexts",
    src: "watchTexts",
  },
  on: {
    "note.changed": {
      actions: [
        {
          type: "apply the change",
        },
        {
          type: "notify about a mention",
        },
      ],
    },
    "note.typed": {
      guard: "has a conversation",
      actions: [
        {
          type: "keep the text",
        },
        {
          type: "store the text",
        },
      ],
    },
    "note.received": {
      actions: {
        type: "keep the text",
      },
    },
    "conversation.gone": {
      actions: [
        {
          type: "keep the text",
        },
        {
          type: "store the text",
        },
      ],
    },
  },
  states: {
    list: {
      initial: "none",
      on: {
        "conversation.opened": {
          guard: {
            type: "is another conversation",
          },
          target: ".loading",
          actions: {
            type: "use the conversation",
          },
        },
        "conversation.closed": {
          target: ".none",
          actions: "forget the conversation",
        },
        "channel.joined": {
          guard: "has a conversation",
          target: ".loading",
        },
        "refetch.requested": {
          guard: "has a conversation",
          target: ".loading",
        },
      },
      states: {
        none: {
          always: {
            guard: "has a conversation",
            target: "loading",
          },
        },
        loading: {
          entry: "start loading",
          invoke: {
            id: "loadNotes",
            src: "loadNotes",
            onDone: {
              target: "known",
              actions: {
                type: "keep the notes",
              },
            },
            onError: [
              {
                guard: {
                  type: "is temporary",
                },
                target: "failed.waiting",
                actions: [
                  {
                    type: "notify failure",
                  },
                  {
                    type: "count the failure",
                  },
                ],
              },
              {
                target: "failed.refused",
                actions: {
                  type: "notify failure",
                },
              },
            ],
          },
        },
        known: {},
        failed: {
          initial: "waiting",
          states: {
            waiting: {
              after: {
                retryDelay: "#notes.list.loading",
              },
            },
            refused: {},
          },
        },
      },
    },
    saving: {
      initial: "idle",
      states: {
        idle: {
          on: {
            "note.submitted": {
              guard: and(["has a conversation", "can be saved"]),
              target: "saving",
              actions: {
                type: "compose the note",
              },
            },
          },
        },
        saving: {
          invoke: {
            id: "saveNote",
            src: "saveNote",
            onDone: {
              target: "idle",
              actions: [
                {
                  type: "store the text",
                },
                {
                  type: "add the saved note",
                },
              ],
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
    },
    deleting: {
      initial: "idle",
      states: {
        idle: {
          on: {
            "note.removed": {
              target: "deleting",
              actions: {
                type: "keep the note to delete",
              },
            },
          },
        },
        deleting: {
          invoke: {
            id: "deleteNote",
            src: "deleteNote",
            onDone: {
              target: "idle",
              actions: "remove the deleted note",
            },
            onError: {
              target: "idle",
              actions: [
                "forget the note to delete",
                {
                  type: "notify failure",
                },
              ],
            },
          },
        },
      },
    },
  },
})
