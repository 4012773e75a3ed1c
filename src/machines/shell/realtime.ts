import type { EventObject, SnapshotFrom } from 'xstate'
import { and, assign, fromCallback, not, setup, stateIn } from 'xstate'
import type { ChannelInput, ChannelName, ChannelReport } from '../../domain/shell/changes.ts'
import { realtimeToasts } from '../../domain/shell/toasts.ts'
import type { ToastText } from '../../domain/toast.ts'
import { mustBeGiven } from '../must-be-provided.ts'
import { notifyWhen } from '../notify-failure.ts'
import { tellSession } from '../session-events.ts'
import type { System } from '../system.ts'

export type RealtimeEvent =
  | ChannelReport
  | { type: 'resync.done' }
  /** The server has confirmed who is signed in. */
  | { type: 'user.confirmed'; offersStates?: boolean }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  | { type: 'browser.online' }
  | { type: 'browser.offline' }
  | { type: 'clock.jumped' }

type Context = {
  /** The server has confirmed who is signed in. */
  isConfirmed: boolean
  /** The API offers the states of conversations (feature 'conversation-states'). */
  offersStates: boolean
  /** Consecutive failures, by channel. */
  failures: Readonly<Record<ChannelName, number>>
  needsFreshToken: Readonly<Record<ChannelName, boolean>>
  /** A change could not be read during a resync. */
  mayHaveMissedRows: boolean
  isHidden: boolean
  random: () => number
}

const reconnectDelays = [1_000, 2_000, 5_000, 10_000, 30_000] as const

/** Backoff with jitter: 50 to 100 % of the delay, so that many tabs do not reconnect at the same moment. */
const reconnectDelay = ({ failures, random }: Context, channel: ChannelName): number => {
  const delay = reconnectDelays[Math.min(failures[channel], reconnectDelays.length) - 1] ?? reconnectDelays[0]
  return delay * (0.5 + random() / 2)
}

type OfChannel = { channel: ChannelName }

const realtimeSetup = setup({
  types: {
    context: {} as Context,
    events: {} as RealtimeEvent,
    /** `isConfirmed`: the server has confirmed who is signed in. `random` returns numbers from 0 to 1. */
    input: {} as { isConfirmed: boolean; offersStates?: boolean; random?: () => number },
  },
  actors: {
    /** One channel, created on invocation and closed on exit. Sends `ChannelReport`s. */
    channel: fromCallback<EventObject, ChannelInput>(mustBeGiven('channel')),
  },
  delays: {
    connectTimeout: 20_000,
    /** Milliseconds after which a subscribed channel counts as ready, even if the server never reports readiness. */
    readyTimeout: 5_000,
    messagesReconnect: ({ context }) => reconnectDelay(context, 'messages'),
    usersReconnect: ({ context }) => reconnectDelay(context, 'users'),
    pollInterval: ({ context }) => (context.isHidden ? 120_000 : 30_000),
    resyncTimeout: 30_000,
    resyncDelay: 2_000,
  },
  guards: {
    'is confirmed': ({ context }) => context.isConfirmed,
    'is this channel': (_, { channel, reported }: OfChannel & { reported: ChannelName }) => channel === reported,
    'both channels are ready': and([
      stateIn({ messages: { open: { subscribed: 'ready' } } }),
      stateIn({ users: { open: { subscribed: 'ready' } } }),
    ]),
    'may have missed rows': ({ context }) => context.mayHaveMissedRows,
  },
  actions: {
    tellSession,
    'store the confirmation': assign((_, { offersStates = false }: { offersStates?: boolean }) => ({
      isConfirmed: true,
      offersStates,
    })),
    /** Both channels fail repeatedly when the connection is lost. Only the first failure of a series shows a toast. */
    'notify when': notifyWhen,
    'count the failure': assign({
      failures: ({ context }, { channel }: OfChannel) => ({
        ...context.failures,
        [channel]: context.failures[channel] + 1,
      }),
    }),
    'reset the failure count': assign({
      failures: ({ context }, { channel }: OfChannel) => ({ ...context.failures, [channel]: 0 }),
      needsFreshToken: ({ context }, { channel }: OfChannel) => ({ ...context.needsFreshToken, [channel]: false }),
    }),
    'require a fresh token': assign({
      needsFreshToken: ({ context }, { channel, isNeeded }: OfChannel & { isNeeded: boolean }) => ({
        ...context.needsFreshToken,
        [channel]: context.needsFreshToken[channel] || isNeeded,
      }),
    }),
    'mark as suspect': assign({ mayHaveMissedRows: true }),
    'clear the suspect mark': assign({ mayHaveMissedRows: false }),
    'remember that the tab is hidden': assign({ isHidden: true }),
    'remember that the tab is visible': assign({ isHidden: false }),
  },
})

