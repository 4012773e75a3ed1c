import { describe, expect, it } from 'vitest'
import { pushMachine, selectPushDevice } from '../../../src/machines/shell/push.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { pushModel, startPush, subscribed } from './push-fixture.ts'

const coverage = createCoverage(pushMachine)
const start = (more: { isHidden?: boolean } = {}) => startPush({ inspect: coverage.inspect, ...more })

describe('Notifications of a device', () => {
  it('begin when the person asks for them and allows them, and end when the person stops them', async () => {
    const sut = start()
    await sut.read.resolve({ device: 'off' })
    sut.actor.send({ type: 'push.enabled' })
    await sut.subscribe.resolve(subscribed)
    expect([selectPushDevice(sut.snapshot()), sut.renew.calls.length]).toEqual(['on', 0])
    sut.actor.send({ type: 'push.disabled' })
    expect(sut.unsubscribe.inputs()).toEqual([{ subscription: 'p1' }])
    await sut.unsubscribe.resolve()
    expect([selectPushDevice(sut.snapshot()), sut.log.changes]).toEqual(['off', [true, false]])
  })

  it('are told to the server again at every start, and repeated while the server does not answer', async () => {
    const sut = start()
    await sut.read.resolve({ device: 'on' })
    expect(sut.renew.inputs()).toEqual([{ userId: 's1' }])
    await sut.renew.reject(faults.noAnswer)
    expect(selectPushDevice(sut.snapshot())).toBe('on')
    sut.clock.increment(60_000)
    await sut.renew.resolve(subscribed)
    sut.actor.send({ type: 'push.replaced' })
    expect(sut.renew.calls).toHaveLength(3)
    await sut.renew.reject(faults.refused)
    expect([selectPushDevice(sut.snapshot()), sut.log.changes]).toEqual(['failed', [true, false]])
  })

  it('keep notifications of the page while the browser does not stop them', async () => {
    const sut = start()
    await sut.read.resolve({ device: 'on' })
    sut.actor.send({ type: 'push.disabled' })
    await sut.unsubscribe.reject(new Error('blocked'))
    expect([selectPushDevice(sut.snapshot()), sut.log.changes]).toEqual(['on', [true, false, true]])
  })

  it('open the conversation that the person clicks', () => {
    const sut = start()
    sut.actor.send({ type: 'push.clicked', conversationId: 'c2' })
    expect(sut.log.opened).toEqual(['c2'])
  })
})

describe('A tab', () => {
  it('tells the server every 25 s that it is visible, also after a failure, and at once that it is hidden', async () => {
    const sut = start({ isHidden: true })
    expect(sut.visible.calls).toHaveLength(0)
    sut.actor.send({ type: 'tab.shown' })
    await sut.visible.reject(faults.noAnswer)
    sut.clock.increment(24_999)
    expect(sut.visible.calls).toHaveLength(1)
    sut.clock.increment(1)
    expect(sut.visible.calls).toHaveLength(2)
    sut.actor.send({ type: 'tab.hidden' })
    sut.clock.increment(60_000)
    expect([sut.visible.calls.length, sut.log.hidden]).toEqual([2, 1])
  })
})

type Device = ReturnType<typeof selectPushDevice>
type State = {
  device: Device
  renewal: 'renewing' | 'waiting' | 'known'
  tab: 'telling' | 'told' | 'hidden'
  tells: number
  hides: number
  opened: number
  isOn: boolean
}

