import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Graph } from '../../../server/network/graph/graph.ts'
import { createNormalizeUrl } from '../../../server/network/graph/normalize-url.ts'
import { connectPage } from '../../../server/network/pages/connect-page.ts'
import type { Ingest } from '../../../server/network/webhooks/ingest.ts'
import { createWebhookWorker } from '../../../server/network/webhooks/webhook-worker.ts'
import { createWebhooks } from '../../../server/network/webhooks/webhooks.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { appSecret, type Harness, openHarness, prints, printsInstagram, verifyToken } from '../network-harness.ts'

let serial = 0
const fresh = (kind: string) => `${kind}_${++serial}`

describeOnEachDatabase('POST /webhooks/meta', (open, isMain) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  const delivery = (psid: string, ...events: object[]) => ({
    object: 'page',
    entry: [
      {
        id: prints,
        time: 1_790_000_000_500,
        messaging: events.map((event) => ({
          sender: { id: psid },
          recipient: { id: prints },
          timestamp: 1_790_000_000_000,
          ...event,
        })),
      },
    ],
  })
  const shown = async (psid: string) =>
    (await harness.thread(psid)).map(({ direction, message_text, attachments }) => ({
      direction,
      text: message_text,
      files: attachments?.data ?? [],
    }))
  const lastDelivery = () =>
    harness.db
      .selectFrom('webhook_inbox')
      .select(['processed_at', 'error', 'attempts'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()

  it('returns the challenge of a subscription request with the right verify token only', async () => {
    const ask = async (mode: string, token: string) => {
      const query = new URLSearchParams({ 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': '1158201444' })
      const response = await fetch(`${harness.address}/webhooks/meta?${query}`)
      return { status: response.status, text: await response.text() }
    }
    const refusal = { status: 403, text: '{"success":false,"error":"The verify token does not match"}' }
    expect(
      await Promise.all([ask('subscribe', verifyToken), ask('subscribe', 'x'), ask('other', verifyToken)]),
    ).toEqual([{ status: 200, text: '1158201444' }, refusal, refusal])
  })

  it.each([
    ['a wrong signature', () => JSON.stringify(delivery('1', { message: { mid: 'm', text: 'x' } })), 'sha256=00', 401],
    ['no signature', () => '{}', '', 401],
    ['a body that is not JSON', () => '{"object":"page"', undefined, 400],
  ])('rejects %s and stores nothing', async (_, body, signature, status) => {
    const count = () => harness.db.selectFrom('webhook_inbox').select('id').execute()
    const before = await count()
    expect(await harness.post(body(), signature)).toBe(status)
    expect(await count()).toEqual(before)
  })

  it('logs at most 10 rejections a minute, without their content', async () => {
    const logged: string[] = []
    let delivered = 0
    const clock = manualClock()
    const strict = createWebhooks({
      ...harness,
      appSecret,
      verifyToken,
      clock,
      logger: { warn: (line: unknown) => void logged.push(String(line)) },
      onDelivery: () => void delivered++,
    })
    const requestWithWrongToken = () => strict.request('/?hub.mode=subscribe&hub.verify_token=hush&hub.challenge=1')
    await requestWithWrongToken()
    await strict.request('/', { method: 'POST', body: '{}', headers: { 'x-hub-signature-256': 'sha256=hush' } })
    expect(logged).toEqual([
      'webhook subscription rejected: the verify token is not META_VERIFY_TOKEN',
      'webhook delivery rejected: it is not signed with META_APP_SECRET',
    ])
    for (let count = 0; count < 20; count++) await requestWithWrongToken()
    expect(logged.length).toBe(10)
    clock.advance(60_000)
    await requestWithWrongToken()
    expect([logged.length, delivered]).toEqual([11, 0])
  })

  it('rejects a too large body', async () => {
    expect(await harness.post(JSON.stringify({ object: 'x'.repeat(6 * 1024 * 1024) }))).toBe(413)
  })

  it('verifies the signature on the raw bytes, including escapes', async () => {
    const psid = fresh('person')
    const body = JSON.stringify(delivery(psid, { message: { mid: fresh('m'), text: 'SALAMAT' } })).replace(
      'SALAMAT',
      'salamat \\ud83d\\ude0a \\u0000 \\ud83d',
    )
    expect(await harness.post(body)).toBe(200)
    expect(await shown(psid)).toEqual([{ direction: 'incoming', text: 'salamat 😊  \ufffd', files: [] }])
  })

  it('stores a message once for repeated deliveries', async () => {
    const psid = fresh('person')
    const body = delivery(psid, { message: { mid: fresh('m'), text: 'Magkano po?' } })
    expect([await harness.post(body), await harness.post(body)]).toEqual([200, 200])
    expect(await shown(psid)).toEqual([{ direction: 'incoming', text: 'Magkano po?', files: [] }])
  })

  it('orders messages by time, whatever the order of delivery', async () => {
    const psid = fresh('person')
    await harness.post(delivery(psid, { timestamp: 1_790_000_002_000, message: { mid: fresh('m'), text: 'second' } }))
    await harness.post(delivery(psid, { timestamp: 1_790_000_001_000, message: { mid: fresh('m'), text: 'first' } }))
    expect((await shown(psid)).map(({ text }) => text)).toEqual(['first', 'second'])
  })

  it.each([
    ['too large for a date', 9e15, 9e15],
    ['in seconds', 1_790_000_000, 1_790_000_000],
    ['in the future', Date.now() + 365 * 24 * 60 * 60_000, -1],
    ['missing', undefined, undefined],
    ['not numbers', 'yesterday', { at: 1 }],
  ])(
    'stores a message whose times are %s with the time of receipt, and the other messages of the delivery',
    async (_, timestamp, time) => {
      const psid = fresh('person')
      const [invalid, valid] = [fresh('m'), fresh('m')]
      const body = delivery(
        psid,
        { timestamp, message: { mid: invalid, text: 'invalid' } },
        { message: { mid: valid, text: 'valid' } },
      )
      const entry = body.entry.map((one) => ({ ...one, time }))
      await harness.post({ ...body, entry })
      const rows = await harness.db
        .selectFrom('messages')
        .innerJoin('fb_users', 'fb_users.id', 'messages.fb_user_id')
        .select(['message_text', 'timestamp_fb'])
        .where('psid', '=', psid)
        .orderBy('timestamp_fb')
        .execute()
      const { received_at } = await harness.db
        .selectFrom('webhook_inbox')
        .select('received_at')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      expect(rows).toEqual([
        { message_text: 'valid', timestamp_fb: new Date(1_790_000_000_000) },
        { message_text: 'invalid', timestamp_fb: received_at },
      ])
      expect(await lastDelivery()).toEqual({ processed_at: expect.any(Date), error: null, attempts: 1 })
    },
  )

  it('uses the time of the entry when the time of the message is implausible', async () => {
    const psid = fresh('person')
    await harness.post(delivery(psid, { timestamp: 1e300, message: { mid: fresh('m'), text: 'x' } }))
    const { timestamp_fb } = await harness.db
      .selectFrom('messages')
      .innerJoin('fb_users', 'fb_users.id', 'messages.fb_user_id')
      .select('timestamp_fb')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    expect(timestamp_fb).toEqual(new Date(1_790_000_000_500))
  })

  const file = (type: string, url: string) => ({ attachments: [{ type, payload: { url } }] })
  const imageAt = (url: string) => ({ image_data: { url, preview_url: url } })

  it.each([
    [
      'a picture',
      { message: file('image', 'https://cdn.test/a.jpg') },
      null,
      { name: 'a.jpg', ...imageAt('https://cdn.test/a.jpg') },
    ],
    [
      'a video',
      { message: file('video', 'https://cdn.test/v?x=1') },
      null,
      { name: null, video_data: { url: 'https://cdn.test/v?x=1' } },
    ],
    [
      'a voice message',
      { message: file('audio', 'https://cdn.test/a.mp4') },
      null,
      { name: 'a.mp4', audio_data: { url: 'https://cdn.test/a.mp4' } },
    ],
    [
      'a file',
      { message: file('file', 'https://cdn.test/My%20menu.pdf') },
      null,
      { name: 'My menu.pdf', file_data: { url: 'https://cdn.test/My%20menu.pdf' } },
    ],
    [
      'a sticker',
      {
        message: {
          attachments: [{ type: 'image', payload: { url: 'https://cdn.test/s.png', sticker_id: 369_239_263 } }],
        },
      },
      '🙂 Sticker',
      { name: null, ...imageAt('https://cdn.test/s.png') },
    ],
    [
      'a location',
      { message: { attachments: [{ type: 'location', payload: { coordinates: { lat: 14.65, long: 121.1 } } }] } },
      '📍 Location: 14.65, 121.1',
      null,
    ],
    [
      'a shared link',
      {
        message: { attachments: [{ type: 'fallback', title: 'Our menu', url: 'https://menu.test/', payload: 'BLOB' }] },
      },
      '🔗 Our menu https://menu.test/',
      null,
    ],
    [
      'a message with buttons',
      {
        message: {
          attachments: [{ type: 'template', payload: { template_type: 'button', buttons: [{ type: 'web_url' }] } }],
        },
      },
      '[web_url]',
      null,
    ],
    [
      'a file with a URL that is not http',
      { message: file('file', 'javascript:alert(1)') },
      '❔ Something this inbox cannot show (file)',
      null,
    ],
    [
      'an attachment without a type',
      { message: { attachments: [{ payload: {} }] } },
      '❔ Something this inbox cannot show',
      null,
    ],
    [
      'an unsupported message',
      { message: { is_unsupported: true } },
      '❔ Something this inbox cannot show (unsupported)',
      null,
    ],
    ['a reply', { message: { text: 'Opo', reply_to: { mid: 'm_earlier' } } }, 'Opo', null],
    ['a quick reply', { message: { text: 'Yes', quick_reply: { payload: 'YES' } } }, 'Yes', null],
    ['a pressed button', { postback: { title: 'Get Started', payload: 'START' } }, 'Get Started', null],
    ['a pressed button without a title', { postback: { payload: 'START' } }, '👆 Pressed a button', null],
  ])('stores %s with a readable text or attachment', async (_, event, text, attachment) => {
    const psid = fresh('person')
    const mid = fresh('m')
    const named = 'message' in event ? { message: { mid, ...event.message } } : event
    expect(await harness.post(delivery(psid, named))).toBe(200)
    const files = attachment === null ? [] : [{ id: `${mid}:0`, size: null, ...attachment }]
    expect(await shown(psid)).toEqual([{ direction: 'incoming', text, files }])
  })

  it.each([
    ['a reaction', { reaction: { mid: 'm_1', action: 'react', emoji: '❤', reaction: 'love' } }],
    ['a delivery receipt', { delivery: { mids: ['m_1'], watermark: 1_790_000_000_000, seq: 37 } }],
    ['a read receipt', { read: { watermark: 1_790_000_000_000, seq: 38 } }],
    ['a read receipt on Instagram', { read: { mid: 'm_1' } }],
    ['a change of the conversation’s owner', { pass_thread_control: { new_owner_app_id: '1', metadata: 'x' } }],
    ['a postback without a known person', { sender: { user_ref: 12 }, postback: { payload: 'hey', title: '' } }],
  ])('ignores %s', async (_, event) => {
    const psid = fresh('person')
    expect(await harness.post(delivery(psid, event))).toBe(200)
    expect(await shown(psid)).toEqual([])
    expect(await lastDelivery()).toEqual({ processed_at: expect.any(Date), error: null, attempts: 1 })
  })

  it('accepts numeric ids, and standby messages of other apps', async () => {
    const psid = String(700_000_000 + ++serial)
    const echo = { sender: { id: Number(prints) }, recipient: { id: Number(psid) }, timestamp: 1_790_000_000_000 }
    await harness.post({
      object: 'page',
      entry: [
        {
          id: Number(prints),
          time: 1_790_000_000_500,
          standby: [{ ...echo, message: { mid: fresh('m'), text: 'From elsewhere', is_echo: true, app_id: 263_902 } }],
        },
      ],
    })
    expect(await harness.thread(psid)).toMatchObject([
      { direction: 'outgoing', message_text: 'From elsewhere', is_read: true, idempotency_key: null },
    ])
  })

  it('accepts messages of the Instagram account of a page', async () => {
    const psid = fresh('igsid')
    await harness.post({
      object: 'instagram',
      entry: [
        {
          id: printsInstagram,
          time: 1,
          messaging: [
            {
              sender: { id: psid },
              recipient: { id: printsInstagram },
              timestamp: 1_790_000_000_000,
              message: {
                mid: fresh('mid'),
                text: 'May stock po?',
                reply_to: { story: { id: '1', url: 'https://cdn.test/s' } },
              },
            },
          ],
        },
      ],
    })
    const row = await harness.db
      .selectFrom('fb_users')
      .select(['page_id', 'platform'])
      .where('psid', '=', psid)
      .executeTakeFirst()
    expect(row).toEqual({ page_id: prints, platform: 'instagram' })
    expect(await shown(psid)).toEqual([
      {
        direction: 'incoming',
        text: 'May stock po?\n↩️ Replied to your story',
        files: [expect.objectContaining(imageAt('https://cdn.test/s'))],
      },
    ])
  })

  it('removes a deleted message, also when the deletion arrives first', async () => {
    const psid = fresh('person')
    const [one, other] = [fresh('m'), fresh('m')]
    const deletionOf = (mid: string) => delivery(psid, { message: { mid, is_deleted: true } })
    await harness.post(delivery(psid, { message: { mid: one, text: 'one' } }))
    await harness.post(deletionOf(one))
    await harness.post(deletionOf(other))
    await harness.post(delivery(psid, { message: { mid: other, text: 'other' } }))
    await harness.post(delivery(psid, { message: { mid: one, text: 'one' } }))
    expect(await shown(psid)).toEqual([])
  })

  it('shows the current text of an edited message', async () => {
    const psid = fresh('person')
    const mid = fresh('m')
    await harness.post(delivery(psid, { message: { mid, text: 'sa Sabdo' } }))
    await harness.post(delivery(psid, { message_edit: { mid, text: 'sa Sabado', num_edit: '1' } }))
    expect(await shown(psid)).toEqual([{ direction: 'incoming', text: 'sa Sabado', files: [] }])
  })

  it('stores the valid entries of a delivery, and does not retry the others', async () => {
    const psid = fresh('person')
    const good = delivery(psid, { message: { mid: fresh('m'), text: 'good' } }).entry[0]
    const body = {
      object: 'page',
      entry: [{ ...good, id: '999' }, 'nonsense', { ...good, messaging: ['nonsense', ...(good?.messaging ?? [])] }],
    }
    expect(await harness.post(body)).toBe(200)
    expect((await shown(psid)).map(({ text }) => text)).toEqual(['good'])
    expect(await lastDelivery()).toEqual({
      processed_at: expect.any(Date),
      error: `an entry of unknown form; an event of unknown form for ${prints}; no connected page 999`,
      attempts: 1,
    })
  })

  it('is subscribed to a page only after the page is stored', async () => {
    const pageId = '104200000000102'
    const known: unknown[] = []
    const graph: Graph = {
      ...harness.graph,
      subscribe: async (token, subscribed) => {
        known.push(
          await harness.db.selectFrom('pages').select('page_id').where('page_id', '=', subscribed).executeTakeFirst(),
        )
        return harness.graph.subscribe(token, subscribed)
      },
    }
    await connectPage({ ...harness, graph, normalizeUrl: createNormalizeUrl(harness.address) }, harness.tokenOf(pageId))
    expect(known).toEqual([{ page_id: pageId }])
  })

  it('takes a new person’s name from the profile, and works without one', async () => {
    const known = await harness.createPerson()
    const { psid: hidden } = await harness.control<{ psid: string }>('POST', '/people', {
      pageId: prints,
      firstName: 'Nobody',
      lastName: 'Knows',
      profileReadable: false,
    })
    await harness.control('POST', `/people/${hidden}/messages`, { text: 'Hi' })
    await harness.settle()
    const rows = await harness.db
      .selectFrom('fb_users')
      .select(['psid', 'name', 'first_name', 'last_name', 'profile_pic'])
      .where('psid', 'in', [known, hidden])
      .execute()
    expect(new Set(rows)).toEqual(
      new Set([
        {
          psid: known,
          name: 'Amihan Dalisay',
          first_name: 'Amihan',
          last_name: 'Dalisay',
          profile_pic: expect.stringMatching(/^\/sandbox\/media\/people\/\d+\.png$/),
        },
        { psid: hidden, name: null, first_name: null, last_name: null, profile_pic: null },
      ]),
    )
  })

  // What follows does not depend on the kind of database.
  if (!isMain) return

  it('processes deliveries that an earlier process did not process', async () => {
    const psid = fresh('person')
    await harness.worker.stop()
    await harness.post(delivery(psid, { message: { mid: fresh('m'), text: 'unprocessed' } }))
    expect(await shown(psid)).toEqual([])
    harness.worker.start()
    await harness.worker.settled()
    expect((await shown(psid)).map(({ text }) => text)).toEqual(['unprocessed'])
  })

  it('retries with backoff until a database outage ends', async () => {
    const psid = fresh('person')
    await sql`create function fail_connection() returns trigger language plpgsql as
      'begin raise exception using errcode = ''08006''; end'`.execute(harness.db)
    await sql`create trigger outage before insert on messages for each row execute function fail_connection()`.execute(
      harness.db,
    )
    await harness.post(delivery(psid, { message: { mid: fresh('m'), text: 'during the outage' } }))
    expect(await lastDelivery()).toEqual({ processed_at: null, error: 'failed (08006)', attempts: 1 })
    harness.worker.wake()
    await harness.worker.settled()
    expect((await lastDelivery()).attempts).toBe(1)
    for (let attempt = 2; attempt <= 20; attempt++) {
      harness.clock.advance(10 * 60_000)
      harness.worker.wake()
      await harness.worker.settled()
      expect(await lastDelivery()).toEqual({ processed_at: null, error: 'failed (08006)', attempts: attempt })
    }
    await sql`drop trigger outage on messages`.execute(harness.db)
    harness.clock.advance(10 * 60_000)
    harness.worker.wake()
    await harness.worker.settled()
    expect((await shown(psid)).map(({ text }) => text)).toEqual(['during the outage'])
    expect(await lastDelivery()).toEqual({ processed_at: expect.any(Date), error: null, attempts: 21 })
  })

  it('stores the other events of a failing delivery, and parks the delivery after 20 attempts until an operator makes it due again', async () => {
    const psid = fresh('person')
    const mids = [fresh('m'), fresh('m'), fresh('m')]
    const [, bad] = mids
    const { enqueue } = harness.autoReply
    harness.autoReply.enqueue = async (trx, incoming) => {
      if (incoming.some(({ messageId }) => messageId === bad)) throw new TypeError('text of Maria')
      return enqueue(trx, incoming)
    }
    await harness.worker.stop()
    await harness.post(delivery(psid, ...mids.map((mid) => ({ message: { mid, text: mid } }))))
    const logged: unknown[] = []
    const worker = createWebhookWorker({
      ...harness,
      logger: { warn: () => undefined, error: (...line: unknown[]) => void logged.push(line) },
    })
    const next = async () => {
      harness.clock.advance(10 * 60_000)
      worker.wake()
      await worker.settled()
      return lastDelivery()
    }
    worker.start()
    await worker.settled()
    expect((await shown(psid)).map(({ text }) => text)).toEqual([mids[0], mids[2]])
    for (let attempt = 2; attempt <= 19; attempt++) {
      expect(await next()).toEqual({ processed_at: null, error: 'failed (unknown)', attempts: attempt })
    }
    expect(logged).toEqual([])
    const parked = { processed_at: null, error: 'failed (unknown)', attempts: 20 }
    expect([await next(), await next()]).toEqual([parked, parked])
    harness.clock.advance(30 * 24 * 60 * 60_000)
    expect(await next()).toEqual(parked)
    expect(logged).toEqual([
      [
        { delivery: expect.any(Number), error: 'TypeError', code: undefined, frames: expect.any(Array) },
        'a webhook delivery is parked',
      ],
    ])
    expect(JSON.stringify(logged)).not.toContain('Maria')

    harness.autoReply.enqueue = enqueue
    const due = /^update webhook_inbox .*/m.exec(readFileSync('docs/operations.md', 'utf8'))?.[0] ?? ''
    await sql.raw(due).execute(harness.db)
    expect(await next()).toEqual({ processed_at: expect.any(Date), error: null, attempts: 1 })
    expect((await shown(psid)).map(({ text }) => text).sort()).toEqual(mids)
    await worker.stop()
    harness.worker.start()
  })

  it('polls once a second, and retries each failed delivery after its own backoff', async () => {
    await harness.worker.stop()
    const attempts: number[] = []
    const failing: Ingest = {
      ...harness.ingest,
      // A batch that fails is stored one by one.
      store: async (_trx, _deliveries, { isolated }) => {
        if (isolated) attempts.push(harness.clock.now())
        throw new Error('failed')
      },
    }
    const count = 120
    const now = harness.clock.now()
    const rows = Array.from({ length: count }, () => ({ body: '{}', due_at: new Date(now) }))
    const made = await harness.db.insertInto('webhook_inbox').values(rows).returning('id').execute()
    const worker = createWebhookWorker({ ...harness, ingest: failing })
    worker.start()
    await worker.settled()
    expect(attempts.length).toBe(count)
    for (let wake = 0; wake < 3; wake++) {
      worker.wake()
      await worker.settled()
    }
    expect(attempts.length).toBe(count)
    harness.clock.advance(1_000)
    await worker.settled()
    expect(attempts.length).toBe(2 * count)
    harness.clock.advance(1_000)
    await worker.settled()
    expect(attempts.length).toBe(2 * count)
    await worker.stop()
    const ids = made.map(({ id }) => id)
    await harness.db.deleteFrom('webhook_inbox').where('id', 'in', ids).execute()
    harness.worker.start()
  })

  it('begins a batch an interval after the one before, or at once when more waits than a batch takes', async () => {
    await harness.worker.stop()
    const sizes: number[] = []
    const ingest: Ingest = {
      ...harness.ingest,
      store: async (_trx, deliveries) => {
        sizes.push(deliveries.length)
        harness.clock.advance(1)
        const stored = deliveries.map(({ id }) => ({ id, problems: [], mustForget: false, error: null }))
        return { stored, newPeople: [], wake: () => undefined }
      },
    }
    const insert = async (count: number) => {
      const rows = Array.from({ length: count }, () => ({ body: '{}', due_at: new Date(harness.clock.now()) }))
      await harness.db.insertInto('webhook_inbox').values(rows).execute()
    }
    const worker = createWebhookWorker({ ...harness, ingest, batchInterval: 20 })
    await insert(201)
    worker.start()
    await expect.poll(() => sizes).toEqual([200, 1])
    await insert(2)
    // 1 ms has passed since the second batch began.
    harness.clock.advance(18)
    await insert(1)
    expect(sizes).toEqual([200, 1])
    harness.clock.advance(1)
    await expect.poll(() => sizes).toEqual([200, 1, 3])
    harness.clock.advance(20)
    await worker.stop()
    harness.worker.start()
  })

  it('never shows its secret in a rejection', async () => {
    const response = await fetch(`${harness.address}/webhooks/meta`, { method: 'POST', body: '{}' })
    expect(await response.text()).not.toContain(appSecret)
  })
})
