import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConditions, textOf } from '../../../server/alarms/conditions.ts'
import { forgetAuditEntries } from '../../../server/audit/audit.ts'
import type { Db } from '../../../server/database/database.ts'
import { publicLookupOf } from '../../../server/pictures/open-source.ts'
import { createPostWebhook, isAllowedAddress, type PostWebhook } from '../../../server/webhooks-out/addresses.ts'
import {
  lease,
  leaseTime,
  listDeliveries,
  resend,
  retryDelay,
  retryDelays,
} from '../../../server/webhooks-out/deliveries.ts'
import { secretsOf } from '../../../server/webhooks-out/endpoints.ts'
import { prepareNext } from '../../../server/webhooks-out/events.ts'
import { newWebhookSecret, signedHeaders } from '../../../server/webhooks-out/signatures.ts'
import { deliveriesPageSize, webhookLimits } from '../../../src/schemas/webhook.ts'
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../../webhook-receiver.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { openWebhooks, type Webhooks, webhookKeys } from './webhooks-harness.ts'

const hour = 60 * 60_000
const day = 24 * hour

it('signs as the published example of Standard Webhooks', async () => {
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    now: 1_614_265_330_900,
  }
  expect(signedHeaders(example)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

it('the example of the documentation accepts a request of the server, and refuses a changed or an old one', async () => {
  const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, code = ''] = /```js\n(.*?)```/s.exec(page) ?? []
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const [body, now] = ['{"text":"Magkano po?"}', at(0).getTime()]
  const [earlier, secret] = [newWebhookSecret(), newWebhookSecret()]
  const headers = signedHeaders({ id: 'evt_1', body, secrets: [secret, earlier], now })
  expect([
    isGenuine(secret, headers, body, now),
    isGenuine(earlier, headers, body, now),
    isGenuine(newWebhookSecret(), headers, body, now),
    isGenuine(secret, headers, `${body} `, now),
    isGenuine(secret, { ...headers, 'webhook-id': 'evt_2' }, body, now),
    isGenuine(secret, headers, body, now + 301_000),
  ]).toEqual([true, true, false, false, false, false])
})

it.each([
  ['https://shop.example.com/hook?key=1', true],
  ['https://shop.example.com:8443/', true],
  ['https://93.184.216.34/', true],
  ['http://localhost:9000/hook', true],
  ['http://shop.example.com/', false],
  ['http://localhost:9001/hook', false],
  ['https://user:password@shop.example.com/', false],
  ['https://127.0.0.1/', false],
  ['https://2130706433/', false],
  ['https://10.1.2.3/', false],
  ['https://169.254.169.254/latest/meta-data', false],
  ['https://[::1]/', false],
  ['https://[::ffff:127.0.0.1]/', false],
  ['https://[fe80::1]/', false],
  ['ftp://shop.example.com/', false],
  ['shop.example.com', false],
])('takes %s as an address: %s', (address, isAllowed) => {
  expect(isAllowedAddress(address, ['http://localhost:9000'])).toBe(isAllowed)
})

describe('the wait before a retry', () => {
  it('grows to a day, about three days in all, and then there is no further attempt', () => {
    const waits = Array.from({ length: 10 }, (_, index) => retryDelay(index + 1, null, () => 0))
    expect(waits).toEqual([...retryDelays, null])
    const days = retryDelays.reduce((sum, wait) => sum + wait, 0) / day
    expect(days).toBeCloseTo(3.15, 2)
  })

  it.each([
    ['is longer by up to a fifth', 2, null, 1, 6 * 60_000],
    ['is as long as the receiver asks', 1, 90, 0, 90_000],
    ['is not shorter than the schedule', 3, 1, 0, 30 * 60_000],
    ['is a day at most', 1, 1e9, 0, day],
  ])('%s', (_, tries, asked, random, expected) => {
    expect(retryDelay(tries, asked, () => random)).toBe(expected)
  })
})

describeOnDatabase('Deliveries of webhooks', (open) => {
  let db: Db
  let receiver: WebhookReceiver
  let hooks: Webhooks
  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['webhook_endpoints', 'webhook_events', 'pages'] as const) await db.deleteFrom(table).execute()
    await forgetAuditEntries(db, { olderThan: new Date('2100-01-01') })
    await addPage(db, 'p1', { name: 'Prints' })
    await addIdentity(db, 'u1', { page: 'p1', name: 'Wena Cruz' })
    receiver = await startWebhookReceiver()
    hooks = openWebhooks(db, receiver)
  })
  afterEach(() => receiver.close())

  const arrive = (id = 'm1') => addMessage(db, id, 'u1', 0)
  const stored = async (id: string) => (await hooks.endpoints.list()).find((endpoint) => endpoint.id === id)
  const audited = async () =>
    (await db.selectFrom('audit_entries').select(['action', 'staff_name', 'details']).orderBy('id').execute()).map(
      ({ action, staff_name, details }) => [action, staff_name, details],
    )
  const short = async () =>
    (await hooks.log()).map(({ state, attempts, status, error }) => [state, attempts, status, error])

  it('are retried with the same id and body by the schedule, and fail after the last attempt', async () => {
    const { secret } = await hooks.add(['message.received'])
    await arrive()
    const times: number[] = []
    for (const wait of [null, ...retryDelays]) {
      if (wait !== null) {
        hooks.clock.advance(wait - 1)
        await hooks.work()
        hooks.clock.advance(1)
      }
      receiver.answers.push({ status: 503 })
      await hooks.work()
      times.push(receiver.received.length)
    }
    expect(times).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    for (const request of receiver.received) expect(await isSignedWith(secret, request)).toBe(true)
    expect(await short()).toEqual([['failed', 10, 503, 'refused']])
    hooks.clock.advance(day)
    await hooks.work()
    expect(receiver.received).toHaveLength(10)
  })

  it('end with the first success, which also ends the failures of the endpoint', async () => {
    const { endpoint } = await hooks.add(['message.received'])
    receiver.answers.push({ status: 500 })
    await arrive()
    await hooks.work()
    expect((await stored(endpoint.id))?.failing_since).toBe(at(0).toISOString())
    hooks.clock.advance(5_000)
    await hooks.work()
    expect([await short(), (await stored(endpoint.id))?.failing_since]).toEqual([[['delivered', 2, 200, null]], null])
  })

  it.each<[string, number, Record<string, string>]>([
    ['a redirect is not followed', 302, { location: '/elsewhere' }],
    ['an answer outside of 2xx is a failure', 404, {}],
  ])('%s', async (_, status, headers) => {
    await hooks.add(['message.received'])
    receiver.answers.push({ status, headers })
    await arrive()
    await hooks.work()
    expect([receiver.received.map(({ path }) => path), await short()]).toEqual([
      ['/hook'],
      [['waiting', 1, status, 'refused']],
    ])
  })

  it('wait as long as a busy receiver asks', async () => {
    await hooks.add(['message.received'])
    receiver.answers.push({ status: 429, headers: { 'retry-after': '120' } })
    await arrive()
    await hooks.work()
    hooks.clock.advance(119_999)
    await hooks.work()
    expect(receiver.received).toHaveLength(1)
    hooks.clock.advance(1)
    await hooks.work()
    expect(receiver.received).toHaveLength(2)
  })

  it('go to no host whose name points to a private address', async () => {
    const { endpoint } = await hooks.add(['message.received'])
    await db.updateTable('webhook_endpoints').set({ url: 'https://inside.example.com/' }).execute()
    const lookup = publicLookupOf((_, __, callback) => callback(null, [{ address: '10.0.0.7', family: 4 }]))
    await arrive()
    await hooks.work({ post: createPostWebhook({ origins: [], lookup }) })
    expect(await short()).toEqual([['waiting', 1, null, 'private_address']])
    await db.updateTable('webhook_endpoints').set({ url: 'http://127.0.0.1:1/' }).execute()
    hooks.clock.advance(5_000)
    await hooks.work()
    expect([await short(), hooks.logged, (await stored(endpoint.id))?.url]).toEqual([
      [['waiting', 2, null, 'address_not_allowed']],
      [
        { host: 'inside.example.com', status: null, reason: 'private_address' },
        { host: '127.0.0.1:1', status: null, reason: 'address_not_allowed' },
      ],
      'http://127.0.0.1:1/',
    ])
  })

  it('two processes make each attempt once', async () => {
    await hooks.add(['message.received'], '/one')
    await hooks.add(['message.received'], '/two')
    for (let index = 0; index < 30; index += 1) await arrive(`m${index}`)
    await Promise.all([hooks.work(), hooks.work(), hooks.work()])
    // A process that found everything leased leaves the rest to the others.
    await hooks.work()
    const seen = receiver.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`)
    expect([seen.length, new Set(seen).size]).toEqual([60, 60])
    expect((await hooks.log()).filter(({ state, attempts }) => state === 'delivered' && attempts === 1)).toHaveLength(
      60,
    )
  })

  it('leases that are taken at the same moment have no delivery in common', async () => {
    for (const path of ['/one', '/two', '/three']) await hooks.add(['message.received'], path)
    for (let index = 0; index < 40; index += 1) await arrive(`m${index}`)
    const now = hooks.clock.now()
    await prepareNext(db, { currency: 'PHP', now })
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => lease(db, { now, free: 16, perEndpoint: 8, running: [] })),
    )
    const ids = taken.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(Math.max(...taken.map(({ length }) => length))).toBe(16)
    expect(taken.flat().every(({ attempts }) => attempts === 1)).toBe(true)
  })

  it('a crash in the middle of an attempt is followed by another when the lease ends; a late result changes nothing', async () => {
    await hooks.add(['message.received'])
    await arrive()
    let fail: (error: Error) => void = () => {}
    const hanging: PostWebhook = () =>
      new Promise((_, reject) => {
        fail = reject
      })
    const lost = hooks.newWorker({ post: hanging })
    lost.start()
    await expect.poll(short).toEqual([['waiting', 1, null, null]])
    hooks.clock.advance(leaseTime - 1)
    await hooks.work()
    expect(receiver.received).toEqual([])
    hooks.clock.advance(1)
    receiver.answers.push({ status: 500 })
    await hooks.work()
    const after = await hooks.log()
    expect([receiver.received.length, after]).toEqual([
      1,
      [expect.objectContaining({ state: 'waiting', attempts: 2, status: 500, error: 'refused' })],
    ])
    fail(new Error('late'))
    await lost.settled()
    await lost.stop()
    expect(await hooks.log()).toEqual(after)
  })

  it('a slow endpoint leaves room for the others', async () => {
    await hooks.add(['message.received'], '/slow')
    await hooks.add(['message.received'], '/fast')
    for (let index = 0; index < 20; index += 1) await arrive(`m${index}`)
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let slow = 0
    const worker = hooks.newWorker({
      post: async (request) => {
        if (request.url.endsWith('/slow')) {
          slow += 1
          await held
        }
        return hooks.post(request)
      },
    })
    worker.start()
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(20)
    expect([new Set(receiver.received.map(({ path }) => path)), slow]).toEqual([new Set(['/fast']), 4])
    release()
    await worker.settled()
    await worker.stop()
    expect(receiver.received).toHaveLength(40)
  })

  it('an endpoint that answers 410 is switched off, with an alarm, an audit entry and nothing left waiting', async () => {
    const { endpoint } = await hooks.add(['message.received'])
    await arrive('m1')
    receiver.answers.push({ status: 410 })
    await hooks.work()
    await arrive('m2')
    await hooks.work()
    expect(receiver.received).toHaveLength(1)
    expect(await stored(endpoint.id)).toMatchObject({
      is_active: false,
      disabled_reason: 'gone',
      disabled_at: at(0).toISOString(),
    })
    expect([await short(), hooks.switchedOff()]).toEqual([[['failed', 1, 410, 'refused']], 1])
    const host = new URL(receiver.origin).host
    const conditions = await readConditions(db, hooks.clock.now())
    expect(conditions.map(textOf)).toEqual([
      `The webhook to ${host} was switched off: the receiver answered that it is gone. Switch it on in "Webhooks", or delete it.`,
    ])
    expect(await audited()).toEqual([
      ['webhook.created', 'Server', { host, events: ['message.received'], active: true }],
      ['webhook.disabled', 'Server', { host, cause: 'gone' }],
    ])
  })

  it('an endpoint that only fails raises an alarm after a day, and is switched off after five', async () => {
    const { endpoint } = await hooks.add(['message.received'])
    const failing = async (id: string) => {
      receiver.answers.length = 0
      for (let index = 0; index < 20; index += 1) receiver.answers.push({ status: 500 })
      await arrive(id)
      await hooks.work()
    }
    const alarms = async () => (await readConditions(db, hooks.clock.now())).map(({ kind, subject }) => [kind, subject])
    await failing('m1')
    hooks.clock.advance(day)
    await failing('m2')
    expect(await alarms()).toEqual([])
    hooks.clock.advance(1)
    expect(await alarms()).toEqual([['endpoint-failing', endpoint.id]])
    hooks.clock.advance(4 * day - 2)
    await failing('m3')
    expect((await stored(endpoint.id))?.is_active).toBe(true)
    hooks.clock.advance(5_001)
    await hooks.work()
    expect([await stored(endpoint.id), await alarms()]).toMatchObject([
      { is_active: false, disabled_reason: 'failures' },
      [['endpoint-off', endpoint.id]],
    ])
    expect((await hooks.log()).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])

    const body = { url: endpoint.url, description: '', events: ['message.received' as const], is_active: true }
    expect(await hooks.endpoints.change(endpoint.id, body, hooks.by())).toBe('changed')
    expect([await stored(endpoint.id), await alarms()]).toMatchObject([
      { is_active: true, disabled_reason: null, disabled_at: null, failing_since: null },
      [],
    ])
  })

  it('a replaced secret signs beside the new one for a day, and no longer', async () => {
    const { endpoint, secret } = await hooks.add(['message.received'])
    const next = (await hooks.endpoints.replaceSecret(endpoint.id, hooks.by())) ?? ''
    const signedBy = async (id: string) => {
      await arrive(id)
      await hooks.work()
      const request = receiver.received.at(-1)
      if (request === undefined) throw new Error('nothing was received')
      return [await isSignedWith(next, request), await isSignedWith(secret, request)]
    }
    hooks.clock.advance(day - 1)
    expect(await signedBy('m1')).toEqual([true, true])
    hooks.clock.advance(1)
    expect(await signedBy('m2')).toEqual([true, false])
    expect(await db.selectFrom('webhook_endpoints').selectAll().execute()).not.toContainEqual(
      expect.objectContaining({ secret_encrypted: expect.stringContaining('whsec_') }),
    )
  })

  it('nothing is posted unsigned when no key reads the secret', async () => {
    const { endpoint } = await hooks.add(['message.received'])
    await db.updateTable('webhook_endpoints').set({ secret_encrypted: 'unreadable' }).execute()
    await arrive()
    await hooks.work()
    expect([receiver.received, await short()]).toEqual([[], [['waiting', 1, null, 'secret_unreadable']]])
    const row = await db.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow()
    expect(secretsOf(webhookKeys, { ...row, id: endpoint.id }, 0)).toBeNull()
  })

  it('are sent again by hand with all retries, whatever their state', async () => {
    const { endpoint } = await hooks.add(['message.received'])
    await arrive()
    await hooks.work()
    const [{ id } = { id: 0 }] = await hooks.log()
    const again = () => resend(db, { endpointId: endpoint.id, deliveryId: id }, hooks.by())
    for (let index = 0; index < 10; index += 1) receiver.answers.push({ status: 500 })
    expect(await again()).toBe('sent')
    await hooks.work()
    expect(await short()).toEqual([['waiting', 2, 500, 'refused']])
    // It waits for its retry: a second request sends it at once.
    expect(await again()).toBe('sent')
    await hooks.work()
    expect([receiver.received.length, await short()]).toEqual([3, [['waiting', 3, 500, 'refused']]])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await resend(db, { endpointId: endpoint.id, deliveryId: id + 1 }, hooks.by())).toBe('missing')
    expect(await resend(db, { endpointId: 'other', deliveryId: id }, hooks.by())).toBe('missing')
    const body = { url: endpoint.url, description: '', events: ['message.received' as const], is_active: false }
    await hooks.endpoints.change(endpoint.id, body, hooks.by())
    expect([await again(), await short()]).toEqual(['off', [['failed', 3, 500, 'endpoint_off']]])
    const resent = (await audited()).filter(([action]) => action === 'webhook.resent')
    expect(resent).toHaveLength(2)
  })

  it('an attempt that runs is not made a second time by hand', async () => {
    const { endpoint } = await hooks.add(['message.received'])
    await arrive()
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const worker = hooks.newWorker({
      post: async (request) => {
        await held
        return hooks.post(request)
      },
    })
    worker.start()
    await expect.poll(short).toEqual([['waiting', 1, null, null]])
    const [{ id } = { id: 0 }] = await hooks.log()
    expect(await resend(db, { endpointId: endpoint.id, deliveryId: id }, hooks.by())).toBe('sent')
    await hooks.work()
    release()
    await worker.settled()
    await worker.stop()
    expect([receiver.received.length, await short()]).toEqual([1, [['delivered', 1, 200, null]]])
  })

  it('the test event goes to its endpoint alone, whatever events that receives', async () => {
    const { endpoint } = await hooks.add(['order.changed'], '/tested')
    await hooks.add(['order.changed'], '/other')
    expect(await hooks.endpoints.test(endpoint.id, new Date(hooks.clock.now()))).toBe('stored')
    await hooks.work()
    expect(receiver.received.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      [
        '/tested',
        {
          id: expect.stringMatching(/^evt_/),
          type: 'webhook.test',
          version: 1,
          timestamp: at(0).toISOString(),
          data: { text: 'This is a test event.' },
        },
      ],
    ])
    expect(await hooks.endpoints.test('other', at(0))).toBe('missing')
  })

  it('the log has every delivery once, page by page, newest first', async () => {
    const { endpoint } = await hooks.add(['message.received'])
    for (let index = 0; index < deliveriesPageSize + 1; index += 1) await arrive(`m${index}`)
    await hooks.work()
    const first = await listDeliveries(db, endpoint.id, {})
    const second = await listDeliveries(db, endpoint.id, { before: first?.next ?? 0 })
    expect([first?.deliveries.length, second?.deliveries.length, second?.next]).toEqual([deliveriesPageSize, 1, null])
    const ids = [...(first?.deliveries ?? []), ...(second?.deliveries ?? [])].map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((one, other) => other - one))
    expect(first?.deliveries[0]).toEqual({
      id: ids[0],
      event_id: expect.stringMatching(/^evt_/),
      type: 'message.received',
      state: 'delivered',
      attempts: 1,
      created_at: at(0).toISOString(),
      last_attempt_at: at(0).toISOString(),
      next_attempt_at: null,
      status: 200,
      error: null,
    })
    expect(await listDeliveries(db, 'other', {})).toBeNull()
  })

  it.each([
    ['thirty days', {}, 30],
    ['the days of the events, if these are fewer', { retainedDays: 7 }, 7],
  ])('the log is kept for %s', async (_, change, days) => {
    await hooks.add(['message.received'])
    await arrive('m1')
    await hooks.work()
    hooks.clock.advance(days * day)
    await hooks.work(change)
    expect(await hooks.log()).toHaveLength(1)
    hooks.clock.advance(1)
    await hooks.work(change)
    expect(await hooks.log()).toEqual([])
  })

  it('goes with its endpoint, and there are at most twenty endpoints', async () => {
    const { endpoint } = await hooks.add(['message.received'])
    await arrive()
    await hooks.work()
    for (let times = 0; times < 2; times += 1) await hooks.endpoints.delete(endpoint.id, hooks.by())
    expect([await hooks.log(), await hooks.endpoints.list()]).toEqual([[], []])
    expect((await audited()).filter(([action]) => action === 'webhook.deleted')).toHaveLength(1)
    for (let index = 0; index < webhookLimits.endpoints; index += 1) await hooks.add(['order.changed'])
    const body = { url: `${receiver.origin}/`, description: '', events: ['order.changed' as const], is_active: true }
    expect([
      await hooks.endpoints.create(body, hooks.by()),
      await hooks.endpoints.create({ ...body, url: 'http://example.com/' }, hooks.by()),
    ]).toEqual(['tooMany', 'notAllowed'])
  })
})
