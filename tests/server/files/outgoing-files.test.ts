import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { serverActor } from '../../../server/audit/audit.ts'
import { outgoingLimits } from '../../../server/files/reserved-files.ts'
import type { Graph } from '../../../server/network/graph/graph.ts'
import { SendRefused } from '../../../server/network/send/send-refusals.ts'
import type { SendOrder } from '../../../server/network/send/stored-sends.ts'
import { fileLimits } from '../../../src/domain/send/file-limits.ts'
import { wholeApi } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'
import { type SignedIn, signIn } from '../sign-in.ts'
import { quotation, receipt, recording } from './file-host.ts'

const day = 24 * 60 * 60_000

async function refusalOf(sending: Promise<unknown>) {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof SendRefused)) throw new Error('the send was not refused', { cause: error })
  return { status: error.status, code: error.code }
}

describeOnDatabase('Files that staff send', (open) => {
  let harness: Harness
  let api: Hono
  let ana: SignedIn
  let ben: SignedIn
  let viewer: SignedIn

  beforeAll(async () => {
    // Times more than a day after the real time would be refused.
    harness = await openHarness(await open(), { start: Date.now() - 60 * day })
    await harness.connect(prints)
    const { db } = harness
    ana = await signIn(db, 'agent')
    ben = await signIn(db, 'agent')
    viewer = await signIn(db, 'viewer')
    api = wholeApi(db, {
      sending: harness.newSending(),
      outgoingFiles: harness.outgoingFiles,
      clock: harness.clock,
      logger: harness.logger,
      addressOf: () => '192.0.2.9',
    })
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    await harness.faults({})
    await harness.db.deleteFrom('messages').execute()
    await harness.db
      .updateTable('outgoing_files')
      .set({ expires_at: new Date(0) })
      .execute()
    await harness.removeFiles()
  })

  const put = async (
    bytes: Uint8Array<ArrayBuffer>,
    { id = randomUUID() as string, name = 'photo.png', type = 'image/png', by = ana } = {},
  ) => {
    const response = await api.request(`/facebook/outgoing-files/${id}?name=${encodeURIComponent(name)}`, {
      method: 'PUT',
      headers: { ...by.headers, 'content-type': type },
      body: bytes,
    })
    return { id, status: response.status, body: await response.json() }
  }
  const uploaded = async (bytes: Uint8Array<ArrayBuffer> = receipt, type = 'image/png'): Promise<string> => {
    const { id, status } = await put(bytes, { type })
    expect(status).toBe(200)
    return id
  }
  const order = (psid: string, fileId: string, key: string = randomUUID()): SendOrder => ({
    key,
    staffId: ana.staffId,
    pageId: prints,
    psid,
    text: '',
    fileId,
  })
  const outgoing = async (psid: string) =>
    (await harness.thread(psid)).filter(({ direction }) => direction === 'outgoing')
  const delivered = async (psid: string) =>
    (
      await harness.control<{ text: string | null; files: { kind: string; size: number }[] }[]>(
        'GET',
        `/people/${psid}/deliveries`,
      )
    ).map(({ text, files }) => text ?? files.map(({ kind, size }) => `${kind} of ${size}`).join())
  const keptFiles = async () =>
    (await readdir(harness.folder, { recursive: true })).filter((name) => name.includes('/')).length
  const get = (path: string) => fetch(path.startsWith('http') ? path : `${harness.address}${path}`)

  it('stores a file once under one id, tells its kind by its bytes and shows it without a token', async () => {
    const id = randomUUID()
    const first = await put(receipt, { id, name: 'resibo.png', type: 'text/html' })
    expect(first.body).toEqual({
      success: true,
      data: {
        id,
        kind: 'image',
        type: 'image/png',
        name: 'resibo.png',
        size: receipt.length,
        url: expect.stringMatching(/^\/pictures\//),
      },
    })
    expect(await put(receipt, { id, name: 'another.png' })).toEqual(first)
    expect(await keptFiles()).toBe(1)
    const shown = await get(first.body.data.url)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await shown.arrayBuffer()).equals(receipt)).toBe(true)
    expect([
      (await put(recording, { type: 'audio/wav' })).body.data.kind,
      (await put(quotation)).body.data.kind,
    ]).toEqual(['audio', 'file'])
  })

  it.each<[string, () => Promise<{ status: number; body: unknown }>, number, string]>([
    ['a program', () => put(Buffer.from(`MZ${'x'.repeat(100)}`)), 422, 'FILE_NOT_ACCEPTED'],
    ['an empty file', () => put(Buffer.alloc(0)), 400, 'FILE_EMPTY'],
    ['too many bytes', () => put(Buffer.alloc(fileLimits.other + 1)), 413, 'FILE_TOO_LARGE'],
    [
      'the id of another person’s file',
      async () => put(receipt, { id: (await put(receipt, { by: ben })).id }),
      409,
      'FILE_TAKEN',
    ],
  ])('refuses %s and keeps nothing of it', async (_, upload, status, code) => {
    const refused = await upload()
    expect([refused.status, refused.body]).toEqual([status, { success: false, error: expect.any(String), code }])
    await harness.removeFiles()
    const rows = await harness.db.selectFrom('outgoing_files').select('sha256').execute()
    expect([rows.some(({ sha256 }) => sha256 === null), await keptFiles()]).toEqual([false, rows.length])
  })

  it('refuses more files than one person may keep, until one is removed', async () => {
    const ids: string[] = []
    for (let index = 0; index < outgoingLimits.files; index += 1) {
      const id = randomUUID()
      ids.push(id)
      const upload = {
        id,
        name: null,
        declaredType: '',
        content: Readable.from([receipt]),
        signal: new AbortController().signal,
      }
      await harness.outgoingFiles.receive(ana.staffId, upload)
    }
    expect(await put(receipt)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_FILES' } })
    expect((await put(receipt, { by: ben })).status).toBe(200)
    const [first] = ids
    const removed = await api.request(`/facebook/outgoing-files/${first}`, { method: 'DELETE', headers: ana.headers })
    expect(removed.status).toBe(200)
    expect((await put(receipt)).status).toBe(200)
    expect((await put(receipt, { by: viewer })).status).toBe(403)
  })

  it('continues after an upload that lost its connection', async () => {
    const id = randomUUID()
    async function* broken() {
      yield receipt.subarray(0, 100)
      throw new Error('the connection was lost')
    }
    const parts = { id, name: 'a.png', declaredType: 'image/png', signal: new AbortController().signal }
    await expect(harness.outgoingFiles.receive(ana.staffId, { ...parts, content: broken() })).rejects.toThrow(
      'was lost',
    )
    expect(await put(receipt, { id })).toMatchObject({ status: 200, body: { data: { id, size: receipt.length } } })
    harness.clock.advance(outgoingLimits.uploadTimeout)
    await harness.removeFiles()
    expect([await keptFiles(), (await harness.db.selectFrom('outgoing_files').select('id').execute()).length]).toEqual([
      1, 1,
    ])
  })

  it.each(['messenger', 'instagram'] as const)(
    'delivers a file on %s and stores the message with its own copy, which the echo does not replace',
    async (platform) => {
      const psid = await harness.createPerson(platform)
      const fileId = await uploaded()
      const sent = order(psid, fileId)
      const answer = await harness.newSending().send(sent)
      await harness.settle()
      expect(await harness.newSending().send(sent)).toEqual(answer)
      expect(await delivered(psid)).toEqual([`image of ${receipt.length}`])
      const [row, ...others] = await outgoing(psid)
      const url = row?.attachments?.data[0]?.image_data?.url ?? ''
      expect(others).toEqual([])
      expect(row).toMatchObject({
        message_id: answer.messageId,
        message_text: null,
        idempotency_key: sent.key,
        attachments: { data: [{ id: fileId, name: 'photo.png', size: receipt.length }] },
      })
      expect((await get(url)).status).toBe(200)
      // The message owns the file now: it stays after the upload would have expired.
      harness.clock.advance(8 * day)
      await harness.removeFiles()
      expect((await get(url)).status).toBe(200)
      await harness.db.deleteFrom('messages').where('message_id', '=', answer.messageId).execute()
      await harness.removeFiles()
      expect([(await get(url)).status, await keptFiles()]).toEqual([410, 0])
    },
  )

  it.each([true, false])('keeps its own copy when the echo comes first (held back: %s)', async (isHeld) => {
    const psid = await harness.createPerson()
    const sent = order(psid, await uploaded())
    const echoing: Graph = {
      ...harness.graph,
      send: async (token, send) => {
        const messageId = await harness.graph.send(token, send)
        if (!isHeld) await harness.settle()
        return messageId
      },
    }
    await harness.newSending(echoing).send(sent)
    await harness.settle()
    const rows = await outgoing(psid)
    expect(rows.map((row) => [row.idempotency_key, row.attachments?.data.map(({ id }) => id)])).toEqual([
      [sent.key, [sent.fileId]],
    ])
    expect(rows[0]?.attachments?.data[0]?.image_data?.url).toMatch(/^\/pictures\//)
  })

  it.each(['messenger', 'instagram'] as const)(
    'on %s, after a lost answer, shows the file that the network lists before it is sent again',
    async (platform) => {
      const psid = await harness.createPerson(platform)
      const sent = order(psid, await uploaded())
      await harness.faults({ loseAnswers: 1, holdWebhooks: true })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual({ status: 504, code: 'NO_ANSWER' })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual({ status: 504, code: 'LISTED_ALIKE' })
      expect((await outgoing(psid)).map((row) => [row.message_text, row.attachments?.data.length])).toEqual([[null, 1]])
      await harness.newSending().send(sent)
      expect(await delivered(psid)).toEqual(Array(2).fill(`image of ${receipt.length}`))
    },
  )

  it.each(['messenger', 'instagram'] as const)(
    'confirms a file on %s by its echo after a lost answer',
    async (platform) => {
      const psid = await harness.createPerson(platform)
      const sent = order(psid, await uploaded())
      await harness.faults({ loseAnswers: 1 })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual({ status: 504, code: 'NO_ANSWER' })
      await harness.settle()
      expect(
        (await outgoing(psid)).map((row) => [row.idempotency_key, row.attachments?.data.map(({ id }) => id)]),
      ).toEqual([[sent.key, [sent.fileId]]])
      await harness.newSending().send(sent)
      expect(await delivered(psid)).toHaveLength(1)
    },
  )

  it('refuses a key with another file, another person’s file, a missing one and what the platform does not take', async () => {
    const [psid, onInstagram] = [await harness.createPerson(), await harness.createPerson('instagram')]
    const sending = harness.newSending()
    const sent = order(psid, await uploaded())
    await sending.send(sent)
    const refused = {
      'another file': await refusalOf(sending.send({ ...sent, fileId: await uploaded() })),
      'a text': await refusalOf(
        sending.send({ key: sent.key, staffId: ana.staffId, pageId: prints, psid, text: 'Hi' }),
      ),
      'of another person': await refusalOf(sending.send({ ...order(psid, await uploaded()), staffId: ben.staffId })),
      missing: await refusalOf(sending.send(order(psid, randomUUID()))),
      'a text file on Instagram': await refusalOf(
        sending.send(order(onInstagram, await uploaded(Buffer.from('name,price\nMug,12\n'), 'text/csv'))),
      ),
    }
    expect(refused).toEqual({
      'another file': { status: 409, code: 'KEY_REUSED' },
      'a text': { status: 409, code: 'KEY_REUSED' },
      'of another person': { status: 422, code: 'FILE_GONE' },
      missing: { status: 422, code: 'FILE_GONE' },
      'a text file on Instagram': { status: 422, code: 'FILE_NOT_ACCEPTED' },
    })
    expect([(await delivered(psid)).length, await delivered(onInstagram)]).toEqual([1, []])
  })

  it('sends a file by the API and refuses a body without its id', async () => {
    const psid = await harness.createPerson()
    const post = async (body: object, key = randomUUID()) => {
      const response = await api.request('/facebook/send-message', {
        method: 'POST',
        headers: { ...ana.headers, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ pageId: prints, recipientPsid: psid, ...body }),
      })
      return { status: response.status, body: await response.json() }
    }
    const fileId = await uploaded(quotation, 'application/pdf')
    const key = randomUUID()
    const first = await post({ messageType: 'file', fileId }, key)
    expect(first.status).toBe(200)
    expect(await post({ messageType: 'file', fileId }, key)).toEqual(first)
    expect((await post({ messageType: 'file' })).status).toBe(400)
    expect((await post({ messageType: 'file', fileId: '../etc' })).status).toBe(400)
    expect((await post({ messageText: 'Ayan po' })).status).toBe(200)
    expect(await delivered(psid)).toEqual([`file of ${quotation.length}`, 'Ayan po'])
  })

  it('gives the network an address that ends', async () => {
    const id = await uploaded()
    const address = harness.outgoingFiles.networkAddressOf(id)
    expect((await get(address)).status).toBe(200)
    harness.clock.advance(outgoingLimits.networkAddress)
    expect((await get(address)).status).toBe(410)
  })

  it('deletes a file that nobody sends after a week, and not while an attempt is younger', async () => {
    const psid = await harness.createPerson()
    const [unused, tried] = [await uploaded(), await uploaded()]
    harness.clock.advance(outgoingLimits.keptFor - 1)
    await harness.control('POST', `/people/${psid}/messages`, { text: 'Hello?' })
    await harness.settle()
    const sent = order(psid, tried)
    await harness.faults({ loseRequests: 1 })
    await refusalOf(harness.newSending().send(sent))
    harness.clock.advance(1)
    await harness.removeFiles()
    const left = await harness.db.selectFrom('outgoing_files').select('id').execute()
    expect([left, await keptFiles()]).toEqual([[{ id: tried }], 1])
    await harness.newSending().send(sent)
    expect([unused === tried, await delivered(psid)]).toEqual([false, [`image of ${receipt.length}`]])
  })

  it('erases the files of a person: those that were delivered and those that were not', async () => {
    const psid = await harness.createPerson()
    const others = await uploaded()
    await harness.newSending().send(order(psid, await uploaded()))
    await harness.faults({ refuse: { times: 1, code: 551, status: 400 } })
    await refusalOf(harness.newSending().send(order(psid, await uploaded())))
    await harness.settle()
    expect(await keptFiles()).toBe(3)
    const person = await harness.db
      .selectFrom('fb_users')
      .select('primary_user_id')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    // A claim of the sending service ends first.
    harness.clock.advance(60_000)
    const begun = await harness.erasures.beginPerson(person.primary_user_id, { by: serverActor })
    if (begun === null) throw new Error('the person is unknown')
    await harness.erasures.run(begun)
    const left = await harness.db.selectFrom('outgoing_files').select('id').execute()
    expect([left, await keptFiles()]).toEqual([[{ id: others }], 1])
  })
})
