import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { OrderChange } from '../../domain/client/chat-order-calls.ts'
import type { ClientDataChanged } from '../../domain/client/client-data.ts'
import { isAllowedChange, needsQuestion } from '../../domain/client/order-steps.ts'
import { orderToasts } from '../../domain/client/order-toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { OrderDetails } from '../../schemas/chat-order.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import {
  afterFailedRead,
  readingActions,
  readingDelays,
  readingGuards,
  refetchTo,
  waitingOrRefused,
} from '../reading.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'
import { ifAbout } from './client-changes.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    order: typeof orderMachine
  }
}

/** With a `conversationId` the dialog is closed when another conversation opens. */
type Input = { conversationId?: string; clientId: string; orderId: string }

type Context = Retries &
  Input & {
    /** Null until it is loaded. */
    order: OrderDetails | null
    /** The step that is sent or asked about; null if none is. */
    change: OrderChange | null
  }

export type OrderEvent =
  /** Ignored unless the step is allowed from the status that is shown. */
  | { type: 'change.requested'; change: OrderChange }
  | { type: 'change.confirmed' }
  | { type: 'change.refused' }
  | { type: 'refetch.requested' }
  /** Something of these clients changed on the server. */
  | ClientDataChanged
  | { type: 'dialog.dismissed' }

/** The dialog of an order with its payments, and the steps that each may take. */
export const orderMachine = setup({
  types: { context: {} as Context, events: {} as OrderEvent, input: {} as Input },
  actors: {
    loadOrder: fromPromise<OrderDetails, { orderId: string }>(mustBeProvided('loadOrder')),
    changeOrder: fromPromise<OrderDetails, { orderId: string; change: OrderChange }>(mustBeProvided('changeOrder')),
  },
  /** One step is announced several times: by this dialog, and for each row that it changed. */
  delays: { ...readingDelays, changeDelay: 1_000 },
  guards: {
    ...readingGuards,
    'is allowed': ({ context }, { change }: { change: OrderChange }) =>
      context.order !== null && isAllowedChange(context.order, change),
    'is allowed after a question': ({ context }, { change }: { change: OrderChange }) =>
      context.order !== null && needsQuestion(change) && isAllowedChange(context.order, change),
    'is about the client': ({ context }, { clientIds }: Pick<ClientDataChanged, 'clientIds'>) =>
      clientIds === null || clientIds.includes(context.clientId),
  },
  actions: {
    notify,
    tellSession,
    ...readingActions,
    'keep the order': assign((_, { order }: { order: OrderDetails }) => ({ order, change: null, ...noRetries })),
    'keep the change': assign({ change: (_, { change }: { change: OrderChange }) => change }),
    'forget the change': assign({ change: null }),
  },
}).createMachine({
  id: 'order',
  context: ({ input }) => ({ ...input, order: null, change: null, ...noRetries }),
  initial: 'open',
  states: {
    open: {
      initial: 'loading',
      on: {
        'change.requested': [
          {
            guard: { type: 'is allowed after a question', params: ({ event }) => event },
            target: 'asking',
            actions: { type: 'keep the change', params: ({ event }) => event },
          },
          {
            guard: { type: 'is allowed', params: ({ event }) => event },
            target: 'changing',
            actions: { type: 'keep the change', params: ({ event }) => event },
          },
        ],
        'dialog.dismissed': 'closed',
      },
      states: {
        loading: {
          on: { 'clientData.changed': { ...ifAbout('loading'), reenter: true } },
          invoke: {
            id: 'loadOrder',
            src: 'loadOrder',
            input: ({ context: { orderId } }) => ({ orderId }),
            onDone: {
              target: 'showing',
              actions: { type: 'keep the order', params: ({ event }) => ({ order: event.output }) },
            },
            onError: afterFailedRead(orderToasts.loadFailed),
          },
        },
        showing: {
          initial: 'idle',
          states: {
            idle: { on: { 'clientData.changed': ifAbout('changed') } },
            /** Gathers the changes of a moment, so that the order is fetched once for them. */
            changed: { after: { changeDelay: '#order.open.loading' } },
          },
        },
        /** An earlier answer stays. */
        failed: {
          ...waitingOrRefused('#order.open.loading'),
          on: { ...refetchTo('loading'), 'clientData.changed': ifAbout('loading') },
        },
      },
    },
    /** Whether to cancel the order or to reject the payment. What changes meanwhile is loaded after the question. */
    asking: {
      on: {
        'change.confirmed': 'changing',
        'change.refused': { target: 'open.loading', actions: 'forget the change' },
        'dialog.dismissed': 'closed',
      },
    },
    changing: {
      invoke: {
        id: 'changeOrder',
        src: 'changeOrder',
        input: ({ context: { orderId, change } }) => {
          if (change === null) throw new Error('a step is sent because it was asked for')
          return { orderId, change }
        },
        onDone: {
          target: 'open.showing',
          actions: [
            {
              type: 'notify',
              params: ({ context, event }) =>
                context.change?.kind === 'payment'
                  ? orderToasts.paymentChanged
                  : orderToasts.orderChanged(event.output),
            },
            { type: 'keep the order', params: ({ event }) => ({ order: event.output }) },
            {
              type: 'tellSession',
              params: ({ context }) => ({ type: 'clientData.changed', clientIds: [context.clientId] }),
            },
          ],
        },
        // Somebody may have changed it meanwhile, or the answer was lost.
        onError: { target: 'open.loading', actions: [reportFailure(orderToasts.changeFailed), 'forget the change'] },
      },
    },
    closed: { type: 'final' },
  },
})

export type OrderActor = ActorRefFrom<typeof orderMachine>

type Snapshot = SnapshotFrom<typeof orderMachine>

/** Null until it is loaded. */
export const selectOrder = (snapshot: Snapshot): OrderDetails | null => snapshot.context.order

/** The conversation that the dialog was opened from; undefined if it was opened elsewhere. */
export const selectConversationId = (snapshot: Snapshot): string | undefined => snapshot.context.conversationId

export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: 'failed' })

/** The step that the person is asked about; null if there is no question. */
export const selectAskedAbout = (snapshot: Snapshot): OrderChange | null =>
  snapshot.matches('asking') ? snapshot.context.change : null

/** A step is sent. */
export const selectIsChanging = (snapshot: Snapshot): boolean => snapshot.matches('changing')
