// Written by `npm run docs` from src/machines/thread/image-gallery.ts.
import { assign, setup } from 'xstate'

export const machine = setup({
  actors: {},
  guards: {
    "has that picture": () => true,
  },
  actions: {
    step: assign({}),
  },
  delays: {},
}).createMachine({
  id: "imageGallery",
  initial: "open",
  states: {
    open: {
      on: {
        "image.stepped": {
          guard: {
            type: "has that picture",
          },
          actions: {
            type: "step",
          },
        },
        "dialog.dismissed": "dismissed",
      },
    },
    dismissed: {
      type: "final",
    },
  },
})
