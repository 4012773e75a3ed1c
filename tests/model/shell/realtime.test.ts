import { describe, expect, it } from 'vitest'
import { startRealtime, startRealtimeWith } from './realtime-fixture.ts'

const error = { kind: 'error', text: 'Real-time messaging connection error' }
const timedOut = { kind: 'error', text: 'Real-time messaging connection timed out' }

function live() {
  const sut = startRealtime()
  sut.becomeReady('messages', 'users')
  sut.send({ type: 'resync.done' })
  return sut
}

describe('becoming Live', () => {
  it('takes both channels, what the server says of them, and having caught up', () => {
    const sut = startRealtime()
    expect(sut.channels.map(({ input }) => input)).toEqual([
      { channel: 'messages', needsFreshToken: false },
      { channel: 'users', needsFreshToken: false },
    ])
    const steps = [
      () => sut.report('messages', 'subscribed'),
      () => sut.report('users', 'subscribed'),
      () => sut.report('messages', 'ready'),
    ].map((step) => {
      step()
      return [sut.connection(), [...sut.told]]
    })
    expect(steps).toEqual([
      ['connecting', []],
      ['connecting', []],
      ['connecting', []],
    ])
    sut.report('users', 'ready')
    expect([sut.connection(), sut.told]).toEqual(['connecting', ['resync.requested']])
    sut.send({ type: 'resync.done' })
    expect(sut.connection()).toBe('live')
    expect(sut.toasts).toEqual([])
  })

  it('believes a server that never says it is ready after 5 s', () => {
    const sut = startRealtime()
    sut.report('messages', 'subscribed')
    sut.report('users', 'subscribed')
    sut.clock.increment(4_999)
    expect(sut.told).toEqual([])
    sut.clock.increment(1)
    expect(sut.told).toEqual(['resync.requested'])
  })

  it('catches up once more when the server says only later that it is ready', () => {
    const sut = startRealtime()
    sut.report('messages', 'subscribed')
    sut.report('users', 'subscribed')
    sut.clock.increment(5_000)
    sut.report('messages', 'ready')
    expect([sut.connection(), sut.told]).toEqual(['connecting', ['resync.requested', 'resync.requested']])
    sut.send({ type: 'resync.done' })
    sut.report('users', 'ready')
    expect([sut.connection(), sut.told]).toEqual(['live', ['resync.requested', 'resync.requested', 'resync.requested']])
  })

  it('asks again to catch up where nobody answers within 30 s', () => {
    const sut = startRealtime()
    sut.becomeReady('messages', 'users')
    sut.clock.increment(30_000)
    expect(sut.told).toEqual(['resync.requested', 'resync.requested'])
    expect(sut.connection()).toBe('connecting')
  })

  it('catches up anew where the machine slept meanwhile', () => {
    const sut = startRealtime()
    sut.becomeReady('messages', 'users')
    sut.send({ type: 'clock.jumped' })
    expect([sut.connection(), sut.told]).toEqual(['connecting', ['resync.requested', 'resync.requested']])
  })

  it('does not count an answer for a channel that broke meanwhile', () => {
    const sut = startRealtime()
    sut.becomeReady('messages', 'users')
    sut.report('users', 'failed')
    sut.send({ type: 'resync.done' })
    expect(sut.connection()).toBe('offline')
  })

  it('does not count it either once that channel is back and believed', () => {
    const sut = startRealtime()
    sut.becomeReady('messages', 'users')
    sut.report('users', 'failed')
    sut.clock.increment(1_000)
    sut.report('users', 'subscribed')
    sut.clock.increment(5_000)
    expect([sut.connection(), sut.told]).toEqual(['connecting', ['resync.requested', 'resync.requested']])
  })
})

