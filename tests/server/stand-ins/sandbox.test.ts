import { MessengerClient } from 'messaging-api-messenger'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandboxTables } from '../../../server/stand-ins/sandbox/tables.ts'
import { inventWorld, seededPages } from '../../../server/stand-ins/sandbox/world.ts'
import { describeOnDatabase, openEmbedded } from '../databases.ts'
import { appId, appSecret, type Harness, openHarness, prints, printsInstagram } from '../network-harness.ts'
import {
  recordedConversation,
  recordedInstagramConversation,
  recordedInstagramMessage,
  recordedInstagramWebhook,
  recordedMessage,
  recordedPageWebhook,
  recordedPicture,
  recordedTokenInspection,
  type Shape,
} from './recorded-shapes.ts'

function shapeOf(value: unknown, path = '', shape: Record<string, string> = {}): Shape {
  if (Array.isArray(value)) for (const item of value) shapeOf(item, `${path}[]`, shape)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) shapeOf(inner, path === '' ? key : `${path}.${key}`, shape)
  } else shape[path] = value === null ? 'null' : typeof value
  return shape
}

/** The paths that differ from the recording, except documented ones. */
function differencesFrom(recorded: Shape, value: unknown, documented: string[] = []): Shape {
  const differences = Object.entries(shapeOf(value)).filter(
    ([path, type]) => !documented.includes(path) && !recorded[path]?.split('|').includes(type),
  )
  return Object.fromEntries(differences)
}

describe('inventWorld', () => {
  const now = Date.parse('2026-06-01T04:00:00Z')
  const world = inventWorld(now)

  it('returns the same world each time, except for the dates', () => {
    const later = inventWorld(now + 60_000)
    expect(later.people).toEqual(world.people)
    expect(later.messages.map((message) => ({ ...message, created_at: '' }))).toEqual(
      world.messages.map((message) => ({ ...message, created_at: '' })),
    )
  })

  it('creates four pages, two with Instagram, and people who write to several pages', () => {
    const pagesOf = Map.groupBy(world.people, ({ person_key }) => person_key)
    expect({
      pages: seededPages.length,
      withInstagram: seededPages.filter(({ instagram_id }) => instagram_id !== null).length,
      people: pagesOf.size,
      severalPages:
        [...pagesOf.values()].filter((rows) => new Set(rows.map(({ page_id }) => page_id)).size > 1).length > 30,
      ids: new Set(world.people.map(({ psid }) => psid)).size === world.people.length,
    }).toEqual({ pages: 4, withInstagram: 2, people: 200, severalPages: true, ids: true })
  })

  it('creates about 5,000 messages of every kind over recent months, the newest minutes old', () => {
    const times = world.messages.map(({ created_at }) => now - Date.parse(created_at))
    const kinds = new Set(world.messages.flatMap(({ files }) => files.map(({ kind }) => kind)))
    expect(world.messages.length).toBeGreaterThan(4_800)
    expect(world.messages.length).toBeLessThan(5_800)
    expect(kinds).toEqual(new Set(['image', 'video', 'audio', 'file']))
    expect(Math.min(...times)).toBeGreaterThan(0)
    expect(Math.min(...times)).toBeLessThan(10 * 60_000)
    expect(Math.max(...times)).toBeGreaterThan(60 * 24 * 60 * 60_000)
  })
})

