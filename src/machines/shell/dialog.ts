import type { ActorRefFrom, AnyActorLogic, InputFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, sendTo, setup, stopChild } from 'xstate'
import type { ClientDataChanged } from '../../domain/client/client-data.ts'
import type { CommentsChanged } from '../../domain/comments/comment-calls.ts'
import { withCommand } from '../../domain/shell/recent-commands.ts'
import { afterKey } from '../../domain/shell/typed-ahead.ts'
import { generalToasts } from '../../domain/toasts.ts'
import { tellRecords } from '../list/records.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { createSendAction, notify } from '../system.ts'

/**
 * The machine of each dialog, by the dialog's name. The file of each machine adds its name here (`declare module`), so
 * names and inputs are type-checked everywhere without a second list.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each dialog's machine extends this interface
export interface DialogLogics {}

export type DialogName = keyof DialogLogics

type InputOf<Name extends DialogName> = InputFrom<DialogLogics[Name]>

/**
 * The requested dialog. A dialog with a `conversationId` in its input is closed when another conversation opens.
 */
export type DialogRequest = {
  [Name in DialogName]: undefined extends InputOf<Name> ? { name: Name } : { name: Name; input: InputOf<Name> }
}[DialogName]

type DialogActor<Name extends DialogName> = ActorRefFrom<DialogLogics[Name]>

export type DialogProps<Name extends DialogName> = { actor: DialogActor<Name>; title: string; onDismiss: () => void }

/** The component that shows a dialog. Loaded together with the dialog's machine, which passes it to the views. */
export type DialogView<Name extends DialogName> = (props: DialogProps<Name>) => unknown

type Shown<Name extends DialogName> = { name: Name; title: string; View: DialogView<Name> }

export type LoadedDialog = { [Name in DialogName]: Shown<Name> & { logic: DialogLogics[Name] } }[DialogName]
export type OpenDialog = { [Name in DialogName]: Shown<Name> & { actor: DialogActor<Name> } }[DialogName]

/** The conversation that the dialog is about; null if there is none. */
const conversationOf = (request: DialogRequest | null): string | null =>
  request !== null && 'input' in request && 'conversationId' in request.input
    ? (request.input.conversationId ?? null)
    : null

/** Starts a child with any logic. XState types `spawn` by the logics in `setup`, but dialog logics are loaded later. */
type SpawnAny = (logic: AnyActorLogic, options: { id: string; input: unknown }) => unknown

type Context = {
  request: DialogRequest | null
  /** The dialog that opens after the requested one; null if none does. */
  next: DialogRequest | null
  opened: OpenDialog | null
  /** What was typed while the code of the palette loads. */
  typed: string
  /** The ids of the last commands that were chosen in the palette, which starts anew each time. */
  recent: readonly string[]
}

type DialogRequested = {
  type: 'dialog.requested'
  dialog: DialogRequest
  /** Opens when the dialog is closed, for example the dialog that led to it. */
  next?: DialogRequest
  /** What the palette begins to look for. */
  typed?: string
}

export type DialogEvent =
  /** The dialog is likely to be requested next, so its code is preloaded. */
  | { type: 'dialog.expected'; name: DialogName }
  | DialogRequested
  | { type: 'dialog.dismissed' }
  /** A character or Backspace, pressed before the field of the palette has the focus. */
  | { type: 'key.typed'; key: string }
  /** The open conversation was closed, or another one was opened. */
  | { type: 'conversation.left' }
  /** The person chose a command in the palette. */
  | { type: 'command.chosen'; id: string }
  /** For the dialog of an order. */
  | ClientDataChanged
  /** For the dialog of comments. */
  | CommentsChanged

/** Only the palette is open after something was typed. */
const passOnTyped = createSendAction<Pick<Context, 'opened' | 'typed'>>(({ opened, typed }) =>
  opened === null || typed === '' ? [] : [{ to: opened.actor, event: { type: 'term.typed', term: typed } }],
)

