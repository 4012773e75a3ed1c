import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import type { ChannelName } from '../../../src/domain/shell/changes.ts'
import { realtimeMachine } from '../../../src/machines/shell/realtime.ts'
import { createCoverage } from '../harness.ts'
import { followBeside, type Reference, when } from '../reference.ts'
import { driveRealtime, realtimeModel, startRealtime, startRealtimeWith } from './realtime-fixture.ts'

const coverage = createCoverage(realtimeMachine)

const paths = realtimeModel().everyTransition()

type Broken = 'channelError' | 'timedOut' | 'disconnected'
type Channel = { step: 'connecting' | 'subscribed' | 'ready' | Broken; failures: number }
type State = {
  messages: Channel
  users: Channel
  /** Whether the screen shows everything that was written before both channels were ready. */
  inbox: 'stale' | 'catching up' | 'live'
  /** A change could not be read, so the inbox catches up once more. */
  isSuspect: boolean
  /** Access was refused. Every path ends there. */
  isRefused: boolean
  told: string[]
  toasts: number
}

const isOpen = ({ step }: Channel) => ['connecting', 'subscribed', 'ready'].includes(step)
const areReady = ({ messages, users }: State) => messages.step === 'ready' && users.step === 'ready'
const tell = (state: State, type: string): State => ({ ...state, told: [...state.told, type] })
const catchUp = (state: State): State => tell({ ...state, inbox: 'catching up', isSuspect: false }, 'resync.requested')

/** The inbox catches up as soon as both channels are ready, and is stale as soon as one is not. */
const settle = (state: State): State => {
  if (!areReady(state)) return { ...state, inbox: 'stale' }
  return state.inbox === 'stale' ? catchUp(state) : state
}

const breakChannel = (state: State, name: ChannelName, step: Broken): State => {
  const { failures } = state[name]
  const toasts = state.toasts + (step !== 'disconnected' && failures === 0 ? 1 : 0)
  return isOpen(state[name]) ? { ...state, toasts, [name]: { step, failures: failures + 1 } } : state
}
const open = (state: State, name: ChannelName): State => ({ ...state, [name]: { ...state[name], step: 'connecting' } })
const become = (state: State, name: ChannelName): State => ({ ...state, [name]: { step: 'ready', failures: 0 } })

/** The rules of both channels; an event of a channel that has no rule at this step changes nothing. */
const ofChannel =
  (rule: (state: State, name: ChannelName) => State) =>
  (state: State, event: AnyEventObject): State =>
    settle(rule(state, event['channel']))
const ofBoth = (rule: (state: State, name: ChannelName) => State) => (state: State) =>
  settle(rule(rule(state, 'messages'), 'users'))
/** The delay that runs in a channel that is not ready. */
const delayOf = (name: ChannelName, step: Channel['step']): string => {
  if (step === 'connecting') return `xstate.after.connectTimeout.realtime.${name}.open.connecting`
  if (step === 'subscribed') return `xstate.after.readyTimeout.realtime.${name}.open.subscribed.confirming`
  return `xstate.after.${name}Reconnect.realtime.${name}.${step}`
}
const delaysOf = (name: ChannelName) => ({
  [delayOf(name, 'connecting')]: (state: State) => settle(breakChannel(state, name, 'timedOut')),
  [delayOf(name, 'subscribed')]: (state: State) => settle(become(state, name)),
  ...Object.fromEntries(
    (['channelError', 'timedOut', 'disconnected'] as const).map((step) => [
      delayOf(name, step),
      (state: State) => settle(open(state, name)),
    ]),
  ),
})

