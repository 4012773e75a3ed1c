import type { AnyEventObject, EventObject, SnapshotFrom } from 'xstate'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import type { ChannelInput, ChannelName, ChannelReport } from '../../../src/domain/shell/changes.ts'
import { type RealtimeEvent, realtimeMachine, selectConnection } from '../../../src/machines/shell/realtime.ts'
import { type Cases, createToastLog, modelOf } from '../harness.ts'
import { inserted, renamed } from '../inbox-fixture.ts'

type Channel = { input: ChannelInput; isOpen: boolean; report: (event: ChannelReport) => void }

const reportTypes = ['resync.requested', 'inbox.invalidated', 'messages.changed', 'users.changed']

/** A source of randomness that leaves every delay whole. */
const wholeDelays = () => 1

/** The realtime machine alone, with both channels in the test's hand. */
export const startRealtime = (...inspectors: ((event: never) => void)[]) =>
  startRealtimeWith(wholeDelays, ...inspectors)

export function startRealtimeWith(random: () => number, ...inspectors: ((event: never) => void)[]) {
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
    input: { random },
    inspect: (event) => {
      toastLog.inspect(event)
      // What is told to the session comes back to the machine itself, where no session runs.
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

export const seen = ({ value, context }: SnapshotFrom<typeof realtimeMachine>) => [value, context]

/**
 * How to make each thing happen that the model speaks of. Delays elapse one by one here, for two of different regions
 * would elapse together; how long each is stands in the journeys.
 */
export function driveRealtime(sut: StartedRealtime): Record<string, (event: AnyEventObject) => unknown> {
  const elapse = (event: AnyEventObject) => sut.actor.send(event as RealtimeEvent)
  return new Proxy({}, { get: () => elapse })
}

const ofEach: readonly { channel: ChannelName }[] = [{ channel: 'messages' }, { channel: 'users' }]

/** Realtime, where two failures in a row are the most. `fewer` takes the place of cases. */
export const realtimeModel = (fewer: Cases<SnapshotFrom<typeof realtimeMachine>> = {}) =>
  modelOf(realtimeMachine, {
    input: { random: wholeDelays },
    vertex: ({ context }) => context,
    // How long it waits after so many failures is pinned in the journeys.
    stopWhen: ({ context }) => context.failures.messages + context.failures.users > 1,
    limit: 20_000,
    cases: {
      'channel.subscribed': ofEach,
      'channel.ready': ofEach,
      'channel.failed': ofEach,
      'channel.timedOut': ofEach,
      'channel.closed': ofEach,
      'messages.received': [{ changes: [inserted('c1', 10)] }],
      'users.received': [{ changes: [renamed('u1', 'Maria')] }],
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
