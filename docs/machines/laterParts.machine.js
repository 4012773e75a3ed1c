// Written by `npm run docs` from src/machines/shell/later-parts.ts.
import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadPart: fromPromise(async () => {}),
  },
  guards: {
    "is offered": () => true,
  },
  actions: {
    forward: sendParent({ type: "an event" }),
    "keep the facts": assign({}),
    "keep the request": assign({}),
    "forget the requests": assign({}),
    "pass on what came before": enqueueActions(() => {}),
    "tell of lost requests": enqueueActions(() => {}),
    "start the part": assign({}),
  },
  delays: {
    reloadDelay: 30000,
  },
}).createMachine({
  id: "laterParts",
  type: "parallel",
  states: {
    facts: {
      on: {
        "conversation.opened": {
          actions: {
            type: "keep the facts",
          },
        },
        "conversation.closed": {
          actions: {
            type: "keep the facts",
            params: {
              id: null,
              typed: "",
            },
          },
        },
        "reply.typed": {
          actions: {
            type: "keep the facts",
          },
        },
        "tab.shown": {
          actions: {
            type: "keep the facts",
            params: {
              isHidden: false,
            },
          },
        },
        "tab.hidden": {
          actions: {
            type: "keep the facts",
            params: {
              isHidden: true,
            },
          },
        },
        "user.confirmed": {
          actions: {
            type: "keep the facts",
          },
        },
      },
    },
    colleagues: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "colleagues",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {
            "comments.requested": {
              actions: {
                type: "keep the request",
              },
            },
          },
          invoke: {
            id: "load.colleagues",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "colleagues",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "colleagues",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {
            "comments.requested": {
              target: "loading",
              actions: {
                type: "keep the request",
              },
            },
          },
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "conversation.opened": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
            "conversation.closed": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
            "conversation.gone": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
            "reply.typed": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
            "messages.changed": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
            "messages.fetched": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
            "refetch.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
            "comments.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
            "tab.shown": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
            "tab.hidden": {
              actions: {
                type: "forward",
                params: {
                  part: "colleagues",
                },
              },
            },
          },
        },
      },
    },
    replyHelp: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "replyHelp",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.replyHelp",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "replyHelp",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "replyHelp",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "message.sent": {
              actions: {
                type: "forward",
                params: {
                  part: "replyHelp",
                },
              },
            },
          },
        },
      },
    },
    stateChanges: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "stateChanges",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {
            "change.requested": {
              actions: {
                type: "keep the request",
              },
            },
            "undo.requested": {
              actions: {
                type: "keep the request",
              },
            },
          },
          invoke: {
            id: "load.stateChanges",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "stateChanges",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "stateChanges",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {
            "change.requested": {
              target: "loading",
              actions: {
                type: "keep the request",
              },
            },
            "undo.requested": {
              target: "loading",
              actions: {
                type: "keep the request",
              },
            },
          },
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "change.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "stateChanges",
                },
              },
            },
            "undo.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "stateChanges",
                },
              },
            },
          },
        },
      },
    },
    summaryCheck: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "summaryCheck",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.summaryCheck",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "summaryCheck",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "summaryCheck",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "conversation.opened": {
              actions: {
                type: "forward",
                params: {
                  part: "summaryCheck",
                },
              },
            },
            "conversation.closed": {
              actions: {
                type: "forward",
                params: {
                  part: "summaryCheck",
                },
              },
            },
          },
        },
      },
    },
    around: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "around",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.around",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "around",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "around",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "conversation.opened": {
              actions: {
                type: "forward",
                params: {
                  part: "around",
                },
              },
            },
            "conversation.closed": {
              actions: {
                type: "forward",
                params: {
                  part: "around",
                },
              },
            },
            "messages.changed": {
              actions: {
                type: "forward",
                params: {
                  part: "around",
                },
              },
            },
            "refetch.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "around",
                },
              },
            },
            "resync.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "around",
                },
              },
            },
          },
        },
      },
    },
    clientSuggestions: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "clientSuggestions",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.clientSuggestions",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "clientSuggestions",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "clientSuggestions",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {},
        },
      },
    },
    attachedFiles: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "attachedFiles",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.attachedFiles",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "attachedFiles",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "attachedFiles",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "conversation.gone": {
              actions: {
                type: "forward",
                params: {
                  part: "attachedFiles",
                },
              },
            },
          },
        },
      },
    },
    answers: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "answers",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.answers",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "answers",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "answers",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "browser.online": {
              actions: {
                type: "forward",
                params: {
                  part: "answers",
                },
              },
            },
          },
        },
      },
    },
    pictureRenewal: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "pictureRenewal",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.pictureRenewal",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "pictureRenewal",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "pictureRenewal",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {},
        },
      },
    },
    messagePrefetch: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "messagePrefetch",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.messagePrefetch",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "messagePrefetch",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "messagePrefetch",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "prefetch.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "messagePrefetch",
                },
              },
            },
            "messages.changed": {
              actions: {
                type: "forward",
                params: {
                  part: "messagePrefetch",
                },
              },
            },
            "users.changed": {
              actions: {
                type: "forward",
                params: {
                  part: "messagePrefetch",
                },
              },
            },
            "conversation.gone": {
              actions: {
                type: "forward",
                params: {
                  part: "messagePrefetch",
                },
              },
            },
            "refetch.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "messagePrefetch",
                },
              },
            },
            "resync.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "messagePrefetch",
                },
              },
            },
          },
        },
      },
    },
    goneConversations: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "goneConversations",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.goneConversations",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "goneConversations",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "goneConversations",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "resync.done": {
              actions: {
                type: "forward",
                params: {
                  part: "goneConversations",
                },
              },
            },
          },
        },
      },
    },
    notifications: {
      initial: "notOffered",
      states: {
        notOffered: {
          always: {
            guard: {
              type: "is offered",
              params: {
                part: "notifications",
              },
            },
            target: "loading",
          },
        },
        loading: {
          on: {},
          invoke: {
            id: "load.notifications",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: [
                {
                  type: "start the part",
                },
                {
                  type: "pass on what came before",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "notifications",
                  },
                },
              ],
            },
            onError: {
              target: "failed",
              actions: [
                {
                  type: "tell of lost requests",
                },
                {
                  type: "forget the requests",
                  params: {
                    part: "notifications",
                  },
                },
              ],
            },
          },
        },
        failed: {
          on: {},
          after: {
            reloadDelay: "loading",
          },
        },
        running: {
          on: {
            "conversation.opened": {
              actions: {
                type: "forward",
                params: {
                  part: "notifications",
                },
              },
            },
            "conversation.closed": {
              actions: {
                type: "forward",
                params: {
                  part: "notifications",
                },
              },
            },
            "messages.changed": {
              actions: {
                type: "forward",
                params: {
                  part: "notifications",
                },
              },
            },
            "messages.announced": {
              actions: {
                type: "forward",
                params: {
                  part: "notifications",
                },
              },
            },
            "states.changed": {
              actions: {
                type: "forward",
                params: {
                  part: "notifications",
                },
              },
            },
            "settings.saved": {
              actions: {
                type: "forward",
                params: {
                  part: "notifications",
                },
              },
            },
            "refetch.requested": {
              actions: {
                type: "forward",
                params: {
                  part: "notifications",
                },
              },
            },
            "tab.shown": {
              actions: {
                type: "forward",
                params: {
                  part: "notifications",
                },
              },
            },
            "tab.hidden": {
              actions: {
                type: "forward",
                params: {
                  part: "notifications",
                },
              },
            },
          },
        },
      },
    },
  },
})
