import type { AnyEventObject, EventObject, SnapshotFrom } from 'xstate'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import type { ChannelInput, ChannelName, ChannelReport } from '../../../src/domain/shell/changes.ts'
import { type RealtimeEvent, realtimeMachine, selectConnection } from '../../../src/machines/shell/realtime.ts'
import { type Cases, createToastLog, modelOf } from '../harness.ts'
import { inserted, renamed, stateOf } from '../inbox-fixture.ts'

type Channel = { input: ChannelInput; isOpen: boolean; report: (event: ChannelReport) => void }

const reportTypes = ['resync.requested', 'inbox.invalidated', 'messages.changed', 'users.changed', 'states.changed']

/** A random source that leaves every delay unshortened. */
const wholeDelays = () => 1

/** The realtime machine alone. The test controls both channels. */
export const startRealtime = (...inspectors: ((event: never) => void)[]) => startRealtimeWith({}, ...inspectors)

export function startRealtimeWith(
  { random = wholeDelays, isConfirmed = true },
  ...inspectors: ((event: never) => void)[]
) {
  const channels: Channel[] = []
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const told: string[] = []
  const machine = realtimeMachine.provide({
    actors: {
      channel: fromCallback<EventObject, ChannelInput>(({ input, sendBack }) => {
        const channel: Channel = { input, isOpen: true, report: sendBack }
        channels.push(channel)
        return () => {
          channel.isOpen = false
        }
      }),
    },
  })
  const actor = createActor(machine, {
    clock,
    input: { random, isConfirmed },
    inspect: (event) => {
      toastLog.inspect(event)
      // Without a session, the machine receives its own events for the session.
      if (
        event.type === '@xstate.event' &&
        event.sourceRef === event.actorRef &&
        reportTypes.includes(event.event.type)
      )
        told.push(event.event.type)
      for (const inspect of inspectors) inspect(event as never)
    },
  })
  actor.start()
  const opened = (name: ChannelName) => channels.filter(({ input }) => input.channel === name)
  const report = (name: ChannelName, what: 'subscribed' | 'ready' | 'failed' | 'timedOut' | 'closed') =>
    opened(name)
      .at(-1)
      ?.report({ type: `channel.${what}`, channel: name })
  const send = (event: RealtimeEvent) => actor.send(event)
  return {
    actor,
    clock,
    channels,
    opened,
    report,
    send,
    told,
    toasts: toastLog.toasts,
    connection: () => selectConnection(actor.getSnapshot()),
    becomeReady: (...names: ChannelName[]) => {
      for (const name of names) {
        report(name, 'subscribed')
        report(name, 'ready')
      }
    },
  }
}

export type StartedRealtime = ReturnType<typeof startRealtime>

/**
 * A test action for each event of the model. The actions let each delay elapse separately, because two delays of
 * different regions would elapse together. realtime.test.ts covers the length of each delay.
 */
export function driveRealtime(sut: StartedRealtime): Record<string, (event: AnyEventObject) => unknown> {
  const elapse = (event: AnyEventObject) => sut.actor.send(event as RealtimeEvent)
  return new Proxy({}, { get: () => elapse })
}

const ofEach: readonly { channel: ChannelName }[] = [{ channel: 'messages' }, { channel: 'users' }]

/** The realtime machine with at most two failures in a row. `fewer` replaces cases. */
export const realtimeModel = (fewer: Cases<SnapshotFrom<typeof realtimeMachine>> = {}) =>
  modelOf(realtimeMachine, {
    input: { random: wholeDelays, isConfirmed: true },
    vertex: ({ context }) => context,
    // realtime.test.ts covers the delay after each number of failures, and what follows a refusal of access.
    stopWhen: (snapshot) =>
      snapshot.context.failures.messages + snapshot.context.failures.users > 1 ||
      snapshot.matches({ access: 'refused' }),
    limit: 25_000,
    cases: {
      'user.confirmed': [],
      'channel.subscribed': ofEach,
      'channel.ready': ofEach,
      'channel.failed': ofEach,
      'access.refused': ({ context: { failures } }) => (failures.messages + failures.users === 0 ? [{}] : []),
      'channel.timedOut': ofEach,
      'channel.closed': ofEach,
      'messages.received': [{ changes: [inserted('c1', 10)] }],
      'users.received': [{ changes: [renamed('u1', 'Maria')] }],
      'states.received': [{ changes: [{ id: 'c1', state: stateOf(1) }] }],
      'row.refused': [{}],
      'resync.done': [{}],
      'tab.shown': [{}],
      'tab.hidden': [{}],
      'browser.online': [{}],
      'browser.offline': [{}],
      'clock.jumped': [{}],
      ...fewer,
    },
  })