describe.each(['device', 'tab'] as const)('The walk through the notifications of a device: %s', (part) => {
  const paths = pushModel(part).everyTransition()
  const isOn = ({ device }: State) => device === 'on'
  const begins: Partial<State> = { device: 'on', renewal: 'renewing', isOn: true }
  const to = (device: Device): Partial<State> => ({ device, isOn: device === 'on' })
  const reference: Reference<State> = {
    start: { device: 'checking', renewal: 'known', tab: 'telling', tells: 1, hides: 0, opened: 0, isOn: false },
    accepts: (state) => [
      'push.clicked',
      'push.commentsClicked',
      ...when(state.device === 'checking', ...ends('readDevice')),
      ...when(['off', 'failed'].includes(state.device), 'push.enabled'),
      ...when(['off', 'failed', 'on', 'denied'].includes(state.device), 'permission.changed'),
      ...when(state.device === 'subscribing', ...ends('subscribe')),
      ...when(isOn(state), 'push.disabled', 'push.replaced'),
      ...when(isOn(state) && state.renewal === 'renewing', ...ends('renewSubscription')),
      ...when(isOn(state) && state.renewal === 'waiting', 'xstate.after.retryDelay.push.device.on.waiting'),
      ...when(state.device === 'unsubscribing', ...ends('unsubscribe')),
      ...['tab.shown', 'tab.hidden'],
      ...when(state.tab === 'telling', ...ends('tellVisible')),
      ...when(state.tab === 'told', 'xstate.after.visibleInterval.push.tab.visible.told'),
    ],
    rules: {
      'push.clicked': ({ opened }) => ({ opened: opened + 1 }),
      'push.commentsClicked': ({ opened }) => ({ opened: opened + 1 }),
      'push.enabled': () => to('subscribing'),
      'push.disabled': () => to('unsubscribing'),
      'push.replaced': () => ({ renewal: 'renewing' }),
      'permission.changed': ({ device }, { permission }) =>
        permission === 'denied' ? to('denied') : device === 'denied' ? to('checking') : {},
      'xstate.done.actor.readDevice': (_, { output }) => (output.device === 'on' ? begins : to(output.device)),
      'xstate.error.actor.readDevice': () => to('unsupported'),
      'xstate.done.actor.subscribe': (_, { output }) => ({ ...to(output.outcome), renewal: 'known' }),
      'xstate.error.actor.subscribe': () => to('failed'),
      'xstate.done.actor.renewSubscription': (_, { output }) => ({ ...to(output.outcome), renewal: 'known' }),
      'xstate.error.actor.renewSubscription': (_, { error }) =>
        error === faults.refused ? to('failed') : { renewal: 'waiting' },
      'xstate.after.retryDelay.push.device.on.waiting': () => ({ renewal: 'renewing' }),
      'xstate.done.actor.unsubscribe': () => to('off'),
      'xstate.error.actor.unsubscribe': () => begins,
      'tab.shown': ({ tab, tells }) => (tab === 'hidden' ? { tab: 'telling', tells: tells + 1 } : {}),
      'tab.hidden': ({ tab, hides }) => (tab === 'hidden' ? {} : { tab: 'hidden', hides: hides + 1 }),
      'xstate.done.actor.tellVisible': () => ({ tab: 'told' }),
      'xstate.error.actor.tellVisible': () => ({ tab: 'told' }),
      'xstate.after.visibleInterval.push.tab.visible.told': ({ tells }) => ({ tab: 'telling', tells: tells + 1 }),
    },
    shown: ({ device, tells, hides, opened, isOn: on }) => ({ device, tells, hides, opened, isOn: on }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, {
        calls: {
          readDevice: sut.read,
          subscribe: sut.subscribe,
          renewSubscription: sut.renew,
          unsubscribe: sut.unsubscribe,
          tellVisible: sut.visible,
        },
        delays: {
          retryDelay: () => sut.clock.increment(sut.snapshot().context.retryDelay),
          visibleInterval: () => sut.clock.increment(25_000),
        },
      })
      await followBeside(path, drive, reference, () => ({
        device: selectPushDevice(sut.snapshot()),
        tells: sut.visible.calls.length,
        hides: sut.log.hidden,
        opened: sut.log.opened.length,
        isOn: sut.log.changes.at(-1) ?? false,
      }))
      sut.actor.stop()
    }
  })
})

describe('The tests of the notifications of a device together', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
