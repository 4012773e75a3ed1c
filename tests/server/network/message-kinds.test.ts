import { afterAll, beforeAll, expect, it } from 'vitest'
import { listMessages } from '../../../server/database/thread.ts'
import { type Thing, thingKinds } from '../../../server/stand-ins/sandbox/things.ts'
import { shownContentOf } from '../../../src/domain/thread/shown-content.ts'
import { message } from '../../../src/schemas/message.ts'
import { parsePart, partKinds } from '../../../src/schemas/message-part.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'
import { kindsOfMessages, origin, writtenAt } from './message-kinds.ts'

let serial = 0
const fresh = (kind: string) => `${kind}_${++serial}`

describeOnDatabase('What customers send', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  const delivery = (psid: string, event: object, at = writtenAt) => ({
    object: 'page',
    entry: [
      {
        id: prints,
        time: writtenAt,
        messaging: [{ sender: { id: psid }, recipient: { id: prints }, timestamp: at, ...event }],
      },
    ],
  })
  const say = (psid: string, mid: string, text: string) => harness.post(delivery(psid, { message: { mid, text } }))
  const edit = (psid: string, mid: string, text: string, minute: number) =>
    harness.post(delivery(psid, { message_edit: { mid, text, num_edit: '1' } }, writtenAt + minute * 60_000))
  const shown = async (psid: string) =>
    (await harness.thread(psid)).map(({ message_text, content }) => ({ text: message_text, content }))
  const early = () => harness.db.selectFrom('early_edits').selectAll().execute()
  const at = (minute: number) => new Date(writtenAt + minute * 60_000).toISOString()

  it.each(kindsOfMessages.map((kind) => [kind.name, kind] as const))('stores %s as what it is', async (_, kind) => {
    const psid = fresh('person')
    const { direction = 'incoming', files = [] } = kind
    const event = JSON.parse(JSON.stringify(kind.event).replaceAll(origin, harness.address))
    const named = 'message' in event ? { message: { mid: fresh('m'), ...event.message } } : event
    const parties = direction === 'outgoing' ? { sender: { id: prints }, recipient: { id: psid } } : {}
    expect(await harness.post(delivery(psid, { ...named, ...parties }))).toBe(200)
    const stored = (await harness.thread(psid)).map(({ attachments, ...row }) => ({
      ...row,
      attachments: attachments?.data.map(({ id: _id, size: _size, ...file }) => file),
    }))
    expect(stored).toEqual([
      {
        direction,
        message_text: kind.text,
        content: kind.content,
        attachments: files.length > 0 ? files : undefined,
        is_read: direction === 'outgoing',
        idempotency_key: null,
        message_id: expect.any(String),
      },
    ])
    // What is stored is what the schema of the browser reads.
    expect((stored[0]?.content?.parts ?? []).map(parsePart)).toEqual(kind.content?.parts ?? [])
  })

  it('stores a call that nobody answered, once, and no call that was taken', async () => {
    const psid = fresh('person')
    const call = {
      id: fresh('c'),
      to: prints,
      from: psid,
      timestamp: writtenAt / 1_000,
      call_direction: 'user_initiated',
    }
    const body = (...calls: object[]) => ({ object: 'page', entry: [{ id: prints, time: writtenAt, calls }] })
    await harness.post(body({ ...call, event: 'connect' }))
    await harness.post(body({ ...call, event: 'terminate' }))
    await harness.post(body({ ...call, event: 'terminate' }))
    await harness.post(body({ ...call, id: fresh('c'), event: 'terminate', duration: 61 }))
    expect(await shown(psid)).toEqual([
      {
        text: '📞 Missed call',
        content: { parts: [{ kind: 'call', is_missed: true, seconds: null }], fallback: '📞 Missed call' },
      },
      { text: '📞 Call', content: { parts: [{ kind: 'call', is_missed: false, seconds: 61 }], fallback: '📞 Call' } },
    ])
  })

  it('keeps nothing of an unknown part that is too large, and no more parts than fit', async () => {
    const psid = fresh('person')
    const large = { type: 'novelty', payload: { blob: 'x'.repeat(10_000) } }
    const full = { type: 'fallback', title: 't'.repeat(900), payload: { text: 'w'.repeat(9_000) } }
    await harness.post(
      delivery(psid, { message: { mid: fresh('m'), attachments: [large, ...Array.from({ length: 60 }, () => full)] } }),
    )
    const [row] = await shown(psid)
    expect(row?.content?.parts.slice(0, 2)).toEqual([
      { kind: 'unknown', type: 'novelty', raw: null },
      {
        kind: 'share',
        what: 'link',
        file: null,
        title: 't'.repeat(500),
        text: 'w'.repeat(2_000),
        link: null,
        media_id: null,
      },
    ])
    expect(row?.content?.parts.length).toBe(20)
    expect(row?.content?.parts.at(-1)).toEqual({ kind: 'unknown', type: 'share', raw: null })
    expect(JSON.stringify(row?.content).length).toBeLessThan(25_000)
  })

  it('opens no address but http, and takes no place that is not on the globe', async () => {
    const psid = fresh('person')
    const script = 'javascript:alert(1)'
    await harness.post(
      delivery(psid, {
        message: {
          mid: fresh('m'),
          attachments: [
            { type: 'fallback', title: 'Click', url: script, payload: { url: script } },
            {
              type: 'template',
              payload: {
                template_type: 'button',
                text: 'Hi',
                buttons: [{ type: 'web_url', url: script, title: 'Go' }],
              },
            },
            { type: 'location', payload: { coordinates: { lat: 1e9, long: 0 } } },
          ],
        },
      }),
    )
    const [row] = await shown(psid)
    expect(row?.content?.parts).toMatchObject([
      { kind: 'share', title: 'Click', link: null },
      { kind: 'template', buttons: [{ title: 'Go', link: null }] },
      { kind: 'unknown', type: 'location' },
    ])
  })

  it.each([
    ['in their order', [1, 2], 'edit 2'],
    ['the other way round', [2, 1], 'edit 2'],
    ['twice', [1, 1], 'edit 1'],
  ])('shows the newest of edits that come %s, with its time', async (_, minutes, text) => {
    const [psid, mid] = [fresh('person'), fresh('m')]
    await say(psid, mid, 'sa Sabdo')
    for (const minute of minutes) await edit(psid, mid, `edit ${minute}`, minute)
    const expected = [{ text, content: { parts: [], edited_at: at(Math.max(...minutes)) } }]
    expect(await shown(psid)).toEqual(expected)
    await say(psid, mid, 'sa Sabdo')
    expect(await shown(psid)).toEqual(expected)
  })

  it('keeps an edit that comes before its message, and the newest of several', async () => {
    const [psid, mid] = [fresh('person'), fresh('m')]
    await edit(psid, mid, 'edit 2', 2)
    await edit(psid, mid, 'edit 1', 1)
    expect(await early()).toMatchObject([{ message_id: mid, page_id: prints, psid, message_text: 'edit 2' }])
    await say(psid, mid, 'first')
    expect(await shown(psid)).toEqual([{ text: 'edit 2', content: { parts: [], edited_at: at(2) } }])
    expect(await early()).toEqual([])
  })

  it('keeps the parts of a message that is edited', async () => {
    const [psid, mid] = [fresh('person'), fresh('m')]
    const part = { kind: 'location', latitude: 1, longitude: 2, title: null }
    await harness.post(
      delivery(psid, {
        message: {
          mid,
          text: 'dito',
          attachments: [{ type: 'location', payload: { coordinates: { lat: 1, long: 2 } } }],
        },
      }),
    )
    await edit(psid, mid, 'dito po', 1)
    const fallback = '📍 Location: 1, 2'
    expect(await shown(psid)).toEqual([
      { text: `dito po\n${fallback}`, content: { parts: [part], fallback, edited_at: at(1) } },
    ])
  })

  it('drops an early edit of a message that was deleted', async () => {
    const [psid, mid] = [fresh('person'), fresh('m')]
    await edit(psid, mid, 'edit', 1)
    await harness.post(delivery(psid, { message: { mid, is_deleted: true } }))
    await edit(psid, mid, 'edit again', 2)
    await say(psid, mid, 'first')
    expect([await shown(psid), await early()]).toEqual([[], []])
  })

  it('answers and labels what people wrote, not the lines that stand for other parts', async () => {
    const psid = fresh('person')
    const label = await harness.db
      .insertInto('labels')
      .values({ name: 'Stickers', name_key: 'stickers', colour: 'blue', keywords: ['sticker', 'location'] })
      .returning('id')
      .executeTakeFirstOrThrow()
    await harness.post(
      delivery(psid, {
        message: { mid: fresh('m'), attachments: [{ type: 'sticker', payload: { url: 'https://cdn.test/s.png' } }] },
      }),
    )
    const labels = () =>
      harness.db
        .selectFrom('conversations')
        .innerJoin('fb_users', 'fb_users.primary_user_id', 'conversations.primary_user_id')
        .select('label_ids')
        .where('psid', '=', psid)
        .executeTakeFirstOrThrow()
    expect(await labels()).toEqual({ label_ids: [] })
    await say(psid, fresh('m'), 'May sticker po ba?')
    expect(await labels()).toEqual({ label_ids: [label.id] })
  })

  it.each(['messenger', 'instagram'] as const)(
    'shows the same of what a person of the sandbox sends by webhook and by sync (%s)',
    async (platform) => {
      const psid = await harness.createPerson(platform)
      const things = thingKinds.map((kind, index): Thing => ({ kind, seed: index + 1 }))
      for (const { kind, seed } of things) {
        harness.clock.advance(1_000)
        await harness.control('POST', `/people/${psid}/messages`, { thing: kind, seed })
      }
      await harness.settle()
      const kindsShown = async () => {
        const { messages } = await listMessages(harness.db, await conversationOf(psid), { page: 1, limit: 100 })
        return messages.map((row) => {
          const read = message.parse(JSON.parse(JSON.stringify(row)))
          const { parts, text, attachments } = shownContentOf(read)
          return [
            ...parts.map(({ kind }) => kind),
            ...(attachments.length > 0 ? ['file'] : []),
            ...(text ? ['text'] : []),
          ]
        })
      }
      expect((await kindsShown()).map((kinds) => kinds.join(' '))).toEqual([
        'text',
        'sticker',
        'gif',
        'location',
        'story_reply text',
        'story_mention',
        'share text',
        'share',
        'share',
        'product text',
        'referral text',
        'referral text',
        'referral',
        'postback text',
        'quick_reply text',
        'opt_in',
        'call',
        'template',
        'template',
        'template',
        'template',
        'unknown',
        'unknown',
        'sticker',
      ])
      // The gallery of messages shows what the sandbox can send.
      const shown = new Set((await kindsShown()).flat())
      expect(partKinds().filter((kind) => !shown.has(kind))).toEqual([])
      await harness.db
        .deleteFrom('messages')
        .where('fb_user_id', '=', await identityOf(psid))
        .execute()
      await harness.sync.conversation(prints, platform, psid)
      const synced = new Set((await kindsShown()).flat())
      const expected = ['sticker', 'gif', 'share', 'template', 'text', 'unknown']
      expect(expected.filter((kind) => !synced.has(kind))).toEqual([])
      // Only Instagram has stories.
      expect(synced.has('story_reply') && synced.has('story_mention')).toBe(platform === 'instagram')
    },
  )

  const identityOf = async (psid: string) =>
    (await harness.db.selectFrom('fb_users').select('id').where('psid', '=', psid).executeTakeFirstOrThrow()).id
  const conversationOf = async (psid: string) =>
    (
      await harness.db
        .selectFrom('fb_users')
        .select('primary_user_id')
        .where('psid', '=', psid)
        .executeTakeFirstOrThrow()
    ).primary_user_id
})
