import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type DescribedChange, listenForChanges } from '../../../server/stand-ins/supabase/realtime/changes.ts'
import { manualClock } from '../manual-clock.ts'

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const changeOf = (text: string): DescribedChange => ({
  schema: 'public',
  table: 'messages',
  type: 'INSERT',
  commit_timestamp: '2026-03-01T08:00:00.000Z',
  record: { message_text: text },
  old_record: {},
  columns: [],
  errors: null,
})

/** Flushes pending microtasks. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

const setUp = () => {
  const clock = manualClock()
  const log: string[] = []
  const sent: string[] = []
  const connections: { receive: (text: string) => void | Promise<void>; lose: () => void }[] = []
  const readings = new Map<string, Promise<DescribedChange>>()
  let failing = 0
  let sendFails = false
  const changes = listenForChanges({
    transport: {
      listen: async (channel, receive, lose) => {
        if (failing > 0) {
          failing -= 1
          log.push('refused')
          throw new Error('connection refused')
        }
        log.push(`listening to ${channel}`)
        connections.push({ receive, lose })
        return async () => void log.push('stopped')
      },
      tell: async (text) => {
        sent.push(text)
        if (sendFails) throw new Error('sending failed')
      },
      heartbeatInterval: 30_000,
    },
    read: async (text) => ({ change: await (readings.get(text) ?? changeOf(text)) }),
    onAnnouncement: (announcement) =>
      log.push('change' in announcement ? `received ${announcement.change.record['message_text']}` : 'access changed'),
    onUp: () => log.push('up'),
    onDown: ({ message }) => log.push(`down: ${message}`),
    clock,
  })
  return {
    changes,
    clock,
    log,
    sent,
    readings,
    connection: () => connections.at(-1) ?? { receive: () => {}, lose: () => {} },
    failNext: (times: number) => {
      failing = times
    },
    failToSend: () => {
      sendFails = true
    },
    pass: async (milliseconds: number) => {
      clock.advance(milliseconds)
      await settle()
    },
  }
}

const started = async () => {
  const set = setUp()
  await set.changes.start()
  set.log.length = 0
  return set
}

test('listenForChanges reports changes in order, however long reading one takes', async () => {
  const { connection, readings, log } = await started()
  let resolveSlow = (_: DescribedChange) => {}
  readings.set(
    'slow',
    new Promise((resolve) => {
      resolveSlow = resolve
    }),
  )
  connection().receive('slow')
  connection().receive('quick')
  await settle()
  expect(log).toEqual([])
  resolveSlow(changeOf('slow'))
  await settle()
  expect(log).toEqual(['received slow', 'received quick'])
})

test('listenForChanges reports a lost listener once, reconnects, and ignores later changes of the old listener', async () => {
  const { connection, log, pass } = await started()
  const lost = connection()
  lost.receive('in time')
  await settle()
  lost.lose()
  lost.lose()
  lost.receive('too late')
  await pass(200)
  connection().receive('again')
  await settle()
  expect(log).toEqual([
    'received in time',
    'stopped',
    'down: The listener was lost',
    'listening to realtime',
    'up',
    'received again',
  ])
})

test('listenForChanges reconnects after an unreadable change', async () => {
  const { connection, readings, log } = await started()
  readings.set('swept', Promise.reject(new Error('no longer kept')))
  connection().receive('swept')
  connection().receive('after it')
  await settle()
  expect(log).toEqual(['stopped', 'down: no longer kept'])
})

test('listenForChanges reconnects with backoff from 200 ms to 5 s', async () => {
  const { changes, failNext, log, pass } = setUp()
  failNext(8)
  await changes.start()
  for (const wait of [200, 400, 800, 1600, 3200, 5000, 5000]) {
    const tries = () => log.filter((entry) => entry === 'refused').length
    const before = tries()
    await pass(wait - 1)
    expect(tries()).toBe(before)
    await pass(1)
    expect(tries()).toBe(before + 1)
  }
  await pass(5000)
  expect(log.slice(-2)).toEqual(['listening to realtime', 'up'])
})

test('listenForChanges reconnects without heartbeats', async () => {
  const { connection, sent, log, pass } = await started()
  await pass(30_000)
  connection().receive(JSON.stringify({ heartbeat: 'of another process' }))
  connection().receive(sent[0] ?? '')
  await pass(30_000)
  expect([sent.length, log]).toEqual([2, []])
  connection().receive(sent[0] ?? '')
  await pass(30_000)
  expect(log).toEqual(['stopped', 'down: The listener receives no heartbeats'])
})

test('listenForChanges reconnects when a heartbeat cannot be sent', async () => {
  const { failToSend, log, pass } = await started()
  failToSend()
  await pass(30_000)
  expect(log).toEqual(['stopped', 'down: sending failed'])
})

test('listenForChanges does nothing after stop', async () => {
  const { changes, connection, sent, log, pass } = await started()
  await changes.stop()
  connection().receive('late')
  connection().lose()
  await pass(120_000)
  expect([log, sent]).toEqual([['stopped'], []])
})
