import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, sendTo, setup } from 'xstate'
import { isAsPrefilled, isLinked, type NewClient } from '../../domain/client/client-linking.ts'
import { linkToasts, newClientTexts } from '../../domain/client/dialog-toasts.ts'
import {
  type NewClientProblems,
  newClientBlockedReason,
  newClientOf,
  newClientProblems,
} from '../../domain/client/new-client.ts'
import { mayBeTemporary } from '../../domain/retries.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { Client } from '../../schemas/client.ts'
import type { ClientSuggestion, SuggestionReason } from '../../schemas/client-suggestion.ts'
import { t } from '../../texts/client-on-demand.ts'
import { askingToDiscard, type FormEnd } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText, notifyFailure } from '../notify-failure.ts'
import { afterFailedCreation, reportFailure, showFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'
import { beforeSearch, type SearchEvent, searchDelays, searchGuards, typingSearch } from './client-search.ts'
import { type ClientsShown, clientsIn, holdClients, tellClients } from './clients.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    linkClient: typeof linkClientMachine
  }
}

type Input = {
  /** The row id of the conversation to link. */
  conversationId: string
  /** The initial values of the form for a new client. */
  prefilled: NewClient
  /** Clients that are offered before a search, and the one that is selected. */
  suggested?: { suggestions: readonly ClientSuggestion[]; selected: string }
}

type Context = Input & {
  term: string
  /** The ids of the clients found for the last searched term; null if there is no result. */
  found: { term: string; clientIds: readonly string[] } | null
  /** The number of the last link in `clients` when the search was requested. */
  searchedAsOf: number
  /** The id of the selected client. */
  selected: string | null
  /** The id of the client that is being linked. A search that ends meanwhile may change the selection. */
  linking: string | null
  /** The values of the form for a new client. */
  fields: NewClient
  /** The id of the client that this dialog created and has not linked yet. A retry must not create a second client. */
  created: string | null
  /** The error of the last failed attempt. */
  error: string | null
}

export type LinkClientEvent =
  | SearchEvent
  | { type: 'refetch.requested' }
  /** `client`: as it was shown, because the guard has no access to `clients`. */
  | { type: 'client.chosen'; client: Client }
  | { type: 'link.requested' }
  | { type: 'form.opened' }
  | { type: 'fields.typed'; fields: NewClient }
  | { type: 'form.submitted' }
  | FormEnd

/**
 * The Link Client dialog (spec sections 2, 4 and 5): finds or creates a client, and links the chat user to the client.
 * Typed text survives every failure and is discarded only after the person confirms.
 */