const ours = (channel: ChannelName) => ({
  type: 'is this channel' as const,
  params: ({ event }: { event: OfChannel }) => ({ channel, reported: event.channel }),
})

/** The states of one channel. A broken channel is closed and created again; the other channel is not affected. */
const channelRegion = (channel: ChannelName) => {
  const reconnect = `${channel}Reconnect` as const
  const isOurs = ours(channel)
  const notifyOnce = (text: ToastText) => ({
    type: 'notify when' as const,
    params: ({ context }: { context: Context }) => ({
      when: context.failures[channel] === 0,
      ...text,
    }),
  })
  const count = { type: 'count the failure' as const, params: { channel } }

  return realtimeSetup.createStateConfig({
    initial: 'unconfirmed',
    states: {
      /** A saved inbox is shown before the sign-in is confirmed. The channel opens after the confirmation. */
      unconfirmed: { always: { guard: 'is confirmed', target: 'open' } },
      open: {
        initial: 'connecting',
        invoke: {
          src: 'channel',
          id: `${channel}Channel`,
          input: ({ context }) => ({
            channel,
            needsFreshToken: context.needsFreshToken[channel],
            withStates: (channel === 'users' && context.offersStates) || undefined,
          }),
        },
        on: {
          'channel.failed': {
            guard: isOurs,
            target: 'channelError',
            actions: {
              type: 'require a fresh token',
              params: ({ event }) => ({ channel, isNeeded: event.isTokenRefused === true }),
            },
          },
          'channel.timedOut': { guard: isOurs, target: 'timedOut' },
          'channel.closed': {
            guard: isOurs,
            target: 'disconnected',
            actions: { type: 'require a fresh token', params: { channel, isNeeded: true } },
          },
          'browser.offline': 'disconnected',
        },
        states: {
          connecting: {
            after: { connectTimeout: `#realtime.${channel}.timedOut` },
            on: { 'channel.subscribed': { guard: isOurs, target: 'subscribed' } },
          },
          subscribed: {
            initial: 'confirming',
            states: {
              confirming: {
                after: { readyTimeout: 'ready' },
                on: { 'channel.ready': { guard: isOurs, target: 'ready' } },
              },
              ready: { entry: { type: 'reset the failure count', params: { channel } } },
            },
          },
        },
      },
      channelError: {
        entry: [notifyOnce(realtimeToasts.failed), count],
        after: { [reconnect]: 'open' },
        on: { 'browser.online': 'open' },
      },
      timedOut: {
        entry: [notifyOnce(realtimeToasts.timedOut), count],
        after: { [reconnect]: 'open' },
        on: { 'browser.online': 'open' },
      },
      disconnected: {
        entry: count,
        after: { [reconnect]: 'open' },
        on: { 'browser.online': 'open' },
      },
    },
  })
}

const notReady = { guard: not('both channels are ready'), target: 'invalidated' } as const

/**
 * Realtime (spec section 4): two channels, and whether the screen has caught up with them. Live requires more than the
 * subscriptions: changes from before both channels were ready must have been fetched too.
 */
