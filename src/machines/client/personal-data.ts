import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { personToasts } from '../../domain/client/dialog-toasts.ts'
import { eraseWord } from '../../domain/client/erase-word.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { Erasable, Erasure } from '../../schemas/person.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { readingActions, readingDelays, readingGuards } from '../reading.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

type Input = {
  conversationId: string
  /** The person's name, for the question. */
  name: string
  mayExport: boolean
  mayErase: boolean
}

type Context = Input &
  Retries & {
    /** What an erasure deletes; null before it is loaded and after a failure. */
    erasable: Erasable | null
    /** The client record is erased too. */
    withClient: boolean
    /** The word that was typed to confirm the erasure. */
    word: string
    /** The running erasure; '' before the first. */
    erasureId: string
  }

export type PersonalDataEvent =
  | { type: 'export.requested' }
  | { type: 'refetch.requested' }
  | { type: 'client.toggled'; withClient: boolean }
  | { type: 'word.typed'; word: string }
  | { type: 'erase.requested' }
  | { type: 'dialog.dismissed' }

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    personalData: typeof personalDataMachine
  }
}

/**
 * The dialog about a person's data: saves all data of the person as a file, and erases the person after a typed
 * confirmation. The erasure runs on the server; closing the dialog does not stop it.
 */
export const personalDataMachine = setup({
  types: { context: {} as Context, events: {} as PersonalDataEvent, input: {} as Input },
  actors: {
    exportPerson: fromPromise<void, { conversationId: string }>(mustBeProvided('exportPerson')),
    loadErasable: fromPromise<Erasable, { conversationId: string }>(mustBeProvided('loadErasable')),
    erasePerson: fromPromise<Erasure, { conversationId: string; withClient: boolean }>(mustBeProvided('erasePerson')),
    loadErasure: fromPromise<Erasure, { id: string }>(mustBeProvided('loadErasure')),
  },
  delays: { progressInterval: 1_000, ...readingDelays },
  guards: {
    'may export': ({ context }) => context.mayExport,
    'may erase': ({ context }) => context.mayErase,
    'is not loaded': ({ context }) => context.mayErase && context.erasable === null,
    'client may be erased': ({ context }) => context.erasable?.client?.is_shared === false,
    'is confirmed': ({ context }) => context.erasable !== null && context.word.trim().toLowerCase() === eraseWord(),
    'is completed': (_, { state }: Erasure) => state === 'completed',
    ...readingGuards,
  },
  actions: {
    notify,
    ...readingActions,
    tellSession,
    'keep what is erased': assign({ erasable: (_, erasable: Erasable) => erasable }),
    'keep the choice': assign({ withClient: (_, { withClient }: { withClient: boolean }) => withClient }),
    'keep the word': assign({ word: (_, { word }: { word: string }) => word }),
    'keep the erasure': assign((_, { id }: Erasure) => ({ erasureId: id, ...noRetries })),
  },
}).createMachine({
  id: 'personalData',
  context: ({ input }) => ({ ...input, erasable: null, withClient: false, word: '', erasureId: '', ...noRetries }),
  initial: 'opening',
  states: {
    opening: { always: [{ guard: 'may erase', target: 'loading' }, { target: 'asking' }] },
    loading: {
      invoke: {
        id: 'loadErasable',
        src: 'loadErasable',
        input: ({ context: { conversationId } }) => ({ conversationId }),
        onDone: { target: 'asking', actions: { type: 'keep what is erased', params: ({ event }) => event.output } },
        onError: { target: 'asking', actions: reportFailure(personToasts.erasableFailed) },
      },
      on: { 'dialog.dismissed': 'closed' },
    },
    asking: {
      on: {
        'refetch.requested': { guard: 'is not loaded', target: 'opening' },
        'client.toggled': {
          guard: 'client may be erased',
          actions: { type: 'keep the choice', params: ({ event }) => event },
        },
        'export.requested': { guard: 'may export', target: 'exporting' },
        'word.typed': { actions: { type: 'keep the word', params: ({ event }) => event } },
        'erase.requested': { guard: 'is confirmed', target: 'starting' },
        'dialog.dismissed': 'closed',
      },
    },
    exporting: {
      invoke: {
        id: 'exportPerson',
        src: 'exportPerson',
        input: ({ context: { conversationId } }) => ({ conversationId }),
        onDone: { target: 'asking', actions: { type: 'notify', params: personToasts.exported } },
        onError: { target: 'asking', actions: reportFailure(personToasts.exportFailed) },
      },
      on: {
        'word.typed': { actions: { type: 'keep the word', params: ({ event }) => event } },
        'dialog.dismissed': 'closed',
      },
    },
    starting: {
      invoke: {
        id: 'erasePerson',
        src: 'erasePerson',
        input: ({ context: { conversationId, withClient } }) => ({ conversationId, withClient }),
        onDone: { target: 'erasing', actions: { type: 'keep the erasure', params: ({ event }) => event.output } },
        onError: { target: 'failed', actions: reportFailure(personToasts.eraseFailed) },
      },
    },
    erasing: {
      on: { 'dialog.dismissed': 'closed' },
      initial: 'waiting',
      states: {
        waiting: { after: { progressInterval: 'looking' } },
        looking: {
          invoke: {
            id: 'loadErasure',
            src: 'loadErasure',
            input: ({ context }) => ({ id: context.erasureId }),
            onDone: [
              {
                guard: { type: 'is completed', params: ({ event }) => event.output },
                target: '#personalData.done',
              },
              { target: 'waiting', actions: { type: 'keep the erasure', params: ({ event }) => event.output } },
            ],
            onError: [
              { guard: ifTemporary, target: 'backingOff', actions: reportOnce(personToasts.eraseFailed) },
              { target: '#personalData.failed', actions: reportFailure(personToasts.eraseFailed) },
            ],
          },
        },
        backingOff: { after: { retryDelay: 'looking' } },
      },
    },
    failed: { on: { 'erase.requested': 'starting', 'dialog.dismissed': 'closed' } },
    done: {
      entry: {
        type: 'tellSession',
        params: ({ context: { conversationId } }) => ({ type: 'person.erased', conversationId }),
      },
      on: { 'dialog.dismissed': 'closed' },
    },
    closed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof personalDataMachine>

export const selectName = (snapshot: Snapshot): string => snapshot.context.name
export const selectErasable = (snapshot: Snapshot): Erasable | null => snapshot.context.erasable
export const selectWithClient = (snapshot: Snapshot): boolean => snapshot.context.withClient
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches('loading')
export const selectWord = (snapshot: Snapshot): string => snapshot.context.word
export const selectMayExport = (snapshot: Snapshot): boolean => snapshot.context.mayExport
export const selectMayErase = (snapshot: Snapshot): boolean => snapshot.context.mayErase
export const selectIsConfirmed = (snapshot: Snapshot): boolean => snapshot.can({ type: 'erase.requested' })
export const selectIsExporting = (snapshot: Snapshot): boolean => snapshot.matches('exporting')

/** Which part of the dialog is shown. */
export const selectStep = (snapshot: Snapshot): 'asking' | 'erasing' | 'failed' | 'done' =>
  snapshot.matches('failed')
    ? 'failed'
    : snapshot.matches('done')
      ? 'done'
      : snapshot.matches('starting') || snapshot.matches('erasing')
        ? 'erasing'
        : 'asking'
