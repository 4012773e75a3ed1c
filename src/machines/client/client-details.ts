import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { ClientFile, ClientRequest, HeldFile } from '../../domain/client/client-file.ts'
import { Failure } from '../../domain/failure.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { type RecordsEvent, recordsIn, toRecords } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { ifTemporary, isTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { createSendAction } from '../system.ts'
import { clientsIn, toClients } from './clients.ts'

/** `own` is the toast of spec section 8 for a failure. The section has none for the profile. */
type Input = ClientRequest & { own?: ToastText }

type Context = Retries & {
  request: ClientRequest
  own: ToastText | undefined
  file: HeldFile | null
  /** The numbers of the last changes in the owners of clients and conversations when the data was requested. */
  asOf: { clients: number; records: number }
}

const ownText = ({ own }: Context) => own

/** Fetches again on a person's request. After a failure, the retry. */
export type ClientDetailsEvent = { type: 'refetch.requested' }

/** The rows are held first, so that no answer of the list deletes them. */
const chatsToRecords = (rows: readonly Conversation[], asOf: number): RecordsEvent[] => [
  { type: 'conversations.held', from: 'clientPage', ids: rows.map(rowIdOf) },
  { type: 'conversations.lookedUp', rows, asOf },
]

type Answered = { context: Context; event: { output: ClientFile } }

const merging = [
  {
    type: 'write to the owners' as const,
    params: ({ context, event }: Answered) => ({ file: event.output, asOf: context.asOf }),
  },
  { type: 'keep the file' as const, params: ({ event }: Answered) => ({ file: event.output }) },
]

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
    loadClient: fromPromise<ClientFile, ClientRequest>(mustBeProvided('loadClient')),
  },
  delays: { retryDelay: ({ context }) => context.retryDelay },
  guards: {
    'is temporary': isTemporary,
    'does not exist': (_, { error }: { error: unknown }) => error instanceof Failure && error.status === 404,
  },
  actions: {
    'notify failure': notifyFailure,
    'write to the owners': createSendAction<{ file: ClientFile; asOf: Context['asOf'] }>(({ file, asOf }, sender) => [
      ...(file.client
        ? [toClients({ type: 'clients.fetched', clients: [file.client], asOf: asOf.clients }, sender)]
        : []),
      ...(file.chats ? chatsToRecords(file.chats, asOf.records).map((event) => toRecords(event, sender)) : []),
    ]),
    'start the request': assign({
      asOf: ({ system }) => ({ clients: clientsIn(system).sequence, records: recordsIn(system).sequence }),
    }),
    'keep the file': assign((_, { file: { orders, chats } }: { file: ClientFile }) => ({
      file: { ...(orders && { orders }), ...(chats && { chatIds: chats.map(rowIdOf) }) },
      ...noRetries,
    })),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
    'reset the failure count': assign(noRetries),
  },
}).createMachine({
  id: 'clientDetails',
  context: ({ input: { own, ...request } }) => ({
    request,
    own,
    file: null,
    asOf: { clients: 0, records: 0 },
    ...noRetries,
  }),
  initial: 'loading',
  states: {
    loading: {
      entry: 'start the request',
      invoke: {
        id: 'loadClient',
        src: 'loadClient',
        input: ({ context }) => context.request,
        onDone: {
          target: 'showing',
          actions: merging,
        },
        onError: [
          { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce(ownText) },
          {
            guard: { type: 'does not exist', params: ({ event }) => ({ error: event.error }) },
            target: 'failed.missing',
            actions: reportFailure(ownText),
          },
          { target: 'failed.refused', actions: reportFailure(ownText) },
        ],
      },
    },
    showing: {
      initial: 'idle',
      states: {
        idle: { on: { 'refetch.requested': 'refreshing' } },
        refreshing: {
          entry: 'start the request',
          invoke: {
            id: 'refreshClient',
            src: 'loadClient',
            input: ({ context }) => context.request,
            onDone: {
              target: 'idle',
              actions: merging,
            },
            onError: { target: 'idle', actions: reportFailure(ownText) },
          },
        },
      },
    },
    failed: {
      initial: 'waiting',
      // A person requested the refetch, so a failure is shown again.
      on: { 'refetch.requested': { target: 'loading', actions: 'reset the failure count' } },
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
export const selectFile = (snapshot: Snapshot): HeldFile | null => snapshot.context.file

/** Loading failed; `refetch.requested` retries. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')

/** No client has the id. */
export const selectIsMissing = (snapshot: Snapshot): boolean => snapshot.matches({ failed: 'missing' })