export const linkClientMachine = setup({
  types: {
    context: {} as Context,
    events: {} as LinkClientEvent,
    input: {} as Input,
  },
  actors: {
    searchClients: fromPromise<readonly Client[], { term: string }>(mustBeProvided('searchClients')),
    createClient: fromPromise<Client, { fields: NewClient }>(mustBeProvided('createClient')),
    linkClient: fromPromise<void, { fbUserId: string; clientId: string }>(mustBeProvided('linkClient')),
    holdClients,
  },
  delays: searchDelays,
  guards: {
    ...searchGuards,
    'is already linked': (_, { client }: { client: Client }) => isLinked(client),
    'has a selection': ({ context }) => context.selected !== null,
    'linked the created client': ({ context }) => context.created !== null && context.created === context.linking,
    'has not created a client': ({ context }) => context.created === null,
    'can be created': ({ context }) => newClientBlockedReason(context.fields) === null,
    'has no typed text': ({ context }) => context.created !== null || isAsPrefilled(context.fields, context.prefilled),
    'may have been created': (_, { error }: { error: unknown }) => mayBeTemporary(error),
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    tellSession,
    tellClients,
    'keep the term': assign({ term: (_, { term }: { term: string }) => term }),
    'clear the search results': assign(({ context }) => ({ found: null, selected: context.created })),
    'show the search results': assign(({ context }, { clients }: { clients: readonly Client[] }) => ({
      found: { term: context.term.trim(), clientIds: clients.map(({ id }) => id) },
      selected: [...clients.map(({ id }) => id), context.created].find((id) => id === context.selected) ?? null,
    })),
    'hold the shown clients': sendTo(
      'holdClients',
      ({ context: { found, created } }): ClientsShown => ({
        type: 'clients.shown',
        ids: [...(found?.clientIds ?? []), ...(created === null ? [] : [created])],
      }),
    ),
    'start the search': assign({ searchedAsOf: ({ system }) => clientsIn(system).sequence }),
    select: assign((_, { client }: { client: Client }) => ({ selected: client.id, error: null })),
    'keep the client to link': assign({ linking: ({ context }) => context.selected }),
    'keep the fields': assign({ fields: (_, { fields }: { fields: NewClient }) => fields }),
    'keep the created client': assign((_, { client }: { client: Client }) => ({
      created: client.id,
      selected: client.id,
      linking: client.id,
    })),
    'show the failure': assign({
      error: (_, params: { error: unknown; own: ToastText }) => failureText(params),
    }),
    'show that the result is unknown': assign({ error: () => newClientTexts.perhapsCreated }),
    'clear the failure': assign({ error: null }),
  },
}).createMachine({
  id: 'linkClient',
  context: ({ input }) => ({
    ...input,
    term: '',
    found: input.suggested === undefined ? null : { term: '', clientIds: suggestedIds(input.suggested) },
    searchedAsOf: 0,
    selected: input.suggested?.selected ?? null,
    linking: null,
    fields: input.prefilled,
    created: null,
    error: null,
  }),
  entry: {
    type: 'tellClients',
    params: ({ context }) => ({
      type: 'clients.fetched',
      clients: context.suggested?.suggestions.map(({ client }) => client) ?? [],
      asOf: 0,
    }),
  },
  invoke: {
    src: 'holdClients',
    id: 'holdClients',
    input: ({ context }) => ({ ids: context.found?.clientIds ?? [] }),
  },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        search: {
          initial: 'idle',
          on: {
            ...typingSearch,
          },
          states: {
            ...beforeSearch,
            searching: {
              entry: 'start the search',
              invoke: {
                id: 'searchClients',
                src: 'searchClients',
                input: ({ context }) => ({ term: context.term.trim() }),
                onDone: {
                  target: 'idle',
                  actions: [
                    { type: 'show the search results', params: ({ event }) => ({ clients: event.output }) },
                    'hold the shown clients',
                    {
                      type: 'tellClients',
                      params: ({ context, event }) => ({
                        type: 'clients.fetched',
                        clients: event.output,
                        asOf: context.searchedAsOf,
                      }),
                    },
                  ],
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
        work: {
          initial: 'choosing',
          states: {
            choosing: {
              on: {
                'client.chosen': [
                  {
                    guard: { type: 'is already linked', params: ({ event }) => event },
                    actions: { type: 'notify', params: linkToasts.alreadyLinked },
                  },
                  { actions: { type: 'select', params: ({ event }) => event } },
                ],
                'link.requested': { guard: 'has a selection', target: 'linking', actions: 'keep the client to link' },
                'form.opened': { guard: 'has not created a client', target: 'editing', actions: 'clear the failure' },
                'dialog.dismissed': 'leaving',
              },
            },
            linking: {
              entry: 'clear the failure',
              invoke: {
                id: 'linkClient',
                src: 'linkClient',
                input: ({ context }) => linkOf(context.conversationId, context.linking),
                onDone: [
                  {
                    guard: 'linked the created client',
                    target: '#linkClient.linked',
                    actions: { type: 'notify', params: linkToasts.createdLinkedLater },
                  },
                  {
                    target: '#linkClient.linked',
                    actions: { type: 'notify', params: linkToasts.linked },
                  },
                ],
                onError: {
                  target: 'choosing',
                  actions: showFailure(linkToasts.linkFailed),
                },
              },
            },
            editing: {
              on: {
                'fields.typed': { actions: { type: 'keep the fields', params: ({ event }) => event } },
                'form.submitted': { guard: 'can be created', target: 'creating' },
                'form.cancelled': { target: 'choosing', actions: 'clear the failure' },
                'dialog.dismissed': 'leaving',
              },
            },
            // The question is shown over the form from every step, so that the person sees the text that would be lost.
            leaving: askingToDiscard('#linkClient.dismissed'),
            creating: {
              entry: 'clear the failure',
              invoke: {
                id: 'createClient',
                src: 'createClient',
                input: ({ context }) => ({ fields: filledIn(context.fields) }),
                onDone: {
                  target: 'linkingCreated',
                  actions: [
                    { type: 'keep the created client', params: ({ event }) => ({ client: event.output }) },
                    'hold the shown clients',
                    {
                      type: 'tellClients',
                      params: ({ event, context }) => ({
                        type: 'clients.fetched',
                        clients: [event.output],
                        asOf: context.searchedAsOf,
                      }),
                    },
                  ],
                },
                onError: afterFailedCreation('editing', linkToasts.createFailed),
              },
            },
            linkingCreated: {
              invoke: {
                id: 'linkCreated',
                src: 'linkClient',
                input: ({ context }) => linkOf(context.conversationId, context.linking),
                onDone: {
                  target: '#linkClient.linked',
                  actions: { type: 'notify', params: linkToasts.createdAndLinked },
                },
                onError: {
                  target: 'choosing',
                  actions: showFailure(linkToasts.createdNotLinked),
                },
              },
            },
          },
        },
      },
    },
    linked: {
      type: 'final',
      entry: {
        type: 'tellSession',
        params: ({ context }) => ({
          type: 'client.linked',
          userId: context.conversationId,
          clientId: context.linking ?? '',
        }),
      },
    },
    dismissed: { type: 'final' },
  },
})

const suggestedIds = ({ suggestions }: NonNullable<Input['suggested']>) => suggestions.map(({ client }) => client.id)

const linkOf = (fbUserId: string, clientId: string | null) => {
  if (clientId === null) throw new Error('linking starts with a selected client')
  return { fbUserId, clientId }
}

const filledIn = (fields: NewClient): NewClient => {
  const client = newClientOf(fields)
  if (client === null) throw new Error('creating starts with a form that is filled in')
  return client
}

export type LinkClientActor = ActorRefFrom<typeof linkClientMachine>

type Snapshot = SnapshotFrom<typeof linkClientMachine>

export const selectConversationId = (snapshot: Snapshot): string => snapshot.context.conversationId
export const selectFields = (snapshot: Snapshot): NewClient => snapshot.context.fields
/** The missing or invalid fields of the form for a new client. */
export const selectProblems = ({ context }: Snapshot): NewClientProblems => newClientProblems(context.fields)
/** The reason why the form for a new client cannot be submitted; null if it can. */
export const selectCreateBlockedReason = ({ context }: Snapshot): string | null =>
  newClientBlockedReason(context.fields)
/** The reason why no client can be linked; null if the selected client can. */
export const selectLinkBlockedReason = ({ context }: Snapshot): string | null =>
  context.selected === null ? t('client.chooseClient') : null
/** Why a client is offered before a search; empty for a found client. */
export const selectReasons =
  (id: string) =>
  ({ context }: Snapshot): readonly SuggestionReason[] =>
    context.suggested?.suggestions.find(({ client }) => client.id === id)?.reasons ?? noReasons
const noReasons: readonly SuggestionReason[] = []
export const selectTerm = (snapshot: Snapshot): string => snapshot.context.term
export const selectFound = (snapshot: Snapshot) => snapshot.context.found
export const selectSelected = (snapshot: Snapshot): string | null => snapshot.context.selected
export const selectCreated = (snapshot: Snapshot): string | null => snapshot.context.created
export const selectError = (snapshot: Snapshot): string | null => snapshot.context.error

/** 'Searching...' is shown from the first keystroke. */
export const selectIsSearching = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { search: 'debouncing' } }) || snapshot.matches({ open: { search: 'searching' } })

/** The search failed; `refetch.requested` retries. */
export const selectHasSearchFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { search: 'failed' } })

/** The dialog asks whether to discard the typed text. */
export const selectAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'leaving' } })

export type LinkClientStep = 'choosing' | 'linking' | 'editing' | 'creating' | 'ended'

/** The current step of the dialog. */
export const selectStep = (snapshot: Snapshot): LinkClientStep => {
  if (snapshot.matches({ open: { work: 'choosing' } })) return 'choosing'
  if (snapshot.matches({ open: { work: 'linking' } })) return 'linking'
  if (snapshot.matches({ open: { work: 'editing' } }) || selectAsksToDiscard(snapshot)) return 'editing'
  return snapshot.matches('open') ? 'creating' : 'ended'
}