export const realtimeMachine = realtimeSetup.createMachine({
  id: 'realtime',
  context: ({ input }) => ({
    isConfirmed: input.isConfirmed,
    offersStates: input.offersStates ?? false,
    failures: { messages: 0, users: 0 },
    needsFreshToken: { messages: false, users: false },
    mayHaveMissedRows: false,
    isHidden: false,
    random: input.random ?? Math.random,
  }),
  type: 'parallel',
  states: {
    messages: channelRegion('messages'),
    users: channelRegion('users'),
    status: {
      initial: 'invalidated',
      states: {
        invalidated: {
          always: { guard: 'both channels are ready', target: 'resyncing' },
          after: {
            pollInterval: {
              target: 'invalidated',
              reenter: true,
              actions: { type: 'tellSession', params: { type: 'inbox.invalidated' } },
            },
          },
        },
        resyncing: {
          entry: ['clear the suspect mark', { type: 'tellSession', params: { type: 'resync.requested' } }],
          always: notReady,
          after: { resyncTimeout: { target: 'resyncing', reenter: true } },
          on: {
            'resync.done': [{ guard: 'may have missed rows', target: 'live.suspect' }, { target: 'live.valid' }],
            'row.refused': { actions: 'mark as suspect' },
            'clock.jumped': { target: 'resyncing', reenter: true },
            'channel.ready': { target: 'resyncing', reenter: true },
          },
        },
        live: {
          initial: 'valid',
          always: notReady,
          on: {
            'clock.jumped': 'resyncing',
            'browser.online': 'resyncing',
            // No missed change is known. The resync is a precaution, so the status stays Live.
            'tab.shown': { actions: { type: 'tellSession', params: { type: 'resync.requested' } } },
            // A channel that counted as ready after a timeout may have missed changes until this report. The server
            // also sends this report after a fresh token.
            'channel.ready': { actions: { type: 'tellSession', params: { type: 'resync.requested' } } },
          },
          states: {
            valid: { on: { 'row.refused': 'suspect' } },
            suspect: { after: { resyncDelay: '#realtime.status.resyncing' } },
          },
        },
      },
    },
    access: {
      initial: 'granted',
      states: {
        granted: {
          on: {
            // The session may have ended. A call of the API shows that at once; the next poll comes much later.
            'access.refused': {
              target: 'refused',
              actions: { type: 'tellSession', params: { type: 'inbox.invalidated' } },
            },
          },
        },
        /** Further refusals say nothing new. A ready channel reports its refusal before it fails. */
        refused: {
          initial: 'failing',
          states: {
            failing: { always: { guard: not('both channels are ready'), target: 'failed' } },
            failed: { always: { guard: 'both channels are ready', target: '#realtime.access.granted' } },
          },
        },
      },
    },
    relay: {
      on: {
        'user.confirmed': { actions: { type: 'store the confirmation', params: ({ event }) => event } },
        'messages.received': {
          actions: {
            type: 'tellSession',
            params: ({ event }) => ({ type: 'messages.changed', changes: event.changes }),
          },
        },
        'users.received': {
          actions: { type: 'tellSession', params: ({ event }) => ({ type: 'users.changed', changes: event.changes }) },
        },
        'states.received': {
          actions: { type: 'tellSession', params: ({ event }) => ({ type: 'states.changed', changes: event.changes }) },
        },
        'tab.shown': { actions: 'remember that the tab is visible' },
        'tab.hidden': { actions: 'remember that the tab is hidden' },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof realtimeMachine>

/** True if realtime is Live without a known missed change. For use in the actions of machines. */
export function receivesAllIn(system: System): boolean {
  const snapshot: Snapshot | undefined = system.get('realtime')?.getSnapshot()
  return snapshot?.matches({ status: { live: 'valid' } }) ?? false
}

export type Connection = 'live' | 'connecting' | 'offline'

/** The status in the header (spec section 2). A failed channel counts as Offline until it is subscribed again. */
export const selectConnection = (snapshot: Snapshot): Connection => {
  if (snapshot.matches({ status: 'live' })) return 'live'
  const { failures } = snapshot.context
  const messagesBroken = failures.messages > 0 && !snapshot.matches({ messages: { open: 'subscribed' } })
  const usersBroken = failures.users > 0 && !snapshot.matches({ users: { open: 'subscribed' } })
  return messagesBroken || usersBroken ? 'offline' : 'connecting'
}
