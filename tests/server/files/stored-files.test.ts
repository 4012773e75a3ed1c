import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { serverActor } from '../../../server/audit/audit.ts'
import type { FileStore } from '../../../server/files/file-store.ts'
import { createServeCopy } from '../../../server/files/serve-copy.ts'
import { fileLimits, type StoredFiles } from '../../../server/files/stored-files.ts'
import { createSync } from '../../../server/network/sync/sync.ts'
import { exportPerson } from '../../../server/people/export.ts'
import { removeOld } from '../../../server/people/retention.ts'
import { createFetchPicture } from '../../../server/pictures/fetch-picture.ts'
import { createPictureRoutes } from '../../../server/pictures/routes.ts'
import { securityHeaders } from '../../../server/security-headers.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'
import { drawing, openFileHost, page, quotation, receipt, recording } from './file-host.ts'

type Host = Awaited<ReturnType<typeof openFileHost>>

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describeOnDatabase('Files that customers send', (open) => {
  let host: Host
  let harness: Harness
  const running: StoredFiles[] = []
  let sent = 0
  let people = 1_000
  let psid = ''

  beforeAll(async () => {
    host = await openFileHost()
    harness = await openHarness(await open(), { trustedOrigins: [host.origin] })
    await harness.connect(prints)
  })
  afterAll(async () => {
    await harness.close()
    await host.close()
  })
  beforeEach(() => {
    host.become('serving')
    psid = `7700000000${++people}`
  })
  afterEach(async () => {
    for (const files of running.splice(0)) await files.stop()
    await harness.db.deleteFrom('messages').execute()
    await harness.newFileRemoval()()
    await harness.db.deleteFrom('stored_files').execute()
    expect(await storedNames()).toEqual([])
  })

  /** The worker of a process. */
  function start(replaced: Parameters<Harness['newFiles']>[0] = {}): StoredFiles {
    const files = harness.newFiles(replaced)
    running.push(files)
    files.start()
    return files
  }

  const attachment = (type: string, path: string) => ({
    type,
    payload: { url: `${host.origin}${path}?oh=1&n=${sent}` },
  })

  /** Posts a webhook with a message, and returns the addresses of its attachments. */
  async function send(...attachments: object[]): Promise<string[]> {
    const mid = `m-${++sent}`
    const event = {
      sender: { id: psid },
      recipient: { id: prints },
      timestamp: harness.clock.now(),
      message: { mid, attachments },
    }
    await harness.post({ object: 'page', entry: [{ id: prints, time: 0, messaging: [event] }] })
    const row = await harness.db
      .selectFrom('messages')
      .select('attachments')
      .where('message_id', '=', mid)
      .executeTakeFirstOrThrow()
    return (row.attachments?.data ?? []).map(
      ({ image_data, video_data, audio_data, file_data }) =>
        (image_data ?? video_data ?? audio_data ?? file_data)?.url ?? '',
    )
  }

  const rows = () =>
    harness.db
      .selectFrom('stored_files')
      .select(['position', 'state', 'fault', 'content_type', 'bytes', 'sha256', 'attempts'])
      .orderBy('id')
      .execute()
  const states = async () => (await rows()).map(({ state, fault }) => (fault === null ? state : `${state}: ${fault}`))
  const storedNames = async () =>
    (await readdir(harness.folder, { recursive: true })).filter((name) => name.includes('/'))

  /** The application's routes of files, with its headers. */
  function get(path: string, headers: Record<string, string> = {}, store: FileStore = harness.folderStore) {
    const app = new Hono()
      .use(securityHeaders([]))
      .use(compress())
      .route(
        '/pictures',
        createPictureRoutes({
          addresses: harness.addresses,
          serveCopy: createServeCopy({ files: harness.files, store, logger: harness.logger }),
          fetchPicture: createFetchPicture({ trustedOrigins: [host.origin] }),
          refresh: async () => null,
          clock: harness.clock,
          logger: harness.logger,
        }),
      )
    return app.request(path, { headers: { 'accept-encoding': 'gzip', ...headers } })
  }
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
  const described = async (response: Response) => ({
    status: response.status,
    type: response.headers.get('content-type'),
    disposition: response.headers.get('content-disposition'),
    bytes: await bytesOf(response),
  })

  it('are served from their copies when the network has lost them', async () => {
    const files = start()
    const addresses = await send(
      attachment('image', '/receipt.png'),
      attachment('audio', '/voice.wav'),
      attachment('file', '/quotation.pdf'),
    )
    files.wake()
    await files.settled()
    host.become('lost')
    // The bubble of a file shows its size.
    const { attachments } = await harness.db.selectFrom('messages').select('attachments').executeTakeFirstOrThrow()
    expect(attachments?.data.map(({ size }) => size)).toEqual([null, null, quotation.length])
    expect(await rows()).toEqual(
      [
        [receipt, 'image/png'],
        [recording, 'audio/wav'],
        [quotation, 'application/pdf'],
      ].map(([bytes, type], position) => ({
        position,
        state: 'stored',
        fault: null,
        content_type: type,
        bytes: bytes?.length,
        sha256: createHash('sha256')
          .update(bytes ?? '')
          .digest('hex'),
        attempts: 1,
      })),
    )
    const answers = await Promise.all(addresses.map(async (address) => described(await get(address))))
    expect(answers).toEqual([
      { status: 200, type: 'image/png', disposition: 'inline', bytes: receipt },
      { status: 200, type: 'audio/wav', disposition: 'inline', bytes: recording },
      {
        status: 200,
        type: 'application/pdf',
        disposition: "attachment; filename*=UTF-8''quotation.pdf",
        bytes: quotation,
      },
    ])
    expect(host.requests).toEqual([])
  })

  it('have headers that let no script run', async () => {
    const files = start()
    const [address = ''] = await send(attachment('image', '/receipt.png'))
    files.wake()
    await files.settled()
    const { headers } = await get(address)
    expect(
      Object.fromEntries(
        ['content-security-policy', 'x-content-type-options', 'cache-control', 'cross-origin-resource-policy'].map(
          (name) => [name, headers.get(name)],
        ),
      ),
    ).toEqual({
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=604800, immutable',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it.each([
    ['an HTML page', '/page.png', page],
    ['an SVG', '/drawing.png', drawing],
  ])('are a download of an unknown type if they are %s that is called an image', async (_, path, bytes) => {
    const files = start()
    const [address = ''] = await send(attachment('image', path))
    files.wake()
    await files.settled()
    expect(await described(await get(address))).toEqual({
      status: 200,
      type: 'application/octet-stream',
      disposition: `attachment; filename*=UTF-8''${path.slice(1)}`,
      bytes,
    })
  })

  it.each<[string, number, string | null, (bytes: Buffer) => Buffer]>([
    ['bytes=0-9', 206, 'bytes 0-9/16044', (all) => all.subarray(0, 10)],
    ['bytes=16000-', 206, 'bytes 16000-16043/16044', (all) => all.subarray(16_000)],
    ['bytes=-44', 206, 'bytes 16000-16043/16044', (all) => all.subarray(16_000)],
    ['bytes=16040-99999', 206, 'bytes 16040-16043/16044', (all) => all.subarray(16_040)],
    ['bytes=16044-', 416, 'bytes */16044', () => Buffer.alloc(0)],
    ['bytes=-0', 416, 'bytes */16044', () => Buffer.alloc(0)],
    ['bytes=9-0', 416, 'bytes */16044', () => Buffer.alloc(0)],
    ['bytes=0-1,4-5', 200, null, (all) => all],
    ['lines=0-1', 200, null, (all) => all],
  ])('are answered in part for the range %s', async (range, status, contentRange, part) => {
    const files = start()
    const [address = ''] = await send(attachment('audio', '/voice.wav'))
    files.wake()
    await files.settled()
    const response = await get(address, { range })
    expect({ status: response.status, contentRange: response.headers.get('content-range') }).toEqual({
      status,
      contentRange,
    })
    const bytes = await bytesOf(response)
    expect(bytes).toEqual(part(recording))
    if (status !== 416) expect(response.headers.get('content-length')).toBe(String(bytes.length))
    const etag = response.headers.get('etag') ?? ''
    if (status === 416) return
    expect((await get(address, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(address, { range, 'if-range': '"other"' })).status).toBe(200)
  })

  it('come from the network while there is no copy, and from nowhere after a forged address', async () => {
    const addresses = await send(attachment('image', '/receipt.png'), attachment('audio', '/voice.wav'))
    const [picture, sound] = await Promise.all(addresses.map((address) => get(address)))
    expect({ type: picture?.headers.get('content-type'), bytes: await bytesOf(picture ?? new Response()) }).toEqual({
      type: 'image/png',
      bytes: receipt,
    })
    expect({ status: sound?.status, cache: sound?.headers.get('cache-control') }).toEqual({
      status: 302,
      cache: 'no-store',
    })
    expect(sound?.headers.get('location')).toBe(`${host.origin}/voice.wav?oh=1&n=${sent - 1}`)
    const [, address = ''] = addresses
    const forged = `${address.slice(0, -12)}${address.at(-12) === 'A' ? 'B' : 'A'}${address.slice(-11)}`
    expect((await get(forged)).status).toBe(404)
  })

  it('come from the network while the store fails, and when the copy is missing', async () => {
    const files = start()
    const [address = ''] = await send(attachment('file', '/quotation.pdf'))
    files.wake()
    await files.settled()
    const failing = { ...harness.folderStore, open: async () => Promise.reject(new Error('the disk is gone')) }
    expect((await get(address, {}, failing)).status).toBe(302)
    expect((await get(address, {}, { ...harness.folderStore, open: async () => null })).status).toBe(302)
  })

  it.each([
    ['are too large', '/large.png', 'too large'],
    ['are programs', '/program.png', 'a program'],
    ['redirect to a host that is not allowed', '/elsewhere.png', 'source not allowed'],
  ])('are not copied if they %s; this is logged once', async (_, path, fault) => {
    const warned: unknown[] = []
    const files = start({
      logger: { ...harness.logger, error: () => undefined, warn: (of: object) => void warned.push(of) },
    })
    const [address = ''] = await send(attachment('file', path))
    for (let times = 0; times < 3; times++) {
      harness.clock.advance(day)
      files.wake()
      await files.settled()
    }
    expect(await states()).toEqual([`refused: ${fault}`])
    expect(await storedNames()).toEqual([])
    expect(warned).toEqual([{ file: expect.any(Number), pageId: prints, fault }])
    expect((await get(address)).headers.get('location')).toBe(`${host.origin}${path}?oh=1&n=${sent - 1}`)
  })

  it('keep the network address and are not requested if their host is not allowed', async () => {
    const files = start()
    const url = 'http://127.0.0.1:9/secret.pdf'
    expect(await send({ type: 'file', payload: { url } })).toEqual([url])
    files.wake()
    await files.settled()
    expect(await states()).toEqual(['refused: source not allowed'])
  })

  it('of staff keep the network address', async () => {
    const mid = `m-${++sent}`
    const message = { mid, is_echo: true, attachments: [attachment('file', '/quotation.pdf')] }
    const event = { sender: { id: prints }, recipient: { id: psid }, timestamp: harness.clock.now(), message }
    await harness.post({ object: 'page', entry: [{ id: prints, time: 0, messaging: [event] }] })
    expect(await rows()).toEqual([])
  })

  it('are copied after a sync, once, also if the webhook comes too', async () => {
    const [address] = await send(attachment('file', '/quotation.pdf'))
    const url = `${host.origin}/voice.wav`
    const from = { id: psid }
    const listed = (id: string) => ({
      id,
      created_time: new Date(harness.clock.now()).toISOString(),
      from,
      attachments: { data: [{ id: 'a', name: 'voice.wav', mime_type: 'audio/wav', file_url: url }] },
    })
    const sync = createSync({
      ...harness,
      graph: {
        ...harness.graph,
        conversations: async () => ({
          conversations: [
            { id: 't', participants: { data: [from] }, messages: { data: [listed(`m-${sent}`), listed('m-synced')] } },
          ],
          next: null,
          unreadable: 0,
        }),
      },
    })
    await sync.conversation(prints, 'messenger', psid)
    const files = start()
    await files.settled()
    expect((await rows()).map(({ state, content_type }) => [state, content_type])).toEqual([
      ['stored', 'application/pdf'],
      ['stored', 'audio/wav'],
    ])
    expect(await described(await get(address ?? ''))).toMatchObject({ bytes: quotation })
  })

  it('are tried again with growing pauses and given up after days', async () => {
    host.become('failing')
    const files = start()
    await send(attachment('image', '/receipt.png'))
    const run = async () => {
      files.wake()
      await files.settled()
    }
    await run()
    for (const [index, minutes] of [1, 4, 16, 64, 256, 360, 360].entries()) {
      harness.clock.advance(minutes * 60_000 - 1)
      await run()
      expect(host.requests.length).toBe(index + 1)
      harness.clock.advance(1)
      await run()
      expect(host.requests.length).toBe(index + 2)
    }
    harness.clock.advance(fileLimits.giveUpAfter)
    await run()
    // The next sweep.
    harness.clock.advance(hour)
    await run()
    expect(await states()).toEqual(['failed: no answer'])
    host.become('serving')
    harness.clock.advance(day)
    await run()
    expect(host.requests).toEqual([])
  })

  it('are stored on a later try', async () => {
    host.become('failing')
    const files = start()
    await send(attachment('image', '/receipt.png'))
    files.wake()
    await files.settled()
    expect(await states()).toEqual(['waiting: no answer'])
    host.become('serving')
    harness.clock.advance(fileLimits.initialBackoff)
    files.wake()
    await files.settled()
    expect(await states()).toEqual(['stored'])
  })

  it('are downloaded again by another process after a process died in the middle', async () => {
    host.become('stalling')
    // The dead process does not continue when time passes.
    const dying = start({ clock: { now: harness.clock.now, after: () => () => undefined } })
    const [address = ''] = await send(attachment('image', '/receipt.png'))
    dying.wake()
    await expect.poll(() => host.stalled.size).toBeGreaterThan(0)
    host.become('serving')
    const other = start()
    await other.settled()
    expect(host.requests).toEqual([])
    harness.clock.advance(fileLimits.lease)
    other.wake()
    await other.settled()
    expect(await states()).toEqual(['stored'])
    host.become('lost')
    expect(await bytesOf(await get(address))).toEqual(receipt)
  })

  it('are given up after the time limit of a download', async () => {
    host.become('stalling')
    const files = start({ timeout: 50 })
    await send(attachment('image', '/receipt.png'))
    files.wake()
    await files.settled()
    expect(await states()).toEqual(['waiting: no answer'])
    expect(await storedNames()).toEqual([])
  })

  it('stay with the process that claimed them last when an earlier download fails late', async () => {
    host.become('stalling')
    const paused = { now: harness.clock.now, after: () => () => undefined }
    const first = start({ clock: paused })
    await send(attachment('image', '/receipt.png'))
    first.wake()
    await expect.poll(() => host.stalled.size).toBe(1)
    harness.clock.advance(fileLimits.lease)
    const later = start({ clock: paused })
    await expect.poll(() => host.stalled.size).toBe(2)
    const [early, late] = [...host.stalled]
    early?.destroy()
    await first.settled()
    // A third process finds nothing to do.
    host.become('serving')
    await start().settled()
    expect([host.requests, await states()]).toEqual([[], ['waiting']])
    late?.end(receipt.subarray(100))
    await later.settled()
    expect(await states()).toEqual(['stored'])
  })

  it('are due at once for another process when a process stops in the middle of a download', async () => {
    host.become('stalling')
    const stopping = start()
    await send(attachment('image', '/receipt.png'))
    stopping.wake()
    await expect.poll(() => host.stalled.size).toBe(1)
    await stopping.stop()
    host.become('serving')
    await start().settled()
    expect(await states()).toEqual(['stored'])
  })

  it('are copied by the first run after no server ran for days', async () => {
    await send(attachment('image', '/receipt.png'))
    harness.clock.advance(fileLimits.giveUpAfter + 1)
    await start().settled()
    expect(await states()).toEqual(['stored'])
  })

  it('are requested once by two processes', async () => {
    for (let index = 0; index < 10; index++) await send(attachment('image', '/receipt.png'))
    const both = [start(), start()]
    await Promise.all(both.map((files) => files.settled()))
    expect(await states()).toEqual(Array(10).fill('stored'))
    expect(host.requests.length).toBe(10)
  })

  const erase = async (erasures = harness.erasures) => {
    const person = await harness.db
      .selectFrom('fb_users')
      .select('primary_user_id')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    const id = (await erasures.beginPerson(person.primary_user_id, { by: serverActor })) ?? ''
    await erasures.run(id)
    return { id, state: async () => (await harness.erasures.find(id))?.state }
  }

  it('are exported in a list and erased with their rows', async () => {
    const files = start()
    const [address = ''] = await send(attachment('image', '/receipt.png'), attachment('file', '/large.png'))
    files.wake()
    await files.settled()
    const person = await harness.db
      .selectFrom('fb_users')
      .select('primary_user_id')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    let document = ''
    for await (const part of exportPerson(harness.db, person.primary_user_id, new Date(0))) document += part
    expect(JSON.parse(document).files).toMatchObject([
      { message_id: `m-${sent}`, position: 0, state: 'stored', content_type: 'image/png', bytes: receipt.length },
      { message_id: `m-${sent}`, position: 1, state: 'refused', fault: 'too large' },
    ])
    expect(await storedNames()).toHaveLength(1)
    expect(await (await erase()).state()).toBe('completed')
    expect({ rows: await rows(), files: await storedNames() }).toEqual({ rows: [], files: [] })
    host.become('lost')
    expect((await get(address)).status).toBe(410)
  })

  it.each([
    ['the rows are marked', 0],
    ['some files are deleted', 1],
  ])('leave nothing if the process dies after %s', async (_, deletions) => {
    const files = start()
    await send(attachment('image', '/receipt.png'), attachment('audio', '/voice.wav'))
    files.wake()
    await files.settled()
    let left = deletions
    const dying = harness.newFileRemoval({
      async delete(key) {
        await harness.folderStore.delete(key)
        left -= 1
        // The file is deleted and its row is not.
        if (left < 0) throw new Error('the process died')
      },
    })
    await harness.db.deleteFrom('messages').execute()
    expect(await dying()).toBe(false)
    harness.clock.advance(fileLimits.lease)
    files.wake()
    await files.settled()
    expect({ rows: await rows(), files: await storedNames() }).toEqual({ rows: [], files: [] })
  })

  it('keep their rows while the store refuses to delete them', async () => {
    const files = start()
    await send(attachment('image', '/receipt.png'))
    files.wake()
    await files.settled()
    await files.stop()
    await harness.db.deleteFrom('messages').execute()
    const refusing = harness.newFileRemoval({ delete: () => Promise.reject(new Error('the disk is read-only')) })
    expect([await refusing(), (await rows()).length]).toEqual([false, 1])
    const working = harness.newFileRemoval()
    expect(await working()).toBe(false)
    harness.clock.advance(minute)
    expect([await working(), await rows(), await storedNames()]).toEqual([true, [], []])
  })

  it('are deleted with their messages in one run, however many there are', async () => {
    const keys = Array.from({ length: 250 }, (_, index) => index.toString(16).padStart(32, '0'))
    const at = new Date(harness.clock.now())
    await harness.db
      .insertInto('stored_files')
      .values(
        keys.map((key) => ({
          message_id: null,
          position: 0,
          source_hash: key,
          storage_key: key,
          due_at: at,
          created_at: at,
        })),
      )
      .execute()
    const deleted: string[] = []
    const remove = harness.newFileRemoval({ delete: async (key) => void deleted.push(key) })
    expect([await remove(), deleted.toSorted(), await rows()]).toEqual([true, keys, []])
  })

  it('are deleted with their page', async () => {
    const files = start()
    await send(attachment('image', '/receipt.png'), attachment('audio', '/voice.wav'))
    files.wake()
    await files.settled()
    expect([await states(), (await storedNames()).length]).toEqual([['stored', 'stored'], 2])
    const check = async () => undefined
    const id = (await harness.erasures.beginPage(prints, { by: serverActor, check })) ?? ''
    await harness.erasures.run(id)
    expect({
      state: (await harness.erasures.find(id))?.state,
      pages: await harness.db.selectFrom('pages').select('page_id').execute(),
      rows: await rows(),
      files: await storedNames(),
    }).toEqual({ state: 'completed', pages: [], rows: [], files: [] })
    await harness.connect(prints)
  })

  it('delay the end of an erasure until a download ends, and leave no file', async () => {
    host.become('stalling')
    const files = start()
    await send(attachment('image', '/receipt.png'))
    files.wake()
    await expect.poll(() => host.stalled.size).toBeGreaterThan(0)
    const erasure = await erase()
    expect(await erasure.state()).toBe('running')
    for (const response of host.stalled) response.end(receipt.subarray(100))
    host.stalled.clear()
    await files.settled()
    harness.clock.advance(5_000)
    await harness.erasures.run(erasure.id)
    expect(await erasure.state()).toBe('completed')
    expect({ rows: await rows(), files: await storedNames() }).toEqual({ rows: [], files: [] })
  })

  it('are deleted by retention', async () => {
    const files = start()
    await send(attachment('image', '/receipt.png'))
    files.wake()
    await files.settled()
    harness.clock.advance(3 * day)
    await removeOld(harness, { messages: 2, events: null })
    files.wake()
    await files.settled()
    expect({ rows: await rows(), files: await storedNames() }).toEqual({ rows: [], files: [] })
  })
})
