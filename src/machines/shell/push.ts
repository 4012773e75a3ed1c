import type { AnyActorRef, EventObject, SnapshotFrom } from 'xstate'
import { assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { NotificationPermissionState } from '../../domain/shell/notification-calls.ts'
import type { PushAnswer, PushDevice, PushReport } from '../../domain/shell/push-calls.ts'
import { visibleTabInterval } from '../../schemas/web-push.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, isTemporary } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'

type Context = Retries & {
  userId: string
  isHidden: boolean
  /** The id of the subscription on the server; null before the server has answered. */
  subscription: string | null
  /** Hears `PushChanged`. */
  parent: AnyActorRef
}

/** Whether the service worker shows the notifications of this browser while its tabs are hidden. */
export type PushChanged = { type: 'push.changed'; isOn: boolean }

export type PushEvent =
  | PushReport
  | { type: 'push.enabled' }
  | { type: 'push.disabled' }
  | { type: 'permission.changed'; permission: NotificationPermissionState }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }

type Is<Value extends string> = { is: Value; value: Value }

const found = (is: PushDevice, target: string) => ({
  guard: {
    type: 'found' as const,
    params: ({ event }: { event: { output: { device: PushDevice } } }) => ({ is, value: event.output.device }),
  },
  target,
})
const permissionOf = ({ event }: { event: { permission: NotificationPermissionState } }) => event
const blocked = { guard: { type: 'is blocked' as const, params: permissionOf }, target: 'denied' }

/**
 * Web Push for this browser (feature 'web-push'): its subscription, and, whether it has one or not, the news for the
 * server that the person can see this tab, because nobody is notified elsewhere meanwhile.
 */
