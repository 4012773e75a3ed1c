import type { ActorRefFrom, AnyActorLogic, InputFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, sendTo, setup, stopChild } from 'xstate'
import { prefilledFrom } from '../../domain/client/client-linking.ts'
import { rowById } from '../../domain/list/records.ts'
import { generalToasts } from '../../domain/shell/toasts.ts'
import { linkClientMachine } from '../client/link-client.ts'
import type { faqMachine } from '../faq/faq.ts'
import { recordsIn, tellRecords } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import type { pageManagerMachine } from '../pages/page-manager.ts'
import type { autoSyncControlMachine } from '../sync/auto-sync-control.ts'
import type { historySyncMachine } from '../sync/history-sync.ts'
import { notify } from '../system.ts'

/** A picture to look at in full size. */
export type ShownImage = { url: string; name: string }

/** The pictures of the open conversation, and which of them is looked at. */
type Gallery = { images: readonly ShownImage[]; index: number }

/** The dialogs whose machines are loaded when they are first opened. */
type OnDemand = {
  pageManager: typeof pageManagerMachine
  historySync: typeof historySyncMachine
  autoSyncControl: typeof autoSyncControlMachine
  faq: typeof faqMachine
}
export type DialogName = keyof OnDemand
export type LoadedDialog = { [Name in DialogName]: { name: Name; logic: OnDemand[Name] } }[DialogName]
export type OpenDialog = { [Name in DialogName]: { name: Name; actor: ActorRefFrom<OnDemand[Name]> } }[DialogName]

/** What is asked for; `pageId` is the page that is filtered by. */
export type DialogRequest =
  | { name: 'pageManager' }
  | { name: 'historySync'; pageId: string | null }
  | { name: 'autoSyncControl' }
  | { name: 'faq' }

/**
 * Starts a child of any logic. xstate types `spawn` by the logics that a machine names beforehand; these are not there
 * before they are loaded.
 */
type SpawnAny = <Logic extends AnyActorLogic>(
  logic: Logic,
  options: { id: string; input?: InputFrom<Logic> },
) => ActorRefFrom<Logic>

function started(spawn: SpawnAny, loaded: LoadedDialog, request: DialogRequest | null): OpenDialog {
  const id = 'onDemand'
  switch (loaded.name) {
    case 'pageManager':
      return { name: loaded.name, actor: spawn(loaded.logic, { id }) }
    case 'historySync': {
      const pageId = request?.name === 'historySync' ? request.pageId : null
      return { name: loaded.name, actor: spawn(loaded.logic, { id, input: { pageId } }) }
    }
    case 'autoSyncControl':
      return { name: loaded.name, actor: spawn(loaded.logic, { id }) }
    case 'faq':
      return { name: loaded.name, actor: spawn(loaded.logic, { id }) }
  }
}

type Context = {
  /** What linking starts with. */
  link: InputFrom<typeof linkClientMachine> | null
  gallery: Gallery | null
  request: DialogRequest | null
  opened: OpenDialog | null
}

export type DialogEvent =
  | { type: 'linkClient.requested'; conversationId: string }
  | ({ type: 'image.requested' } & Gallery)
  /** The one so many after it; before it where that is negative. */
  | { type: 'image.stepped'; by: number }
  | { type: 'shortcuts.requested' }
  | { type: 'dialog.requested'; dialog: DialogRequest }
  | { type: 'dialog.dismissed' }
  /** The open conversation is another now: what is about it closes. */
  | { type: 'conversation.left' }

