// Written by `npm run docs` from src/machines/comments/comment.ts.
import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'

export const machine = setup({
  actors: {
    changeComment: fromPromise(async () => {}),
    decideSend: fromPromise(async () => {}),
  },
  guards: {
    "private reply is": () => true,
    "public reply is": () => true,
    "visibility is": () => true,
    "is allowed": () => true,
    "can be sent": () => true,
    "has a typed answer": () => true,
    "is kept": () => true,
    "can be changed": () => true,
    "is not removed": () => true,
    "is open": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the comment": assign({}),
    "keep the kind": assign({}),
    "tell the answers": enqueueActions(() => {}),
    "look for a typed answer": assign({}),
    "look whether the answer is kept": assign({}),
    "remember that it is too late": assign({}),
    "keep the change": assign({}),
    "keep the decision": assign({}),
    "report the thread": sendParent({ type: "thread.told" }),
    "report the failure": sendParent({ type: "thread.invalidated" }),
  },
  delays: {
    privateReplyLeft: () => 1000,
  },
}).createMachine({
  id: "comment",
  type: "parallel",
  states: {
    privately: {
      initial: "deciding",
      on: {
        "comment.told": {
          target: ".deciding",
          actions: {
            type: "keep the comment",
          },
        },
      },
      states: {
        deciding: {
          always: [
            {
              guard: {
                type: "private reply is",
                params: {
                  state: "used",
                },
              },
              target: "used",
            },
            {
              guard: {
                type: "private reply is",
                params: {
                  state: "unconfirmed",
                },
              },
              target: "unconfirmed",
            },
            {
              guard: {
                type: "private reply is",
                params: {
                  state: "removed",
                },
              },
              target: "removed",
            },
            {
              guard: {
                type: "private reply is",
                params: {
                  state: "expired",
                },
              },
              target: "expired",
            },
            {
              guard: {
                type: "private reply is",
                params: {
                  state: "liveEnded",
                },
              },
              target: "liveEnded",
            },
            {
              guard: {
                type: "private reply is",
                params: {
                  state: "notOffered",
                },
              },
              target: "notOffered",
            },
            {
              target: "possible",
            },
          ],
        },
        possible: {
          after: {
            privateReplyLeft: {
              target: "expired",
              actions: "remember that it is too late",
            },
          },
        },
        used: {},
        unconfirmed: {},
        expired: {},
        liveEnded: {},
        removed: {},
        notOffered: {},
      },
    },
    publicly: {
      initial: "deciding",
      on: {
        "comment.told": ".deciding",
      },
      states: {
        deciding: {
          always: [
            {
              guard: {
                type: "public reply is",
                params: {
                  state: "removed",
                },
              },
              target: "removed",
            },
            {
              guard: {
                type: "public reply is",
                params: {
                  state: "liveVideo",
                },
              },
              target: "liveVideo",
            },
            {
              guard: {
                type: "public reply is",
                params: {
                  state: "hidden",
                },
              },
              target: "hidden",
            },
            {
              guard: {
                type: "public reply is",
                params: {
                  state: "notOffered",
                },
              },
              target: "notOffered",
            },
            {
              target: "possible",
            },
          ],
        },
        possible: {},
        liveVideo: {},
        hidden: {},
        removed: {},
        notOffered: {},
      },
    },
    visibility: {
      initial: "deciding",
      on: {
        "comment.told": ".deciding",
      },
      states: {
        deciding: {
          always: [
            {
              guard: {
                type: "visibility is",
                params: {
                  state: "removedByPerson",
                },
              },
              target: "removedByPerson",
            },
            {
              guard: {
                type: "visibility is",
                params: {
                  state: "removedByStaff",
                },
              },
              target: "removedByStaff",
            },
            {
              guard: {
                type: "visibility is",
                params: {
                  state: "hidden",
                },
              },
              target: "hidden",
            },
            {
              target: "shown",
            },
          ],
        },
        shown: {},
        hidden: {},
        removedByPerson: {},
        removedByStaff: {},
      },
    },
    work: {
      initial: "restoring",
      states: {
        restoring: {
          entry: "look for a typed answer",
          always: [
            {
              guard: "has a typed answer",
              target: "writing",
            },
            {
              target: "idle",
            },
          ],
        },
        idle: {
          on: {
            "reply.begun": {
              guard: {
                type: "is allowed",
              },
              target: "writing",
              actions: {
                type: "keep the kind",
              },
            },
            "change.requested": {
              guard: {
                type: "can be changed",
              },
              target: "changing",
              actions: {
                type: "keep the change",
              },
            },
            "deletion.requested": {
              guard: "is not removed",
              target: "asking",
            },
            "send.decided": {
              guard: {
                type: "is open",
              },
              target: "deciding",
              actions: {
                type: "keep the decision",
              },
            },
          },
        },
        writing: {
          on: {
            "reply.typed": {
              actions: {
                type: "tell the answers",
              },
            },
            "reply.submitted": {
              guard: {
                type: "can be sent",
              },
              target: "handing",
              actions: {
                type: "tell the answers",
              },
            },
            "reply.cancelled": {
              target: "idle",
              actions: {
                type: "tell the answers",
                params: {
                  type: "answer.cancelled",
                },
              },
            },
          },
        },
        handing: {
          entry: "look whether the answer is kept",
          always: [
            {
              guard: "is kept",
              target: "idle",
            },
            {
              target: "writing",
            },
          ],
        },
        changing: {
          invoke: {
            id: "changeComment",
            src: "changeComment",
            onDone: {
              target: "idle",
              actions: {
                type: "report the thread",
              },
            },
            onError: {
              target: "idle",
              actions: [
                {
                  type: "notify failure",
                },
                "report the failure",
              ],
            },
          },
        },
        asking: {
          on: {
            "deletion.confirmed": {
              target: "changing",
              actions: {
                type: "keep the change",
                params: {
                  change: {
                    kind: "delete",
                  },
                },
              },
            },
            "deletion.cancelled": "idle",
          },
        },
        deciding: {
          invoke: {
            id: "decideSend",
            src: "decideSend",
            onDone: {
              target: "idle",
              actions: [
                {
                  type: "notify",
                },
                {
                  type: "report the thread",
                },
              ],
            },
            onError: {
              target: "idle",
              actions: [
                {
                  type: "notify failure",
                },
                "report the failure",
              ],
            },
          },
        },
      },
    },
  },
})
