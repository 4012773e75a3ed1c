// Written by `npm run docs` from src/machines/send/saved-reply-manager.ts.
import { assign, createMachine, enqueueActions, fromPromise, raise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    savedReplyForm: createMachine({}),
    loadReplies: fromPromise(async () => {}),
    deleteReply: fromPromise(async () => {}),
  },
  guards: {
    "is temporary": () => true,
    "was dismissed": () => true,
    "may have saved": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    "count the failure": assign({}),
    "reset the failure count": assign({}),
    "keep the replies": assign({}),
    "keep the item": assign({}),
    "remove the reply from the list": assign({}),
    "invalidate the replies": raise({ type: "replies.invalidated" }),
    "request close of the form": sendTo("savedReplyForm", { type: "dialog.dismissed" }),
  },
  delays: {
    retryDelay: () => 1000,
  },
}).createMachine({
  id: "savedReplyManager",
  initial: "open",
  states: {
    open: {
      type: "parallel",
      states: {
        list: {
          initial: "loading",
          on: {
            "replies.invalidated": ".loading",
          },
          states: {
            loading: {
              invoke: {
                id: "loadReplies",
                src: "loadReplies",
                onDone: {
                  target: "showing",
                  actions: {
                    type: "keep the replies",
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
            showing: {},
            failed: {
              initial: "waiting",
              states: {
                waiting: {
                  after: {
                    retryDelay: "#savedReplyManager.open.list.loading",
                  },
                },
                refused: {},
              },
              on: {
                "refetch.requested": {
                  target: "loading",
                  actions: "reset the failure count",
                },
              },
            },
          },
        },
        work: {
          initial: "list",
          states: {
            list: {
              on: {
                "item.added": {
                  target: "form",
                  actions: {
                    type: "keep the item",
                    params: {
                      item: null,
                    },
                  },
                },
                "item.edited": {
                  target: "form",
                  actions: {
                    type: "keep the item",
                  },
                },
                "deletion.requested": {
                  target: "asking",
                  actions: {
                    type: "keep the item",
                  },
                },
                "dialog.dismissed": "#savedReplyManager.dismissed",
              },
            },
            form: {
              invoke: {
                id: "savedReplyForm",
                src: "savedReplyForm",
                onDone: [
                  {
                    guard: {
                      type: "was dismissed",
                    },
                    target: "#savedReplyManager.dismissed",
                  },
                  {
                    guard: {
                      type: "may have saved",
                    },
                    target: "list",
                    actions: "invalidate the replies",
                  },
                  {
                    target: "list",
                  },
                ],
              },
              on: {
                "dialog.dismissed": {
                  actions: "request close of the form",
                },
              },
            },
            asking: {
              on: {
                "deletion.confirmed": "deleting",
                "deletion.cancelled": "list",
                "dialog.dismissed": "list",
              },
            },
            deleting: {
              invoke: {
                id: "deleteReply",
                src: "deleteReply",
                onDone: {
                  target: "list",
                  actions: [
                    "remove the reply from the list",
                    {
                      type: "notify",
                      params: {
                        kind: "success",
                        text: "Saved reply deleted",
                      },
                    },
                    "invalidate the replies",
                  ],
                },
                onError: {
                  target: "list",
                  actions: [
                    {
                      type: "notify failure",
                    },
                    "invalidate the replies",
                  ],
                },
              },
            },
          },
        },
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