export const pushMachine = setup({
  types: {
    context: {} as Context,
    events: {} as PushEvent,
    input: {} as { userId: string; isHidden: boolean; parent: AnyActorRef },
  },
  actors: {
    readDevice: fromPromise<{ device: PushDevice }, { userId: string }>(mustBeProvided('readDevice')),
    /** Asks the person, and subscribes the browser. */
    subscribe: fromPromise<PushAnswer, { userId: string }>(mustBeProvided('subscribe')),
    /** Tells the server the subscription that the browser has. */
    renewSubscription: fromPromise<PushAnswer, { userId: string }>(mustBeProvided('renewSubscription')),
    unsubscribe: fromPromise<void, { subscription: string | null }>(mustBeProvided('unsubscribe')),
    tellVisible: fromPromise<void>(mustBeProvided('tellVisible')),
    /** Sends `PushReport`s. */
    watchWorker: fromCallback<EventObject>(mustBeGiven('watchWorker')),
  },
  delays: { retryDelay: ({ context }) => context.retryDelay, visibleInterval: visibleTabInterval },
  guards: {
    'is temporary': isTemporary,
    found: (_, { is, value }: Is<PushDevice>) => is === value,
    answered: (_, { is, value }: Is<PushAnswer['outcome']>) => is === value,
    'is blocked': (_, { permission }: { permission: NotificationPermissionState }) => permission === 'denied',
    'is not blocked': (_, { permission }: { permission: NotificationPermissionState }) => permission !== 'denied',
    'is hidden': ({ context }) => context.isHidden,
    'is visible': ({ context }) => !context.isHidden,
  },
  actions: {
    tellSession,
    'keep the subscription': assign({
      subscription: (_, answer: PushAnswer) => (answer.outcome === 'on' ? answer.id : null),
      ...noRetries,
    }),
    'remember whether the tab is hidden': assign({ isHidden: (_, { isHidden }: { isHidden: boolean }) => isHidden }),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
    'tell that push changed': sendTo(
      ({ context }) => context.parent,
      (_, { isOn }: { isOn: boolean }): PushChanged => ({ type: 'push.changed', isOn }),
    ),
    /** Best effort: without this the server forgets the tab after a minute. */
    'tell that the tab is hidden': mustBeGiven('tell that the tab is hidden') as () => void,
  },
}).createMachine({
  id: 'push',
  context: ({ input }) => ({ ...input, subscription: null, ...noRetries }),
  type: 'parallel',
  invoke: { id: 'watchWorker', src: 'watchWorker' },
  on: {
    'tab.shown': { actions: { type: 'remember whether the tab is hidden', params: { isHidden: false } } },
    'tab.hidden': { actions: { type: 'remember whether the tab is hidden', params: { isHidden: true } } },
    'push.clicked': {
      actions: {
        type: 'tellSession',
        params: ({ event }) => ({ type: 'conversation.requested', id: event.conversationId }),
      },
    },
    'push.commentsClicked': {
      actions: {
        type: 'tellSession',
        params: ({ event }) => ({ type: 'comments.requested', threadId: event.threadId }),
      },
    },
  },
  states: {
    device: {
      initial: 'checking',
      states: {
        checking: {
          invoke: {
            id: 'readDevice',
            src: 'readDevice',
            input: ({ context: { userId } }) => ({ userId }),
            onDone: [
              found('on', 'on'),
              found('off', 'off'),
              found('denied', 'denied'),
              found('uninstalled', 'uninstalled'),
              { target: 'unsupported' },
            ],
            onError: 'unsupported',
          },
        },
        unsupported: {},
        uninstalled: {},
        denied: {
          on: { 'permission.changed': { guard: { type: 'is not blocked', params: permissionOf }, target: 'checking' } },
        },
        off: { on: { 'push.enabled': 'subscribing', 'permission.changed': blocked } },
        failed: { on: { 'push.enabled': 'subscribing', 'permission.changed': blocked } },
        subscribing: {
          invoke: {
            id: 'subscribe',
            src: 'subscribe',
            input: ({ context: { userId } }) => ({ userId }),
            onDone: [
              {
                guard: { type: 'answered', params: ({ event }) => ({ is: 'on', value: event.output.outcome }) },
                target: 'on.known',
                actions: { type: 'keep the subscription', params: ({ event }) => event.output },
              },
              {
                guard: { type: 'answered', params: ({ event }) => ({ is: 'denied', value: event.output.outcome }) },
                target: 'denied',
              },
              { target: 'off' },
            ],
            onError: 'failed',
          },
        },
        on: {
          entry: { type: 'tell that push changed', params: { isOn: true } },
          exit: { type: 'tell that push changed', params: { isOn: false } },
          on: { 'push.disabled': 'unsubscribing', 'push.replaced': '.renewing', 'permission.changed': blocked },
          initial: 'renewing',
          states: {
            /** The server ends a subscription with its session, so every start tells it again. */
            renewing: {
              invoke: {
                id: 'renewSubscription',
                src: 'renewSubscription',
                input: ({ context: { userId } }) => ({ userId }),
                onDone: [
                  {
                    guard: { type: 'answered', params: ({ event }) => ({ is: 'on', value: event.output.outcome }) },
                    target: 'known',
                    actions: { type: 'keep the subscription', params: ({ event }) => event.output },
                  },
                  { target: '#push.device.off' },
                ],
                onError: [
                  {
                    guard: ifTemporary,
                    target: 'waiting',
                    actions: { type: 'count the failure', params: ({ event }) => ({ error: event.error }) },
                  },
                  { target: '#push.device.failed' },
                ],
              },
            },
            waiting: { after: { retryDelay: 'renewing' } },
            known: {},
          },
        },
        unsubscribing: {
          invoke: {
            id: 'unsubscribe',
            src: 'unsubscribe',
            input: ({ context: { subscription } }) => ({ subscription }),
            onDone: 'off',
            onError: 'on',
          },
        },
      },
    },
    tab: {
      initial: 'hidden',
      states: {
        hidden: { always: { guard: 'is visible', target: 'visible' } },
        visible: {
          always: { guard: 'is hidden', target: 'hidden', actions: 'tell that the tab is hidden' },
          initial: 'telling',
          states: {
            telling: { invoke: { id: 'tellVisible', src: 'tellVisible', onDone: 'told', onError: 'told' } },
            told: { after: { visibleInterval: 'telling' } },
          },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof pushMachine>
type DeviceState = Exclude<Snapshot['value']['device'], object> | 'on'

/** Whether this browser is notified while the inbox is closed, or why not. */
export const selectPushDevice = ({ value: { device } }: Snapshot): DeviceState =>
  typeof device === 'object' ? 'on' : device
