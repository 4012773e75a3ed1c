// Written by `npm run docs` from src/machines/pages/page-manager.ts.
import { assign, createMachine, enqueueActions, fromPromise, sendTo, setup } from 'xstate'

export const machine = setup({
  actors: {
    pageForm: createMachine({}),
    loadDeletion: fromPromise(async () => {}),
    deletePage: fromPromise(async () => {}),
    refreshPictures: fromPromise(async () => {}),
  },
  guards: {
    "was dismissed": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the page": assign({}),
    "keep what goes with it": assign({}),
    "keep the scope": assign({}),
    "ask the form to end": sendTo("pageForm", { type: "dialog.dismissed" }),
  },
  delays: {},
}).createMachine({
  id: "pageManager",
  initial: "open",
  states: {
    open: {
      entry: {
        type: "tellSession",
        params: {
          type: "pages.outdated",
        },
      },
      type: "parallel",
      states: {
        work: {
          initial: "list",
          states: {
            list: {
              on: {
                "page.added": {
                  target: "form",
                  actions: {
                    type: "keep the page",
                    params: {
                      page: null,
                    },
                  },
                },
                "page.edited": {
                  target: "form",
                  actions: {
                    type: "keep the page",
                  },
                },
                "deletion.requested": {
                  target: "asking",
                  actions: {
                    type: "keep the page",
                  },
                },
                "dialog.dismissed": "#pageManager.dismissed",
              },
            },
            form: {
              invoke: {
                id: "pageForm",
                src: "pageForm",
                onDone: [
                  {
                    guard: {
                      type: "was dismissed",
                    },
                    target: "#pageManager.dismissed",
                  },
                  {
                    target: "list",
                  },
                ],
              },
              on: {
                "dialog.dismissed": {
                  actions: "ask the form to end",
                },
              },
            },
            asking: {
              initial: "lookingUp",
              on: {
                "deletion.cancelled": "list",
              },
              states: {
                lookingUp: {
                  invoke: {
                    id: "loadDeletion",
                    src: "loadDeletion",
                    onDone: {
                      target: "known",
                      actions: {
                        type: "keep what goes with it",
                      },
                    },
                    onError: "unknown",
                  },
                },
                known: {
                  on: {
                    "deletion.confirmed": "#pageManager.open.work.deleting",
                  },
                },
                unknown: {
                  on: {
                    "deletion.confirmed": "#pageManager.open.work.deleting",
                  },
                },
              },
            },
            deleting: {
              invoke: {
                id: "deletePage",
                src: "deletePage",
                onDone: {
                  target: "list",
                  actions: [
                    {
                      type: "notify",
                    },
                    {
                      type: "tellSession",
                      params: {
                        type: "pages.changed",
                      },
                    },
                  ],
                },
                onError: {
                  target: "list",
                  actions: [
                    {
                      type: "notify failure",
                    },
                    {
                      type: "tellSession",
                      params: {
                        type: "pages.outdated",
                      },
                    },
                  ],
                },
              },
            },
          },
        },
        pictures: {
          initial: "resting",
          states: {
            resting: {
              on: {
                "pictures.requested": {
                  target: "refreshing",
                  actions: {
                    type: "keep the scope",
                  },
                },
              },
            },
            refreshing: {
              invoke: {
                id: "refreshPictures",
                src: "refreshPictures",
                onDone: {
                  target: "resting",
                  actions: [
                    {
                      type: "notify",
                    },
                    {
                      type: "tellSession",
                      params: {
                        type: "pages.outdated",
                      },
                    },
                  ],
                },
                onError: {
                  target: "resting",
                  actions: {
                    type: "notify failure",
                  },
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