describe('a channel that breaks', () => {
  it.each([
    ['failed', error],
    ['timedOut', timedOut],
  ] as const)('is Offline and told when it %s, is made anew after 1 s, and the other goes on', (what, toast) => {
    const sut = live()
    sut.report('users', what)
    expect([sut.connection(), sut.toasts]).toEqual(['offline', [toast]])
    sut.clock.increment(999)
    expect(sut.opened('users').map(({ isOpen }) => isOpen)).toEqual([false])
    sut.clock.increment(1)
    expect(sut.opened('users').map(({ isOpen }) => isOpen)).toEqual([false, true])
    expect(sut.opened('messages').map(({ isOpen }) => isOpen)).toEqual([true])
    expect(sut.connection()).toBe('offline')
    sut.becomeReady('users')
    expect([sut.connection(), sut.told]).toEqual(['connecting', ['resync.requested', 'resync.requested']])
    sut.send({ type: 'resync.done' })
    expect(sut.connection()).toBe('live')
  })

  it('is tried again after 1, 2, 5, 10 and then every 30 s, and told once', () => {
    const sut = startRealtime()
    const waits = [1_000, 2_000, 5_000, 10_000, 30_000, 30_000].map((wait, index) => {
      sut.report('messages', 'failed')
      sut.clock.increment(wait - 1)
      const before = sut.opened('messages').length
      sut.clock.increment(1)
      return [before, sut.opened('messages').length, index]
    })
    expect(waits).toEqual([1, 2, 3, 4, 5, 6].map((count, index) => [count, count + 1, index]))
    expect(sut.toasts.filter(({ text }) => text === error.text)).toEqual([error])
  })

  it.each([
    [0, 500],
    [0.5, 750],
    [1, 1_000],
  ])('waits between half of its delay and all of it: by %d of chance %d ms', (chance, wait) => {
    const sut = startRealtimeWith(() => chance)
    sut.report('messages', 'failed')
    sut.clock.increment(wait - 1)
    const before = sut.opened('messages').length
    sut.clock.increment(1)
    expect([before, sut.opened('messages').length]).toEqual([1, 2])
  })

  it('is told again when it breaks after it was back', () => {
    const sut = live()
    sut.report('users', 'failed')
    sut.clock.increment(1_000)
    sut.becomeReady('users')
    sut.report('users', 'failed')
    expect(sut.toasts).toEqual([error, error])
  })

  it('gets a fresh token when the server closed it, and nobody is told', () => {
    const sut = live()
    sut.report('messages', 'closed')
    expect([sut.connection(), sut.toasts]).toEqual(['offline', []])
    sut.clock.increment(1_000)
    expect(sut.opened('messages').at(-1)?.input).toEqual({ channel: 'messages', needsFreshToken: true })
    sut.becomeReady('messages')
    sut.report('messages', 'failed')
    sut.clock.increment(1_000)
    expect(sut.opened('messages').at(-1)?.input).toEqual({ channel: 'messages', needsFreshToken: false })
  })

  it('gets a fresh token when the server refused the one it had', () => {
    const sut = startRealtime()
    sut.opened('users').at(-1)?.report({ type: 'channel.failed', channel: 'users', isTokenRefused: true })
    sut.clock.increment(1_000)
    expect(sut.opened('users').at(-1)?.input).toEqual({ channel: 'users', needsFreshToken: true })
    expect(sut.opened('messages').at(-1)?.input).toEqual({ channel: 'messages', needsFreshToken: false })
  })

  it('times out when nothing is heard of it for 20 s', () => {
    const sut = startRealtime()
    sut.becomeReady('users')
    sut.clock.increment(20_000)
    expect([sut.connection(), sut.toasts]).toEqual(['offline', [timedOut]])
  })
})

describe.each([
  ['messages', 'users'],
  ['users', 'messages'],
] as const)('what is heard of the channel of %s', (channel, other) => {
  const start = () => {
    const sut = startRealtime()
    const standing = () => {
      const { value } = sut.actor.getSnapshot()
      return [value[channel], value[other]]
    }
    return { ...sut, standing }
  }
  const connecting = { open: 'connecting' }
  const settling = { open: { subscribed: 'confirming' } }

  it('leads it from connecting to ready, and not the other', () => {
    const sut = start()
    sut.report(channel, 'subscribed')
    expect(sut.standing()).toEqual([settling, connecting])
    sut.report(other, 'subscribed')
    sut.report(channel, 'ready')
    expect(sut.standing()).toEqual([{ open: { subscribed: 'ready' } }, settling])
  })

  it.each([
    ['failed', 'channelError'],
    ['timedOut', 'timedOut'],
    ['closed', 'disconnected'],
  ] as const)(
    'that it %s takes it down and not the other; it is made anew in time, and at once when the network is back',
    (what, standing) => {
      const [inTime, atOnce] = [start(), start()]
      for (const sut of [inTime, atOnce]) {
        sut.report(channel, what)
        expect(sut.standing()).toEqual([standing, connecting])
      }
      inTime.clock.increment(1_000)
      atOnce.send({ type: 'browser.online' })
      expect([inTime.standing(), atOnce.standing()]).toEqual([
        [connecting, connecting],
        [connecting, connecting],
      ])
    },
  )

  it('is nothing for 20 s: it timed out', () => {
    const sut = start()
    sut.report(other, 'subscribed')
    sut.clock.increment(20_000)
    expect(sut.standing()).toEqual(['timedOut', { open: { subscribed: 'ready' } }])
  })
})

