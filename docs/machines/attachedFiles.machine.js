// Written by `npm run docs` from src/machines/send/attached-files.ts.
import { assign, enqueueActions, fromPromise, setup } from 'xstate'

export const machine = setup({
  actors: {
    loadFiles: fromPromise(async () => {}),
    prepareFile: fromPromise(async () => {}),
    copyPicture: fromPromise(async () => {}),
    uploadFile: fromPromise(async () => {}),
    watchBrowser: fromPromise(async () => {}),
  },
  guards: {
    "has a file to upload": () => true,
    "has a picture to copy": () => true,
    "is gone": () => true,
    "is the current file": () => true,
    "fits no more": () => true,
    "is refused": () => true,
  },
  actions: {
    notify: enqueueActions(() => {}),
    store: () => {},
    discard: () => {},
    "restore the files": assign({}),
    "add the files": assign({}),
    "add the pictures": assign({}),
    remove: assign({}),
    "wait again": assign({}),
    move: assign({}),
    "begin the next file": assign({}),
    "use the prepared file": assign({}),
    "refuse the file": assign({}),
    "lose the picture": assign({}),
    "show the progress": assign({}),
    "keep the uploaded file": assign({}),
    "keep the failure": assign({}),
    "leave the file": assign({}),
  },
  delays: {},
}).createMachine({
  id: "attachedFiles",
  invoke: {
    id: "watchBrowser",
    src: "watchBrowser",
  },
  initial: "restoring",
  on: {
    "files.chosen": [
      {
        guard: {
          type: "fits no more",
        },
        actions: [
          {
            type: "notify",
          },
          {
            type: "add the files",
          },
          "store",
        ],
      },
      {
        actions: [
          {
            type: "add the files",
          },
          "store",
        ],
      },
    ],
    "pictures.inserted": [
      {
        guard: {
          type: "fits no more",
        },
        actions: [
          {
            type: "notify",
            params: {
              kind: "error",
              text: "You can attach up to 10 files at once. The others were left out.",
            },
          },
          {
            type: "add the pictures",
          },
          "store",
        ],
      },
      {
        actions: [
          {
            type: "add the pictures",
          },
          "store",
        ],
      },
    ],
    "file.retried": {
      actions: {
        type: "wait again",
      },
    },
    "file.moved": {
      actions: [
        {
          type: "move",
        },
        "store",
      ],
    },
    "files.taken": {
      actions: [
        {
          type: "remove",
        },
        "store",
      ],
    },
    "browser.online": {
      actions: {
        type: "wait again",
      },
    },
  },
  states: {
    restoring: {
      invoke: {
        id: "loadFiles",
        src: "loadFiles",
        onDone: {
          target: "working",
          actions: {
            type: "restore the files",
          },
        },
        onError: "working",
      },
    },
    working: {
      initial: "idle",
      on: {
        "file.removed": [
          {
            guard: {
              type: "is the current file",
            },
            target: ".idle",
            actions: [
              {
                type: "discard",
              },
              {
                type: "remove",
              },
              "store",
            ],
          },
          {
            actions: [
              {
                type: "discard",
              },
              {
                type: "remove",
              },
              "store",
            ],
          },
        ],
        "conversation.gone": [
          {
            guard: {
              type: "is the current file",
            },
            target: ".idle",
            actions: [
              {
                type: "discard",
              },
              {
                type: "remove",
              },
              "store",
            ],
          },
          {
            actions: [
              {
                type: "discard",
              },
              {
                type: "remove",
              },
              "store",
            ],
          },
        ],
        "files.goneElsewhere": [
          {
            guard: {
              type: "is the current file",
            },
            target: ".idle",
            actions: {
              type: "remove",
            },
          },
          {
            actions: {
              type: "remove",
            },
          },
        ],
      },
      states: {
        idle: {
          entry: "leave the file",
          always: [
            {
              guard: "has a picture to copy",
              target: "copying",
              actions: "begin the next file",
            },
            {
              guard: "has a file to upload",
              target: "preparing",
              actions: "begin the next file",
            },
          ],
        },
        copying: {
          invoke: {
            id: "copyPicture",
            src: "copyPicture",
            onDone: {
              target: "idle",
              actions: [
                {
                  type: "keep the uploaded file",
                },
                "store",
              ],
            },
            onError: [
              {
                guard: {
                  type: "is gone",
                },
                target: "idle",
                actions: [
                  "lose the picture",
                  "store",
                ],
              },
              {
                target: "idle",
                actions: {
                  type: "keep the failure",
                },
              },
            ],
          },
        },
        preparing: {
          invoke: {
            id: "prepareFile",
            src: "prepareFile",
            onDone: [
              {
                guard: {
                  type: "is refused",
                },
                target: "idle",
                actions: [
                  {
                    type: "refuse the file",
                  },
                  "store",
                ],
              },
              {
                target: "uploading",
                actions: [
                  {
                    type: "use the prepared file",
                  },
                  "store",
                ],
              },
            ],
            onError: {
              target: "idle",
              actions: {
                type: "keep the failure",
              },
            },
          },
        },
        uploading: {
          invoke: {
            id: "uploadFile",
            src: "uploadFile",
          },
          on: {
            "upload.progressed": {
              actions: {
                type: "show the progress",
              },
            },
            "upload.done": {
              target: "idle",
              actions: [
                {
                  type: "keep the uploaded file",
                },
                "store",
              ],
            },
            "upload.failed": {
              target: "idle",
              actions: {
                type: "keep the failure",
              },
            },
          },
        },
      },
    },
  },
})
