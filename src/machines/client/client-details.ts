import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup, stateIn } from 'xstate'
import type { ClientData, ClientDataChanged, ClientRequest, HeldClientData } from '../../domain/client/client-data.ts'
import { Failure } from '../../domain/failure.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { type RecordsEvent, recordsIn, toRecords } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { readingActions, readingDelays, readingGuards, refetchTo } from '../reading.ts'
import { createSendAction } from '../system.ts'
import { ifAbout } from './client-changes.ts'
import { clientsIn, toClients } from './clients.ts'

/** `own` is the toast of spec section 8 for a failure. The section has none for the profile. */
type Input = ClientRequest & { own?: ToastText }

type Context = Retries & {
  request: ClientRequest
  own: ToastText | undefined
  data: HeldClientData | null
  /** The client that this one was merged into; null if it was not. */
  mergedInto: string | null
  /** The numbers of the last changes in the owners of clients and conversations when the data was requested. */
  asOf: { clients: number; records: number }
}

const ownText = ({ own }: Context) => own

/** Fetches again on a person's request, and a second after a change on the server. After a failure, the retry. */
export type ClientDetailsEvent = { type: 'refetch.requested' } | ClientDataChanged

/** The rows are held first, so that no answer of the list deletes them. */
const chatsToRecords = (rows: readonly Conversation[], asOf: number): RecordsEvent[] => [
  { type: 'conversations.held', from: 'clientPage', ids: rows.map(rowIdOf) },
  { type: 'conversations.lookedUp', rows, asOf },
]

/** Whether a change came while the data was fetched, so that the answer may be older than the change. */
const duringChanges = {
  initial: 'current' as const,
  states: { current: { on: { 'clientData.changed': ifAbout('outdated') } }, outdated: {} },
}

type Answered = { context: Context; event: { output: ClientData } }

const merging = [
  {
    type: 'write to the owners' as const,
    params: ({ context, event }: Answered) => ({ data: event.output, asOf: context.asOf }),
  },
  { type: 'keep the data' as const, params: ({ event }: Answered) => ({ data: event.output }) },
]

const missingActions = [
  reportFailure(ownText),
  {
    type: 'keep the client that it was merged into' as const,
    params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }),
  },
]

/** The client that has the data of the missing one, by the details of the refusal. */
function keptClientIn(error: unknown): string | null {
  const id = error instanceof Failure ? error.details?.['merged_into'] : null
  return typeof id === 'string' ? id : null
}

/**
 * One part of a client's data (spec section 2): the profile, the orders with their payments, or the chats. The client
 * itself goes to `clients` and the chats go to `records`, before this machine shows that they are loaded. The shown data
 * stays on the screen during a refetch.
 */
export const clientDetailsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ClientDetailsEvent,
    input: {} as Input,
  },
  actors: {
    loadClient: fromPromise<ClientData, ClientRequest>(mustBeProvided('loadClient')),
  },
  delays: { ...readingDelays, changeDelay: 1_000, longestChangeDelay: 10_000 },
  guards: {
    ...readingGuards,
    'is about the client': ({ context }, { clientIds }: Pick<ClientDataChanged, 'clientIds'>) =>
      clientIds === null || clientIds.includes(context.request.clientId),
    'does not exist': (_, { error }: { error: unknown }) => error instanceof Failure && error.status === 404,
  },
  actions: {
    ...readingActions,
    'write to the owners': createSendAction<{ data: ClientData; asOf: Context['asOf'] }>(({ data, asOf }, sender) => [
      ...(data.client
        ? [toClients({ type: 'clients.fetched', clients: [data.client], asOf: asOf.clients }, sender)]
        : []),
      ...(data.chats ? chatsToRecords(data.chats, asOf.records).map((event) => toRecords(event, sender)) : []),
    ]),
    'start the request': assign({
      asOf: ({ system }) => ({ clients: clientsIn(system).sequence, records: recordsIn(system).sequence }),
    }),
    'keep the client that it was merged into': assign((_, { error }: { error: unknown }) => ({
      mergedInto: keptClientIn(error),
    })),
    'keep the data': assign((_, { data: { orders, chats } }: { data: ClientData }) => ({
      data: { ...(orders && { orders }), ...(chats && { chatIds: chats.map(rowIdOf) }) },
      ...noRetries,
    })),
  },
}).createMachine({
  id: 'clientDetails',
  context: ({ input: { own, ...request } }) => ({
    request,
    own,
    data: null,
    mergedInto: null,
    asOf: { clients: 0, records: 0 },
    ...noRetries,
  }),
  initial: 'loading',
  states: {
    loading: {
      entry: 'start the request',
      ...duringChanges,
      invoke: {
        id: 'loadClient',
        src: 'loadClient',
        input: ({ context }) => context.request,
        onDone: [
          { guard: stateIn({ loading: 'outdated' }), target: 'showing.changed', actions: merging },
          { target: 'showing', actions: merging },
        ],
        onError: [
          { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce(ownText) },
          {
            guard: { type: 'does not exist', params: ({ event }) => ({ error: event.error }) },
            target: 'failed.missing',
            actions: missingActions,
          },
          { target: 'failed.refused', actions: reportFailure(ownText) },
        ],
      },
    },
    showing: {
      initial: 'idle',
      states: {
        idle: { on: { 'refetch.requested': 'refreshing', 'clientData.changed': ifAbout('changed') } },
        /** Waits for a pause, at most `longestChangeDelay`, because an import announces many changes one after the other. */
        changed: {
          after: { longestChangeDelay: 'refreshing' },
          on: { 'refetch.requested': 'refreshing' },
          initial: 'pausing',
          states: {
            pausing: {
              after: { changeDelay: '#clientDetails.showing.refreshing' },
              on: { 'clientData.changed': { ...ifAbout('pausing'), reenter: true } },
            },
          },
        },
        refreshing: {
          entry: 'start the request',
          ...duringChanges,
          invoke: {
            id: 'refreshClient',
            src: 'loadClient',
            input: ({ context }) => context.request,
            onDone: [
              { guard: stateIn({ showing: { refreshing: 'outdated' } }), target: 'changed', actions: merging },
              { target: 'idle', actions: merging },
            ],
            onError: [
              {
                guard: { type: 'does not exist', params: ({ event }) => ({ error: event.error }) },
                target: '#clientDetails.failed.missing',
                actions: missingActions,
              },
              {
                guard: stateIn({ showing: { refreshing: 'outdated' } }),
                target: 'changed',
                actions: reportFailure(ownText),
              },
              { target: 'idle', actions: reportFailure(ownText) },
            ],
          },
        },
      },
    },
    failed: {
      initial: 'waiting',
      on: refetchTo('loading'),
      states: {
        waiting: { after: { retryDelay: '#clientDetails.loading' } },
        missing: {},
        refused: {},
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof clientDetailsMachine>

/** Null until the data is loaded. */
export const selectClientData = (snapshot: Snapshot): HeldClientData | null => snapshot.context.data

/** Loading failed; `refetch.requested` retries. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')

/** No client has the id. */
export const selectIsMissing = (snapshot: Snapshot): boolean => snapshot.matches({ failed: 'missing' })

/** The client that this one was merged into; null if it exists or was not merged. */
export const selectMergedInto = (snapshot: Snapshot): string | null =>
  selectIsMissing(snapshot) ? snapshot.context.mergedInto : null