describe('while it cannot hear', () => {
  it('asks for a poll every 30 s, and every 120 s while the tab is hidden', () => {
    const sut = startRealtime()
    sut.report('messages', 'failed')
    sut.report('users', 'failed')
    sut.clock.increment(30_000)
    expect(sut.told).toEqual(['inbox.invalidated'])
    sut.send({ type: 'tab.hidden' })
    sut.clock.increment(30_000)
    expect(sut.told).toEqual(['inbox.invalidated', 'inbox.invalidated'])
    sut.clock.increment(119_999)
    expect(sut.told.length).toBe(2)
    sut.clock.increment(1)
    expect(sut.told.length).toBe(3)
  })

  it('is Offline as soon as the browser is, and tries again at once when that is back', () => {
    const sut = live()
    sut.send({ type: 'browser.offline' })
    expect([sut.connection(), sut.toasts, sut.channels.map(({ isOpen }) => isOpen)]).toEqual([
      'offline',
      [],
      [false, false],
    ])
    sut.send({ type: 'browser.online' })
    expect(sut.channels.map(({ isOpen }) => isOpen)).toEqual([false, false, true, true])
  })
})

describe('while Live', () => {
  it('asks for no poll', () => {
    const sut = live()
    sut.clock.increment(600_000)
    expect(sut.told).toEqual(['resync.requested'])
  })

  it.each(['clock.jumped', 'browser.online'] as const)('catches up before it is Live again after %s', (type) => {
    const sut = live()
    sut.send({ type })
    expect([sut.connection(), sut.told.length]).toEqual(['connecting', 2])
    sut.send({ type: 'resync.done' })
    expect(sut.connection()).toBe('live')
  })

  it('looks again when the tab is shown, and stays Live', () => {
    const sut = live()
    sut.send({ type: 'tab.hidden' })
    sut.send({ type: 'tab.shown' })
    expect([sut.connection(), sut.told]).toEqual(['live', ['resync.requested', 'resync.requested']])
    expect(sut.actor.getSnapshot().context.isHidden).toBe(false)
  })

  it('catches up 2 s after a change it could not read, once for many', () => {
    const sut = live()
    for (let count = 0; count < 50; count += 1) sut.send({ type: 'row.refused' })
    expect([sut.connection(), sut.told.length]).toEqual(['live', 1])
    sut.clock.increment(2_000)
    expect([sut.connection(), sut.told.length]).toEqual(['connecting', 2])
    sut.send({ type: 'resync.done' })
    sut.clock.increment(600_000)
    expect([sut.connection(), sut.told.length]).toEqual(['live', 2])
  })

  it('catches up once more for a change it could not read while catching up', () => {
    const sut = startRealtime()
    sut.becomeReady('messages', 'users')
    sut.send({ type: 'row.refused' })
    sut.send({ type: 'resync.done' })
    sut.clock.increment(2_000)
    expect(sut.told).toEqual(['resync.requested', 'resync.requested'])
    sut.send({ type: 'resync.done' })
    sut.clock.increment(600_000)
    expect([sut.connection(), sut.told.length]).toEqual(['live', 2])
  })
})

it('closes its channels when the session ends', () => {
  const sut = live()
  sut.actor.stop()
  expect(sut.channels.map(({ isOpen }) => isOpen)).toEqual([false, false])
})
