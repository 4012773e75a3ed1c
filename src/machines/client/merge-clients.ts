import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { ClientRequestById, MergeRequest } from '../../domain/client/client-calls.ts'
import { missingFields } from '../../domain/client/client-merge.ts'
import { linkToasts, removalToasts } from '../../domain/client/dialog-toasts.ts'
import type { MovedChat } from '../../schemas/chats.ts'
import type { Client } from '../../schemas/client.ts'
import type { ClientSummary, MergedField } from '../../schemas/client-removal.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'
import { changedMeanwhile, chatsChanged } from './client-changes.ts'
import { beforeSearch, type SearchEvent, searchDelays, searchGuards, typingSearch } from './client-search.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    mergeClients: typeof mergeClientsMachine
  }
}

/** Both clients as the preview shows them. */
export type MergePreview = { kept: ClientSummary; other: ClientSummary }

type Context = ClientRequestById & {
  term: string
  /** The clients found for the last searched term; null if there is no result. */
  found: { term: string; clients: readonly Client[] } | null
  /** The id of the client that is merged into this one. */
  otherId: string
  preview: MergePreview | null
  /** The fields that are taken from the other client. */
  take: readonly MergedField[]
}

export type MergeClientsEvent =
  | SearchEvent
  | { type: 'refetch.requested' }
  | { type: 'client.chosen'; id: string }
  | { type: 'field.chosen'; field: MergedField; isTaken: boolean }
  | { type: 'back.requested' }
  | { type: 'merge.confirmed' }
  | { type: 'dialog.dismissed' }

const toChoosing = { target: 'choosing', actions: 'forget the preview' } as const

/** The dialog that merges another client into this one: search, a preview with a choice for each differing field, merge. */
export const mergeClientsMachine = setup({
  types: { context: {} as Context, events: {} as MergeClientsEvent, input: {} as ClientRequestById },
  actors: {
    searchClients: fromPromise<readonly Client[], { term: string }>(mustBeProvided('searchClients')),
    loadPreview: fromPromise<MergePreview, { clientId: string; otherId: string }>(mustBeProvided('loadPreview')),
    mergeClients: fromPromise<readonly MovedChat[], MergeRequest>(mustBeProvided('mergeClients')),
  },
  delays: searchDelays,
  guards: {
    ...searchGuards,
    'is another client': ({ context }, { id }: { id: string }) => id !== context.clientId,
    ...changedMeanwhile,
  },
  actions: {
    notify,
    tellSession,
    'notify failure': notifyFailure,
    'keep the term': assign({ term: (_, { term }: { term: string }) => term }),
    'clear the search results': assign({ found: null }),
    'show the search results': assign(({ context }, { clients }: { clients: readonly Client[] }) => ({
      found: { term: context.term.trim(), clients: clients.filter(({ id }) => id !== context.clientId) },
    })),
    'keep the other client': assign({ otherId: (_, { id }: { id: string }) => id }),
    'keep the preview': assign((_, { preview }: { preview: MergePreview }) => ({
      preview,
      take: missingFields(preview.kept.client, preview.other.client),
    })),
    'forget the preview': assign({ preview: null, take: [] }),
    'keep the choice': assign({
      take: ({ context }, { field, isTaken }: { field: MergedField; isTaken: boolean }) => [
        ...context.take.filter((one) => one !== field),
        ...(isTaken ? [field] : []),
      ],
    }),
  },
}).createMachine({
  id: 'mergeClients',
  context: ({ input }) => ({ ...input, term: '', found: null, otherId: '', preview: null, take: [] }),
  initial: 'choosing',
  states: {
    choosing: {
      initial: 'idle',
      on: {
        ...typingSearch,
        'client.chosen': {
          guard: { type: 'is another client', params: ({ event }) => event },
          target: 'loading',
          actions: { type: 'keep the other client', params: ({ event }) => event },
        },
        'dialog.dismissed': 'closed',
      },
      states: {
        ...beforeSearch,
        searching: {
          invoke: {
            id: 'searchClients',
            src: 'searchClients',
            input: ({ context }) => ({ term: context.term.trim() }),
            onDone: {
              target: 'idle',
              actions: { type: 'show the search results', params: ({ event }) => ({ clients: event.output }) },
            },
            onError: {
              target: 'failed',
              actions: ['clear the search results', reportFailure(linkToasts.searchFailed)],
            },
          },
        },
        failed: { on: { 'refetch.requested': 'searching' } },
      },
    },
    loading: {
      on: { 'back.requested': toChoosing, 'dialog.dismissed': 'closed' },
      invoke: {
        id: 'loadPreview',
        src: 'loadPreview',
        input: ({ context: { clientId, otherId } }) => ({ clientId, otherId }),
        onDone: {
          target: 'comparing',
          actions: { type: 'keep the preview', params: ({ event }) => ({ preview: event.output }) },
        },
        onError: { ...toChoosing, actions: ['forget the preview', reportFailure(removalToasts.loadFailed)] },
      },
    },
    comparing: {
      on: {
        'field.chosen': { actions: { type: 'keep the choice', params: ({ event }) => event } },
        'back.requested': toChoosing,
        'merge.confirmed': 'merging',
        'dialog.dismissed': 'closed',
      },
    },
    // Not dismissable, so that the person sees the result.
    merging: {
      invoke: {
        id: 'mergeClients',
        src: 'mergeClients',
        input: ({ context: { clientId, otherId, preview, take } }) => ({
          clientId,
          body: {
            other: otherId,
            version: preview?.kept.client.version ?? 0,
            other_version: preview?.other.client.version ?? 0,
            take: [...take],
          },
        }),
        onDone: {
          target: 'closed',
          actions: [
            {
              type: 'tellSession',
              params: ({ context, event }) => chatsChanged(event.output, context.otherId),
            },
            {
              type: 'tellSession',
              params: ({ context }) => ({
                type: 'clientData.changed',
                clientIds: [context.clientId, context.otherId],
              }),
            },
            { type: 'notify', params: removalToasts.merged },
          ],
        },
        onError: [
          // The preview shows what is merged, so it is loaded again.
          {
            guard: { type: 'was changed by somebody else', params: ({ event }) => ({ error: event.error }) },
            target: 'loading',
            actions: reportFailure(removalToasts.mergeFailed),
          },
          { target: 'comparing', actions: reportFailure(removalToasts.mergeFailed) },
        ],
      },
    },
    closed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof mergeClientsMachine>

export const selectTerm = (snapshot: Snapshot): string => snapshot.context.term
export const selectFound = (snapshot: Snapshot) => snapshot.context.found
export const selectIsSearching = (snapshot: Snapshot): boolean =>
  snapshot.matches({ choosing: 'debouncing' }) || snapshot.matches({ choosing: 'searching' })
export const selectHasSearchFailed = (snapshot: Snapshot): boolean => snapshot.matches({ choosing: 'failed' })
/** Both clients of the preview; null while another client is chosen. */
export const selectPreview = (snapshot: Snapshot): MergePreview | null => snapshot.context.preview
export const selectTake = (snapshot: Snapshot): readonly MergedField[] => snapshot.context.take

export type MergeStep = 'choosing' | 'loading' | 'comparing' | 'merging' | 'closed'
export const selectStep = ({ value }: Snapshot): MergeStep => (typeof value === 'string' ? value : 'choosing')
