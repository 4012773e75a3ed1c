// Written by `npm run docs` from src/machines/comments/comment.ts.
import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'

export const machine = setup({
  actors: {
    sendReply: fromPromise(async () => {}),
    changeComment: fromPromise(async () => {}),
    decideSend: fromPromise(async () => {}),
  },
  guards: {
    "private reply is": () => true,
    "public reply is": () => true,
    "visibility is": () => true,
    "is allowed": () => true,
    "can be sent": () => true,
    "can be changed": () => true,
    "is not removed": () => true,
    "is open": () => true,
    "is known to the server": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "keep the comment": assign({}),
    "keep the kind": assign({}),
    "keep the answer": assign({}),
    "remember that it is too late": assign({}),
    "forget the answer": assign({}),
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
      initial: "idle",
      states: {
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
            "reply.submitted": {
              guard: {
                type: "can be sent",
              },
              target: "sending",
              actions: {
                type: "keep the answer",
              },
            },
            "reply.cancelled": {
              target: "idle",
              actions: "forget the answer",
            },
            "comment.told": {
              guard: {
                type: "is known to the server",
              },
              target: "idle",
              actions: "forget the answer",
            },
          },
        },
        sending: {
          invoke: {
            id: "sendReply",
            src: "sendReply",
            onDone: {
              target: "idle",
              actions: [
                {
                  type: "notify",
                },
                "forget the answer",
                {
                  type: "report the thread",
                },
              ],
            },
            onError: {
              target: "writing",
              actions: [
                {
                  type: "notify failure",
                },
                "report the failure",
              ],
            },
          },
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