/** The dialog over the inbox; at most one is open. A dialog's machine and view are loaded when it is requested. */
export const dialogMachine = setup({
  types: {
    context: {} as Context,
    events: {} as DialogEvent | { type: 'xstate.done.actor.opened' },
  },
  actors: {
    loadDialog: fromPromise<LoadedDialog, { name: DialogName }>(mustBeProvided('loadDialog')),
  },
  guards: {
    'is about a conversation': ({ context }) => conversationOf(context.request) !== null,
    'has a next dialog': ({ context }) => context.next !== null,
    'is the palette': ({ context }) => context.request?.name === 'palette',
  },
  actions: {
    notify,
    tellRecords,
    'load ahead': mustBeGiven('load ahead') as (_: unknown, params: { name: DialogName }) => void,
    'keep the request': assign((_, { dialog, next, typed }: DialogRequested) => ({
      request: dialog,
      next: next ?? null,
      typed: typed ?? '',
    })),
    'request the next dialog': assign({ request: ({ context }) => context.next, next: null, opened: null, typed: '' }),
    'forget the next dialog': assign({ next: null }),
    'start the dialog': assign({
      opened: ({ context: { request }, spawn }, { logic, ...shown }: LoadedDialog) => {
        const input = request !== null && 'input' in request ? request.input : undefined
        const actor = (spawn as unknown as SpawnAny)(logic, { id: 'opened', input })
        return { ...shown, actor } as OpenDialog
      },
    }),
    'remember the command': assign({
      recent: ({ context }, { id }: { id: string }) => withCommand(context.recent, id),
    }),
    'keep the key': assign({ typed: ({ context }, { key }: { key: string }) => afterKey(context.typed, key) }),
    'pass on what was typed': passOnTyped,
    'forget the dialog': assign({ request: null, next: null, opened: null, typed: '' }),
    'stop the dialog': stopChild('opened'),
    'forward the dismissal': sendTo('opened', { type: 'dialog.dismissed' }),
    'forward the event': sendTo('opened', ({ event }) => event),
  },
}).createMachine({
  id: 'dialog',
  context: { request: null, next: null, opened: null, typed: '', recent: [] },
  initial: 'closed',
  states: {
    closed: {
      entry: 'forget the dialog',
      on: {
        'dialog.expected': { actions: { type: 'load ahead', params: ({ event }) => event } },
        'dialog.requested': { target: 'loading', actions: { type: 'keep the request', params: ({ event }) => event } },
      },
    },
    loading: {
      invoke: {
        id: 'loadDialog',
        src: 'loadDialog',
        input: ({ context }) => {
          if (context.request === null) throw new Error('a dialog is loaded because it was asked for')
          return { name: context.request.name }
        },
        onDone: {
          target: 'open',
          actions: [
            { type: 'start the dialog', params: ({ event }) => event.output },
            { type: 'pass on what was typed', params: ({ context }) => context },
          ],
        },
        onError: {
          target: 'closed',
          actions: { type: 'notify', params: generalToasts.network },
        },
      },
      on: {
        'dialog.dismissed': 'closed',
        'key.typed': { guard: 'is the palette', actions: { type: 'keep the key', params: ({ event }) => event } },
        'conversation.left': { guard: 'is about a conversation', target: 'closed' },
      },
    },
    open: {
      // The dialog may stay open longer than the conversation and the list hold the row.
      entry: {
        type: 'tellRecords',
        params: ({ context }) => {
          const id = conversationOf(context.request)
          return { type: 'conversations.held', from: 'dialog', ids: id === null ? [] : [id] }
        },
      },
      exit: [
        'stop the dialog',
        { type: 'tellRecords', params: { type: 'conversations.held', from: 'dialog', ids: [] } },
      ],
      on: {
        'xstate.done.actor.opened': [
          { guard: 'has a next dialog', target: 'loading', actions: 'request the next dialog' },
          { target: 'closed' },
        ],
        'clientData.changed': { actions: 'forward the event' },
        'comments.changed': { actions: 'forward the event' },
        'command.chosen': { actions: { type: 'remember the command', params: ({ event }) => event } },
        'dialog.dismissed': { actions: 'forward the dismissal' },
        'key.typed': { guard: 'is the palette', actions: 'forward the event' },
        'conversation.left': {
          guard: 'is about a conversation',
          actions: ['forget the next dialog', 'forward the dismissal'],
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof dialogMachine>

/** The open dialog; null if none is open or its code is still loading. */
export const selectOpened = (snapshot: Snapshot): OpenDialog | null => snapshot.context.opened

/** The ids of the last chosen commands, the last one first. */
export const selectRecent = (snapshot: Snapshot): readonly string[] => snapshot.context.recent

/** A dialog is open or loading. */
export const selectIsOpen = (snapshot: Snapshot): boolean => !snapshot.matches('closed')

/** The palette is open or loading. */
export const selectIsPalette = (snapshot: Snapshot): boolean => snapshot.context.request?.name === 'palette'
