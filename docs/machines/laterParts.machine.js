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
    "start the part": enqueueActions(({ enqueue }) => { enqueue.raise({ type: "reply.typed" }) }),
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
        "comments.requested": {
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
          invoke: {
            id: "load.colleagues",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: {
                type: "start the part",
              },
            },
            onError: "failed",
          },
        },
        failed: {
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
          invoke: {
            id: "load.replyHelp",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: {
                type: "start the part",
              },
            },
            onError: "failed",
          },
        },
        failed: {
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
          invoke: {
            id: "load.summaryCheck",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: {
                type: "start the part",
              },
            },
            onError: "failed",
          },
        },
        failed: {
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
          invoke: {
            id: "load.around",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: {
                type: "start the part",
              },
            },
            onError: "failed",
          },
        },
        failed: {
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
          invoke: {
            id: "load.clientSuggestions",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: {
                type: "start the part",
              },
            },
            onError: "failed",
          },
        },
        failed: {
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
          invoke: {
            id: "load.attachedFiles",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: {
                type: "start the part",
              },
            },
            onError: "failed",
          },
        },
        failed: {
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
          invoke: {
            id: "load.answers",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: {
                type: "start the part",
              },
            },
            onError: "failed",
          },
        },
        failed: {
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
          invoke: {
            id: "load.notifications",
            src: "loadPart",
            onDone: {
              target: "running",
              actions: {
                type: "start the part",
              },
            },
            onError: "failed",
          },
        },
        failed: {
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
