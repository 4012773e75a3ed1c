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
    "may have saved": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    "notify failure": enqueueActions(() => {}),
    tellSession: enqueueActions(() => {}),
    "keep the item": assign({}),
    "keep the deletion scope": assign({}),
    "keep the scope": assign({}),
    "request close of the form": sendTo("pageForm", { type: "dialog.dismissed" }),
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
          type: "pages.invalidated",
        },
      },
      type: "parallel",
      states: {
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
                  actions: "request close of the form",
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
                        type: "keep the deletion scope",
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
                        type: "pages.invalidated",
                      },
                    },
                  ],
                },
              },
            },
          },
        },
        pictures: {
          initial: "idle",
          states: {
            idle: {
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
                  target: "idle",
                  actions: [
                    {
                      type: "notify",
                    },
                    {
                      type: "tellSession",
                      params: {
                        type: "pages.invalidated",
                      },
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
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