/** What stands over the inbox: nothing, or one dialog. Two cannot be open. */
export const dialogMachine = setup({
  types: {
    context: {} as Context,
    events: {} as DialogEvent | { type: 'xstate.done.actor.onDemand' },
    children: {} as { linkClient: 'linkClient' },
  },
  actors: {
    linkClient: linkClientMachine,
    loadDialog: fromPromise<LoadedDialog, { name: DialogName }>(mustBeProvided('loadDialog')),
  },
  guards: {
    'there is one': ({ context: { gallery } }, { by }: { by: number }) =>
      gallery?.images[gallery.index + by] !== undefined,
  },
  actions: {
    notify,
    tellRecords,
    'keep the conversation': assign({
      link: ({ system }, { conversationId }: { conversationId: string }) => {
        const row = rowById(recordsIn(system), conversationId)
        return { conversationId, prefilled: prefilledFrom(row) }
      },
    }),
    'keep the images': assign({ gallery: (_, { images, index }: Gallery) => ({ images, index }) }),
    step: assign({
      gallery: ({ context: { gallery } }, { by }: { by: number }) =>
        gallery && { ...gallery, index: gallery.index + by },
    }),
    'keep the request': assign({ request: (_, { dialog }: { dialog: DialogRequest }) => dialog }),
    'start it': assign({
      opened: ({ context, spawn }, loaded: LoadedDialog) =>
        started(spawn as unknown as SpawnAny, loaded, context.request),
    }),
    'forget all': assign({ link: null, gallery: null, request: null, opened: null }),
    'stop it': stopChild('onDemand'),
    'ask it to end': sendTo('linkClient', { type: 'dialog.dismissed' }),
    'ask what was loaded to end': sendTo('onDemand', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'dialog',
  context: { link: null, gallery: null, request: null, opened: null },
  initial: 'closed',
  states: {
    closed: {
      entry: 'forget all',
      on: {
        'linkClient.requested': {
          target: 'linkClient',
          actions: { type: 'keep the conversation', params: ({ event }) => event },
        },
        'shortcuts.requested': 'shortcuts',
        'image.requested': { target: 'image', actions: { type: 'keep the images', params: ({ event }) => event } },
        'dialog.requested': { target: 'loading', actions: { type: 'keep the request', params: ({ event }) => event } },
      },
    },
    linkClient: {
      // What was typed may outlast the open conversation and the list.
      entry: {
        type: 'tellRecords',
        params: ({ context }) => ({
          type: 'conversation.held',
          from: 'dialog',
          id: context.link?.conversationId ?? null,
        }),
      },
      exit: { type: 'tellRecords', params: { type: 'conversation.held', from: 'dialog', id: null } },
      invoke: {
        id: 'linkClient',
        src: 'linkClient',
        input: ({ context }) => {
          if (context.link === null) throw new Error('linking starts with a conversation')
          return context.link
        },
        onDone: 'closed',
      },
      on: { 'dialog.dismissed': { actions: 'ask it to end' }, 'conversation.left': { actions: 'ask it to end' } },
    },
    image: {
      on: {
        'image.stepped': {
          guard: { type: 'there is one', params: ({ event }) => event },
          actions: { type: 'step', params: ({ event }) => event },
        },
        'dialog.dismissed': 'closed',
        'conversation.left': 'closed',
      },
    },
    shortcuts: { on: { 'dialog.dismissed': 'closed' } },
    loading: {
      invoke: {
        id: 'loadDialog',
        src: 'loadDialog',
        input: ({ context }) => {
          if (context.request === null) throw new Error('a dialog is loaded because it was asked for')
          return { name: context.request.name }
        },
        onDone: { target: 'onDemand', actions: { type: 'start it', params: ({ event }) => event.output } },
        onError: {
          target: 'closed',
          actions: { type: 'notify', params: generalToasts.network },
        },
      },
      on: { 'dialog.dismissed': 'closed' },
    },
    onDemand: {
      exit: 'stop it',
      on: {
        'xstate.done.actor.onDemand': 'closed',
        'dialog.dismissed': { actions: 'ask what was loaded to end' },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof dialogMachine>

/** The dialog that links a chat user to a client; undefined while it is not open. */
export const selectLinkClient = (snapshot: Snapshot) => snapshot.children.linkClient

/** The picture that is looked at; null while none is. */
export const selectImage = ({ context: { gallery } }: Snapshot): ShownImage | null =>
  gallery?.images[gallery.index] ?? null

/** Where that picture stands among those of the conversation, counted from 1. */
export const selectImageNumber = ({ context: { gallery } }: Snapshot): number => (gallery?.index ?? 0) + 1

export const selectImageCount = ({ context: { gallery } }: Snapshot): number => gallery?.images.length ?? 0

/** The dialog that was loaded on demand; null while none is open. */
export const selectOpened = (snapshot: Snapshot): OpenDialog | null => snapshot.context.opened

export const selectShowsShortcuts = (snapshot: Snapshot): boolean => snapshot.matches('shortcuts')

/** Something stands over the inbox. */
export const selectIsOpen = (snapshot: Snapshot): boolean => !snapshot.matches('closed')
