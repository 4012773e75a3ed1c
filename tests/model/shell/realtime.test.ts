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

describe('the change to Live', () => {
  it('requires both channels, the confirmation of the server for each, and a completed resync', () => {
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

  it('happens after 5 s without a confirmation of the server', () => {
    const sut = startRealtime()
    sut.report('messages', 'subscribed')
    sut.report('users', 'subscribed')
    sut.clock.increment(4_999)
    expect(sut.told).toEqual([])
    sut.clock.increment(1)
    expect(sut.told).toEqual(['resync.requested'])
  })

  it('includes a second resync if the server confirms late', () => {
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

  it('requests the resync again if it is not acknowledged within 30 s', () => {
    const sut = startRealtime()
    sut.becomeReady('messages', 'users')
    sut.clock.increment(30_000)
    expect(sut.told).toEqual(['resync.requested', 'resync.requested'])
    expect(sut.connection()).toBe('connecting')
  })

  it('requests the resync again after the computer slept', () => {
    const sut = startRealtime()
    sut.becomeReady('messages', 'users')
    sut.send({ type: 'clock.jumped' })
    expect([sut.connection(), sut.told]).toEqual(['connecting', ['resync.requested', 'resync.requested']])
  })

  it('ignores the acknowledgement for a channel that broke in the meantime', () => {
    const sut = startRealtime()
    sut.becomeReady('messages', 'users')
    sut.report('users', 'failed')
    sut.send({ type: 'resync.done' })
    expect(sut.connection()).toBe('offline')
  })

  it('ignores that acknowledgement also after the channel is subscribed again', () => {
    const sut = startRealtime()
    sut.becomeReady('messages', 'users')
    sut.report('users', 'failed')
    sut.clock.increment(1_000)
    sut.report('users', 'subscribed')
    sut.clock.increment(5_000)
    expect([sut.connection(), sut.told]).toEqual(['connecting', ['resync.requested', 'resync.requested']])
  })
})

describe('a broken channel', () => {
  it.each([
    ['failed', error],
    ['timedOut', timedOut],
  ] as const)('with the status %s means Offline with a toast, and is replaced alone after 1 s', (what, toast) => {
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

  it('is retried after 1, 2, 5, 10 and then every 30 s, with a single toast', () => {
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
  ])('waits between half of its delay and all of it: for the random value %d %d ms', (chance, wait) => {
    const sut = startRealtimeWith({ random: () => chance })
    sut.report('messages', 'failed')
    sut.clock.increment(wait - 1)
    const before = sut.opened('messages').length
    sut.clock.increment(1)
    expect([before, sut.opened('messages').length]).toEqual([1, 2])
  })

  it('shows a toast again when it breaks a second time', () => {
    const sut = live()
    sut.report('users', 'failed')
    sut.clock.increment(1_000)
    sut.becomeReady('users')
    sut.report('users', 'failed')
    expect(sut.toasts).toEqual([error, error])
  })

  it('gets a new token without a toast if the server closed it', () => {
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

  it('gets a new token if the server refused the old one', () => {
    const sut = startRealtime()
    sut.opened('users').at(-1)?.report({ type: 'channel.failed', channel: 'users', isTokenRefused: true })
    sut.clock.increment(1_000)
    expect(sut.opened('users').at(-1)?.input).toEqual({ channel: 'users', needsFreshToken: true })
    expect(sut.opened('messages').at(-1)?.input).toEqual({ channel: 'messages', needsFreshToken: false })
  })

  it('has the inbox fetched at once if the server refuses access, because the session may have ended', () => {
    const sut = startRealtime()
    sut.opened('users').at(-1)?.report({ type: 'channel.failed', channel: 'users', isTokenRefused: true })
    expect(sut.told).toEqual([])
    sut.opened('messages').at(-1)?.report({ type: 'access.refused' })
    expect(sut.told).toEqual(['inbox.invalidated'])
  })

  it('times out after 20 s without a status', () => {
    const sut = startRealtime()
    sut.becomeReady('users')
    sut.clock.increment(20_000)
    expect([sut.connection(), sut.toasts]).toEqual(['offline', [timedOut]])
  })
})

describe.each([
  ['messages', 'users'],
  ['users', 'messages'],
] as const)('a status of the channel of %s', (channel, other) => {
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

  it('moves it from connecting to ready, and not the other channel', () => {
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
    'of the kind %s stops only that channel; a new one follows in time, or at once when the network returns',
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

  it('that is missing for 20 s counts as a timeout', () => {
    const sut = start()
    sut.report(other, 'subscribed')
    sut.clock.increment(20_000)
    expect(sut.standing()).toEqual(['timedOut', { open: { subscribed: 'ready' } }])
  })
})

describe('realtime without a subscribed channel', () => {
  it('requests a poll every 30 s, and every 120 s while the tab is hidden', () => {
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

  it('is Offline as soon as the browser is, and retries at once when the browser is online', () => {
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

describe('realtime in the state Live', () => {
  it('requests no poll', () => {
    const sut = live()
    sut.clock.increment(600_000)
    expect(sut.told).toEqual(['resync.requested'])
  })

  it.each(['clock.jumped', 'browser.online'] as const)('requests a resync before it is Live again after %s', (type) => {
    const sut = live()
    sut.send({ type })
    expect([sut.connection(), sut.told.length]).toEqual(['connecting', 2])
    sut.send({ type: 'resync.done' })
    expect(sut.connection()).toBe('live')
  })

  it('requests a poll when the tab is shown, and stays Live', () => {
    const sut = live()
    sut.send({ type: 'tab.hidden' })
    sut.send({ type: 'tab.shown' })
    expect([sut.connection(), sut.told]).toEqual(['live', ['resync.requested', 'resync.requested']])
    expect(sut.actor.getSnapshot().context.isHidden).toBe(false)
  })

  it('requests one resync 2 s after changes that it could not parse', () => {
    const sut = live()
    for (let count = 0; count < 50; count += 1) sut.send({ type: 'row.refused' })
    expect([sut.connection(), sut.told.length]).toEqual(['live', 1])
    sut.clock.increment(2_000)
    expect([sut.connection(), sut.told.length]).toEqual(['connecting', 2])
    sut.send({ type: 'resync.done' })
    sut.clock.increment(600_000)
    expect([sut.connection(), sut.told.length]).toEqual(['live', 2])
  })

  it('requests another resync for a change that it could not parse during a resync', () => {
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

it('realtime closes its channels when the session ends', () => {
  const sut = live()
  sut.actor.stop()
  expect(sut.channels.map(({ isOpen }) => isOpen)).toEqual([false, false])
})
