import type { SnapshotFrom } from 'xstate'
import { assign, setup } from 'xstate'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    image: typeof imageGalleryMachine
  }
}

/** A picture shown in full size. */
export type ShownImage = { url: string; name: string }

/** The pictures of a conversation, and the index of the shown picture, from 0. */
type Gallery = { conversationId: string; images: readonly ShownImage[]; index: number }

export type ImageGalleryEvent =
  /** Moves forward by this number of pictures; a negative number moves back. */
  { type: 'image.stepped'; by: number } | { type: 'dialog.dismissed' }

/** The image preview (spec section 2): one picture of a conversation at a time. */
export const imageGalleryMachine = setup({
  types: { context: {} as Gallery, events: {} as ImageGalleryEvent, input: {} as Gallery },
  guards: {
    'has that picture': ({ context: { images, index } }, { by }: { by: number }) => images[index + by] !== undefined,
  },
  actions: {
    step: assign({ index: ({ context: { index } }, { by }: { by: number }) => index + by }),
  },
}).createMachine({
  id: 'imageGallery',
  context: ({ input }) => input,
  initial: 'open',
  states: {
    open: {
      on: {
        'image.stepped': {
          guard: { type: 'has that picture', params: ({ event }) => event },
          actions: { type: 'step', params: ({ event }) => event },
        },
        'dialog.dismissed': 'dismissed',
      },
    },
    dismissed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof imageGalleryMachine>

export const selectImage = ({ context: { images, index } }: Snapshot): ShownImage | null => images[index] ?? null

/** The position of the shown picture among the conversation's pictures, from 1. */
export const selectImageNumber = ({ context }: Snapshot): number => context.index + 1

export const selectImageCount = ({ context }: Snapshot): number => context.images.length