describeOnDatabase('The sandbox', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  async function ask(path: string, { token = harness.tokenOf(prints), body = undefined as unknown } = {}) {
    const response = await fetch(`${harness.address}/sandbox/v26.0/${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const errorOf = async (request: ReturnType<typeof ask>) => {
    const { status, body } = await request
    return [status, body.error?.code, body.error?.error_subcode]
  }
  const send = (psid: string, more: object = {}, page = prints) =>
    ask(`${page}/messages`, {
      body: { recipient: { id: psid }, messaging_type: 'RESPONSE', message: { text: 'Hi' }, ...more },
    })
  const fields = 'id,updated_time,participants,messages.limit(20){id,created_time,from,to,message,attachments}'

  it('returns every conversation of a social page once over all result pages, with its 20 newest messages', async () => {
    const ids: string[] = []
    let after = ''
    for (;;) {
      const { body } = await ask(`${prints}/conversations?platform=messenger&limit=10&fields=${fields}${after}`)
      for (const { id, messages, updated_time } of body.data) {
        ids.push(id)
        expect(messages.data.length).toBeLessThanOrEqual(20)
        expect(messages.data[0].created_time).toBe(updated_time)
      }
      if (!body.paging?.next) break
      expect(body.paging.next).not.toContain(harness.tokenOf(prints))
      after = `&after=${body.paging.cursors.after}`
    }
    const people = await harness.control<{ platform: string }[]>('GET', `/people?pageId=${prints}`)
    const onMessenger = people.filter(({ platform }) => platform === 'messenger')
    expect([ids.length, new Set(ids).size]).toEqual([onMessenger.length, onMessenger.length])
  })

  it('rejects reading a message older than the 20 newest', async () => {
    const psid = await harness.createPerson('messenger', 'the oldest')
    const [oldest] = await harness.thread(psid)
    for (let count = 0; count < 20; count++)
      await harness.control('POST', `/people/${psid}/messages`, { text: 'newer' })
    expect(await errorOf(ask(`${oldest?.message_id}?fields=message`))).toEqual([400, 100, 33])
  })

  it('names the ids of a person on all pages to the app, as a request for the deletion of their data needs', async () => {
    const psid = await harness.createPerson()
    const ids = (id: string) => harness.graph.pageScopedIds(`${appId}|${appSecret}`, id)
    const people = await harness.control<{ psid: string; person_key: string }[]>('GET', '/people')
    const onSeveralPages = [...Map.groupBy(people, ({ person_key }) => person_key).values()]
      .map((rows) => rows.map((row) => row.psid).sort())
      .find(({ length }) => length > 1)
    expect(await ids(psid)).toEqual([psid])
    expect(await ids(onSeveralPages?.[0] ?? '')).toEqual(onSeveralPages)
    await expect(ids('12345')).rejects.toMatchObject({ code: 100, uncertain: false })
    expect(await errorOf(ask(`${psid}/ids_for_pages`))).toEqual([400, 190, undefined])
  })

  it('rejects with the error codes of the network', async () => {
    const psid = await harness.createPerson()
    const onInstagram = await harness.createPerson('instagram')
    await harness.control('PUT', `/people/${psid}`, { reachable: false })
    expect({
      wrongToken: await errorOf(ask('me', { token: 'wrong' })),
      anotherPage: await errorOf(ask('104200000000102/conversations?platform=messenger')),
      unknownPerson: await errorOf(send('12345')),
      unknownPersonOnInstagram: await errorOf(send('12345', {}, printsInstagram)),
      unreachable: await errorOf(send(psid)),
      retiredTag: await errorOf(send(onInstagram, { messaging_type: 'MESSAGE_TAG', tag: 'ACCOUNT_UPDATE' })),
      noText: await errorOf(send(onInstagram, { message: {} })),
      tooLong: await errorOf(send(onInstagram, { message: { text: 'ñ'.repeat(501) } })),
      badFields: await errorOf(ask('me?fields=id,messages{')),
      badCursor: await errorOf(ask(`${prints}/conversations?platform=messenger&after=x`)),
      badProof: await errorOf(ask('me?appsecret_proof=00')),
    }).toEqual({
      wrongToken: [400, 190, undefined],
      anotherPage: [403, 200, undefined],
      unknownPerson: [400, 100, 2018001],
      unknownPersonOnInstagram: [400, 100, 2534014],
      unreachable: [400, 551, 1545041],
      retiredTag: [400, 100, undefined],
      noText: [400, 100, undefined],
      tooLong: [400, 100, undefined],
      badFields: [400, 100, undefined],
      badCursor: [400, 100, undefined],
      badProof: [400, 100, undefined],
    })
  })

  it('closes the reply window after 24 hours, and after 7 days with the HUMAN_AGENT tag', async () => {
    const [psid, onInstagram] = [await harness.createPerson(), await harness.createPerson('instagram')]
    const asHumanAgent = { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }
    const setLastWritten = (hours: number) => harness.control('PUT', `/people/${psid}`, { wroteHoursAgo: hours })
    await setLastWritten(23.9)
    expect((await send(psid)).status).toBe(200)
    await setLastWritten(24.1)
    expect(await errorOf(send(psid))).toEqual([403, 10, 2018278])
    expect((await send(psid, asHumanAgent)).status).toBe(200)
    await setLastWritten(7 * 24 + 0.1)
    expect(await errorOf(send(psid, asHumanAgent))).toEqual([403, 10, 2018278])
    await harness.control('PUT', `/people/${onInstagram}`, { wroteHoursAgo: 25 })
    expect(await errorOf(send(onInstagram))).toEqual([403, 10, 2534022])
  })

  it('retries a webhook until it is accepted', async () => {
    const psid = await harness.createPerson()
    await harness.control('POST', `/people/${psid}/messages`, { text: 'Sana umabot' })
    await harness.db.transaction().execute(async (trx) => {
      await trx.schema.alterTable('webhook_inbox').renameTo('webhook_inbox_renamed').execute()
    })
    await harness.sandbox.settle()
    await harness.db.schema.alterTable('webhook_inbox_renamed').renameTo('webhook_inbox').execute()
    expect(await harness.control('GET', '/webhooks')).toEqual({ waiting: 1 })
    harness.clock.advance(500)
    await harness.settle()
    expect(await harness.control('GET', '/webhooks')).toEqual({ waiting: 0 })
    expect((await harness.thread(psid)).map(({ message_text }) => message_text)).toEqual(['Hello po', 'Sana umabot'])
  })

  it.each([
    ['duplicated', { duplicateWebhooks: true }],
    ['in reverse order', { reverseWebhooks: true }],
  ])('sends webhooks %s without a change of the stored messages', async (_, faults) => {
    const psid = await harness.createPerson()
    await harness.faults({ ...faults, holdWebhooks: true })
    for (const text of ['una', 'pangalawa', 'pangatlo']) {
      harness.clock.advance(1_000)
      await harness.control('POST', `/people/${psid}/messages`, { text })
    }
    await harness.faults(faults)
    await harness.settle()
    await harness.faults({})
    expect((await harness.thread(psid)).map(({ message_text }) => message_text)).toEqual([
      'Hello po',
      'una',
      'pangalawa',
      'pangatlo',
    ])
  })

  it('sends and serves every kind of file', async () => {
    const psid = await harness.createPerson()
    await harness.control('POST', `/people/${psid}/messages`, { attachments: ['image', 'video', 'audio', 'file'] })
    await harness.settle()
    const files = (await harness.thread(psid)).at(-1)?.attachments?.data ?? []
    const addresses = files.map(
      (file) => file.image_data?.url ?? file.video_data?.url ?? file.audio_data?.url ?? file.file_data?.url ?? '',
    )
    const served = await Promise.all(
      addresses.map(async (address) => {
        const response = await fetch(`${harness.address}${address}`)
        const bytes = Buffer.from(await response.arrayBuffer())
        return [response.headers.get('content-type'), bytes.subarray(0, 4).toString('latin1')]
      }),
    )
    expect(served).toEqual([
      ['image/png', '\u0089PNG'],
      ['video/webm', '\u001aE\u00df\u00a3'],
      ['audio/wav', 'RIFF'],
      ['application/pdf', '%PDF'],
    ])
  })

  it('keeps its world after a restart', async () => {
    const before = await harness.control('GET', '/people')
    const again = await openHarness({ ...(await open()), db: harness.db })
    expect(await again.control('GET', '/people')).toEqual(before)
    await again.close()
  })

  describe('compared with recordings of the real network', () => {
    it('returns conversations and messages in the recorded shape', async () => {
      const { body } = await ask(`${prints}/conversations?platform=messenger&limit=60&fields=${fields}`)
      const messages = body.data.flatMap((one: { messages: { data: unknown[] } }) => one.messages.data)
      const conversations = body.data.map((one: { messages: object }) => ({ ...one, messages: undefined }))
      expect(differencesFrom(recordedMessage, messages[0], ['message'])).toEqual({})
      expect(messages.map((message: unknown) => differencesFrom(recordedMessage, message, ['message']))).toEqual(
        messages.map(() => ({})),
      )
      expect(differencesFrom(recordedConversation, conversations[0], ['messages'])).toEqual({})
    })

    it('returns Instagram conversations in the recorded shape', async () => {
      const { body } = await ask(`${prints}/conversations?platform=instagram&limit=60&fields=${fields}`)
      const [one] = body.data
      const messages = body.data.flatMap((row: { messages: { data: unknown[] } }) => row.messages.data)
      const conversation = { id: one.id, participants: one.participants }
      expect(differencesFrom(recordedInstagramConversation, conversation)).toEqual({})
      const sizes = ['width', 'height', 'max_width', 'max_height', 'preview_url', 'image_type', 'render_as_sticker']
      const documented = [
        'attachments.data[].mime_type',
        'attachments.paging.cursors.after',
        'attachments.paging.cursors.before',
        ...sizes.map((size) => `attachments.data[].image_data.${size}`),
        ...['width', 'height', 'length', 'video_type', 'preview_url', 'rotation'].map(
          (detail) => `attachments.data[].video_data.${detail}`,
        ),
      ]
      expect(
        messages.map((message: unknown) => differencesFrom(recordedInstagramMessage, message, documented)),
      ).toEqual(messages.map(() => ({})))
    })

    it('returns pictures and token inspections in the recorded shape', async () => {
      const picture = await ask(`${prints}/picture?redirect=0`)
      const inspection = await ask(`debug_token?input_token=${harness.tokenOf(prints)}`, {
        token: `${appId}|${appSecret}`,
      })
      expect(differencesFrom(recordedPicture, picture.body)).toEqual({})
      const documented = ['data.app_id', 'data.type', 'data.profile_id']
      expect(differencesFrom(recordedTokenInspection, inspection.body, documented)).toEqual({})
    })

    it.each([
      ['messenger', recordedPageWebhook],
      ['instagram', recordedInstagramWebhook],
    ] as const)('sends %s webhooks in the recorded shape', async (platform, recorded) => {
      const psid = await harness.createPerson(platform)
      const before = await harness.db
        .selectFrom('webhook_inbox')
        .select((row) => row.fn.max('id').as('id'))
        .executeTakeFirst()
      await harness.control('POST', `/people/${psid}/messages`, { text: 'Hi', attachments: ['image'] })
      await harness.newSending().send({ key: `shape-${platform}`, staffId: 's', pageId: prints, psid, text: 'Hello' })
      await harness.control('DELETE', `/people/${psid}/messages/${(await harness.thread(psid))[0]?.message_id}`)
      await harness.settle()
      const bodies = await harness.db
        .selectFrom('webhook_inbox')
        .select('body')
        .where('id', '>', before?.id ?? 0)
        .execute()
      expect(bodies.length).toBeGreaterThanOrEqual(3)
      const documented =
        platform === 'instagram' ? ['entry[].messaging[].message.is_deleted', 'entry[].messaging[].message.app_id'] : []
      expect(bodies.map(({ body }) => differencesFrom(recorded, JSON.parse(body), documented))).toEqual(
        bodies.map(() => ({})),
      )
    })
  })

  describe('with a third-party client', () => {
    const client = ({ skipAppSecretProof = false } = {}) =>
      new MessengerClient({
        accessToken: harness.tokenOf(prints),
        appId,
        appSecret,
        version: '26.0',
        origin: `${harness.address}/sandbox`,
        skipAppSecretProof,
      })

    it('returns the page, the token inspection and a profile', async () => {
      const psid = await harness.createPerson()
      expect(await client().getPageInfo()).toEqual({ id: prints, name: 'Lakbay Print Studio' })
      // For this call the client computes the proof from the page's token but sends the app's token.
      expect(await client({ skipAppSecretProof: true }).debugToken()).toMatchObject({
        appId,
        isValid: true,
        expiresAt: 0,
      })
      expect(await client().getUserProfile(psid)).toEqual({
        id: psid,
        name: 'Amihan Dalisay',
        firstName: 'Amihan',
        lastName: 'Dalisay',
        profilePic: expect.stringMatching(/\/sandbox\/media\/people\/\d+\.png$/),
      })
    })

    it('sends a message, which the inbox receives as an echo', async () => {
      const psid = await harness.createPerson()
      await client().markSeen(psid)
      await client().typingOn(psid)
      const { recipientId, messageId } = await client().sendText(psid, 'Mula sa ibang client')
      await harness.settle()
      expect(recipientId).toBe(psid)
      expect(
        (await harness.thread(psid)).map(({ message_id, message_text }) => [message_id, message_text]).at(-1),
      ).toEqual([messageId, 'Mula sa ibang client'])
    })

    it('reports the error code of a refusal', async () => {
      await expect(client().sendText('12345', 'Hi')).rejects.toThrow('100')
    })
  })
})

describe('The people of the sandbox', () => {
  it('reply to staff after a few seconds in the calm mode', async () => {
    const database = await openEmbedded()
    const harness = await openHarness(database, { liveliness: 'calm' })
    await harness.connect(prints)
    const sandbox = await openSandboxTables(database.db)
    await sandbox
      .updateTable('sandbox.state')
      .set({ next_visit_at: new Date(harness.clock.now() + 1e9) })
      .execute()
    const psid = await harness.createPerson()
    for (let count = 0; count < 6; count++) {
      await harness.newSending().send({ key: `k${count}`, staffId: 's', pageId: prints, psid, text: `Opo ${count}` })
    }
    await harness.settle()
    const incoming = async () => (await harness.thread(psid)).filter(({ direction }) => direction === 'incoming').length
    expect(await incoming()).toBe(1)
    harness.clock.advance(8_000)
    await harness.settle()
    expect(await incoming()).toBeGreaterThan(2)
    await harness.close()
    await database.close()
  })

  it('write by themselves in the lively mode, once per visit', async () => {
    const database = await openEmbedded()
    const harness = await openHarness(database, { liveliness: 'lively' })
    await harness.connect(prints)
    const count = async () => (await harness.db.selectFrom('messages').select('message_id').execute()).length
    await harness.settle()
    await harness.settle()
    expect(await count()).toBe(1)
    harness.clock.advance(6_000)
    await harness.settle()
    expect(await count()).toBe(2)
    await harness.close()
    await database.close()
  })
})
