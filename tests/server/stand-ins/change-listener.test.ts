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
  const said: string[] = []
  const connections: { hear: (text: string) => void; lose: () => void }[] = []
  const readings = new Map<string, Promise<DescribedChange>>()
  let failing = 0
  let sayFails = false
  const changes = listenForChanges({
    listen: async (channel, hear, lose) => {
      if (failing > 0) {
        failing -= 1
        log.push('refused')
        throw new Error('away')
      }
      log.push(`listening to ${channel}`)
      connections.push({ hear, lose })
      return async () => void log.push('stopped')
    },
    read: (text) => readings.get(text) ?? Promise.resolve(changeOf(text)),
    notify: async (text) => {
      said.push(text)
      if (sayFails) throw new Error('cannot speak')
    },
    onChange: ({ record }) => log.push(`heard ${record['message_text']}`),
    onUp: () => log.push('up'),
    onDown: ({ message }) => log.push(`down: ${message}`),
    clock,
  })
  return {
    changes,
    clock,
    log,
    said,
    readings,
    connection: () => connections.at(-1) ?? { hear: () => {}, lose: () => {} },
    failNext: (times: number) => {
      failing = times
    },
    failToSay: () => {
      sayFails = true
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

test('passes changes on in order, however long one takes to read', async () => {
  const { connection, readings, log } = await started()
  let arrive = (_: DescribedChange) => {}
  readings.set(
    'slow',
    new Promise((resolve) => {
      arrive = resolve
    }),
  )
  connection().hear('slow')
  connection().hear('quick')
  await settle()
  expect(log).toEqual([])
  arrive(changeOf('slow'))
  await settle()
  expect(log).toEqual(['heard slow', 'heard quick'])
})

test('reports a lost listener once and reconnects, and drops what the old one still receives', async () => {
  const { connection, log, pass } = await started()
  const lost = connection()
  lost.hear('in time')
  await settle()
  lost.lose()
  lost.lose()
  lost.hear('too late')
  await pass(200)
  connection().hear('again')
  await settle()
  expect(log).toEqual([
    'heard in time',
    'stopped',
    'down: The database listener was lost',
    'listening to realtime',
    'up',
    'heard again',
  ])
})

test('treats an unreadable change as a lost listener', async () => {
  const { connection, readings, log } = await started()
  readings.set('swept', Promise.reject(new Error('no longer kept')))
  connection().hear('swept')
  connection().hear('after it')
  await settle()
  expect(log).toEqual(['stopped', 'down: no longer kept'])
})

test('retries with backoff from 200 ms to 5 s', async () => {
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

test('drops a listener without heartbeats', async () => {
  const { connection, said, log, pass } = await started()
  await pass(30_000)
  connection().hear(JSON.stringify({ heartbeat: 'of another process' }))
  connection().hear(said[0] ?? '')
  await pass(30_000)
  expect([said.length, log]).toEqual([2, []])
  connection().hear(said[0] ?? '')
  await pass(30_000)
  expect(log).toEqual(['stopped', 'down: The database listener hears nothing'])
})

test('drops a listener whose heartbeats cannot be sent', async () => {
  const { failToSay, log, pass } = await started()
  failToSay()
  await pass(30_000)
  expect(log).toEqual(['stopped', 'down: cannot speak'])
})

test('does nothing after it was stopped', async () => {
  const { changes, connection, said, log, pass } = await started()
  await changes.stop()
  connection().hear('late')
  connection().lose()
  await pass(120_000)
  expect([log, said]).toEqual([['stopped'], []])
})