const reference: Reference<State> = {
  start: {
    messages: { step: 'connecting', failures: 0 },
    users: { step: 'connecting', failures: 0 },
    inbox: 'stale',
    isSuspect: false,
    isRefused: false,
    told: [],
    toasts: 0,
  },
  accepts: (state) => {
    const { messages, users, inbox, isSuspect } = state
    const isAny = (...steps: Channel['step'][]) => [messages, users].some(({ step }) => steps.includes(step))
    const isAnyOpen = isAny('connecting', 'subscribed', 'ready')
    return [
      ...['messages.received', 'users.received', 'states.received', 'tab.hidden', 'tab.shown', 'user.confirmed'],
      ...when(!state.isRefused, 'access.refused'),
      ...when(isAnyOpen, 'browser.offline', 'channel.failed', 'channel.timedOut', 'channel.closed'),
      ...when(isAny('connecting'), 'channel.subscribed'),
      ...when(isAny('subscribed') || areReady(state), 'channel.ready'),
      ...when(inbox === 'live' || !isOpen(messages) || !isOpen(users), 'browser.online'),
      ...when(messages.step !== 'ready', delayOf('messages', messages.step)),
      ...when(users.step !== 'ready', delayOf('users', users.step)),
      ...when(inbox === 'stale', 'xstate.after.pollInterval.realtime.status.invalidated'),
      ...when(inbox === 'catching up', 'resync.done', 'xstate.after.resyncTimeout.realtime.status.resyncing'),
      ...when(inbox !== 'stale', 'clock.jumped'),
      ...when(inbox === 'catching up' || (inbox === 'live' && !isSuspect), 'row.refused'),
      ...when(inbox === 'live' && isSuspect, 'xstate.after.resyncDelay.realtime.status.live.suspect'),
    ]
  },
  rules: {
    'channel.subscribed': ofChannel((state, name) =>
      state[name].step === 'connecting' ? { ...state, [name]: { ...state[name], step: 'subscribed' } } : state,
    ),
    'channel.ready': (state, { channel }) => {
      if (state.inbox === 'catching up') return catchUp(state)
      if (state.inbox === 'live') return tell(state, 'resync.requested')
      const { step } = channel === 'messages' ? state.messages : state.users
      return step === 'subscribed' ? settle(become(state, channel)) : state
    },
    'channel.failed': ofChannel((state, name) => breakChannel(state, name, 'channelError')),
    'channel.timedOut': ofChannel((state, name) => breakChannel(state, name, 'timedOut')),
    'channel.closed': ofChannel((state, name) => breakChannel(state, name, 'disconnected')),
    'browser.offline': ofBoth((state, name) => breakChannel(state, name, 'disconnected')),
    'browser.online': (state) =>
      state.inbox === 'live'
        ? catchUp(state)
        : ofBoth((before, name) => (isOpen(before[name]) ? before : open(before, name)))(state),
    ...delaysOf('messages'),
    ...delaysOf('users'),
    'resync.done': (state) => ({ ...state, inbox: 'live' }),
    'row.refused': () => ({ isSuspect: true }),
    'clock.jumped': catchUp,
    'access.refused': (state) => ({ ...tell(state, 'inbox.invalidated'), isRefused: true }),
    'tab.shown': (state) => (state.inbox === 'live' ? tell(state, 'resync.requested') : state),
    'messages.received': (state) => tell(state, 'messages.changed'),
    'users.received': (state) => tell(state, 'users.changed'),
    'states.received': (state) => tell(state, 'states.changed'),
    'xstate.after.pollInterval.realtime.status.invalidated': (state) => tell(state, 'inbox.invalidated'),
    'xstate.after.resyncTimeout.realtime.status.resyncing': catchUp,
    'xstate.after.resyncDelay.realtime.status.live.suspect': catchUp,
  },
  shown: (state) => {
    const isBroken = (channel: Channel) => channel.failures > 0 && (!isOpen(channel) || channel.step === 'connecting')
    const otherwise = isBroken(state.messages) || isBroken(state.users) ? 'offline' : 'connecting'
    return {
      connection: state.inbox === 'live' ? 'live' : otherwise,
      open: [isOpen(state.messages) ? 1 : 0, isOpen(state.users) ? 1 : 0],
      told: state.told,
      toasts: state.toasts,
    }
  },
}

describe('realtime', () => {
  it(`shows what the reference shows on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const sut = startRealtime(coverage.inspect)
      const drive = driveRealtime(sut)
      const count = (name: ChannelName) => sut.opened(name).filter((channel) => channel.isOpen).length
      await followBeside(
        path,
        (event) => drive[event.type]?.(event),
        reference,
        () => ({
          connection: sut.connection(),
          open: [count('messages'), count('users')],
          told: sut.told,
          toasts: sut.toasts.length,
        }),
      )
      sut.actor.stop()
    }
  }, 120_000)

  it('without a confirmed user, and with an offline browser, opens no channel and shows no toast', () => {
    const sut = startRealtimeWith({ isConfirmed: false }, coverage.inspect)
    const shown = () => [sut.channels.length, sut.connection(), sut.toasts]
    sut.send({ type: 'browser.offline' })
    sut.send({ type: 'browser.online' })
    sut.clock.increment(120_000)
    expect(shown()).toEqual([0, 'connecting', []])
    sut.send({ type: 'user.confirmed' })
    expect(shown()).toEqual([2, 'connecting', []])
    sut.becomeReady('messages', 'users')
    sut.send({ type: 'resync.done' })
    // A second confirmation changes nothing.
    sut.send({ type: 'user.confirmed' })
    expect(shown()).toEqual([2, 'live', []])
    sut.actor.stop()
  })

  it('has the inbox fetched once for a series of refusals, and again for a refusal after both channels were ready', () => {
    const sut = startRealtime(coverage.inspect)
    const refuse = () => {
      for (const channel of ['messages', 'users'] as const) {
        sut.opened(channel).at(-1)?.report({ type: 'access.refused' })
        sut.opened(channel).at(-1)?.report({ type: 'channel.failed', channel, isTokenRefused: false })
      }
    }
    const told = () => sut.told.filter((type) => type === 'inbox.invalidated').length
    refuse()
    sut.clock.increment(1_000)
    refuse()
    sut.clock.increment(2_000)
    // One channel alone may be refused for ever.
    sut.becomeReady('messages')
    sut.opened('users').at(-1)?.report({ type: 'access.refused' })
    expect(told()).toBe(1)
    sut.becomeReady('users')
    refuse()
    expect(told()).toBe(2)
    sut.actor.stop()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
