import type { SnapshotFrom } from 'xstate'
import { assign, sendTo, setup } from 'xstate'
import type { Conversation } from '../schemas/conversation.ts'
import { linkClientMachine } from './link-client.ts'

/** A picture to look at in full size. */
export type ShownImage = { url: string; name: string }

type Context = { conversation: Conversation | null; image: ShownImage | null }

export type DialogEvent =
  | { type: 'linkClient.requested'; conversation: Conversation }
  | { type: 'image.requested'; image: ShownImage }
  | { type: 'shortcuts.requested' }
  | { type: 'dialog.dismissed' }

/** What stands over the inbox: nothing, or one dialog. Two cannot be open. */
export const dialogMachine = setup({
  types: {
    context: {} as Context,
    events: {} as DialogEvent,
    children: {} as { linkClient: 'linkClient' },
  },
  actors: { linkClient: linkClientMachine },
  actions: {
    'keep the conversation': assign({
      conversation: (_, { conversation }: { conversation: Conversation }) => conversation,
    }),
    'keep the image': assign({ image: (_, { image }: { image: ShownImage }) => image }),
    'forget both': assign({ conversation: null, image: null }),
    'ask it to end': sendTo('linkClient', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'dialog',
  context: { conversation: null, image: null },
  initial: 'closed',
  states: {
    closed: {
      entry: 'forget both',
      on: {
        'linkClient.requested': {
          target: 'linkClient',
          actions: { type: 'keep the conversation', params: ({ event }) => event },
        },
        'shortcuts.requested': 'shortcuts',
        'image.requested': { target: 'image', actions: { type: 'keep the image', params: ({ event }) => event } },
      },
    },
    linkClient: {
      invoke: {
        id: 'linkClient',
        src: 'linkClient',
        input: ({ context }) => {
          if (context.conversation === null) throw new Error('linking starts with a conversation')
          return { conversation: context.conversation }
        },
        onDone: 'closed',
      },
      on: { 'dialog.dismissed': { actions: 'ask it to end' } },
    },
    image: { on: { 'dialog.dismissed': 'closed' } },
    shortcuts: { on: { 'dialog.dismissed': 'closed' } },
  },
})

type Snapshot = SnapshotFrom<typeof dialogMachine>

/** The dialog that links a chat user to a client; undefined while it is not open. */
export const selectLinkClient = (snapshot: Snapshot) => snapshot.children.linkClient

/** The picture that is looked at; null while none is. */
export const selectImage = (snapshot: Snapshot): ShownImage | null => snapshot.context.image

export const selectShowsShortcuts = (snapshot: Snapshot): boolean => snapshot.matches('shortcuts')

/** Something stands over the inbox. */
export const selectIsOpen = (snapshot: Snapshot): boolean => !snapshot.matches('closed')
