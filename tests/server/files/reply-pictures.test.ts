import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createOutgoingFileRoutes } from '../../../server/api/outgoing-files.ts'
import { createSavedReplyRoutes } from '../../../server/api/saved-replies.ts'
import { maxPictureBytes } from '../../../server/files/reply-pictures.ts'
import { outgoingLimits } from '../../../server/files/reserved-files.ts'
import { fileLimits } from '../../../src/domain/send/file-limits.ts'
import { savedReplyLimits } from '../../../src/schemas/saved-reply.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { breakingAfter, type Harness, openHarness, prints } from '../network-harness.ts'
import { type SignedIn, signIn } from '../sign-in.ts'
import { quotation, receipt } from './file-host.ts'

const day = 24 * 60 * 60_000

/** Two pictures of different sizes, so that their order can be told. */
const [first, second] = [receipt, Buffer.concat([receipt, Buffer.from('second')])]

describeOnDatabase('The pictures of saved replies', (open) => {
  let harness: Harness
  let routes: (failsAfter?: number) => Hono
  let staff: Record<'administrator' | 'colleague' | 'agent' | 'viewer', SignedIn>

  beforeAll(async () => {
    // Times more than a day after the real time would be refused.
    harness = await openHarness(await open(), { start: Date.now() - 60 * day })
    await harness.connect(prints)
    const { db, clock } = harness
    staff = {
      administrator: await signIn(db),
      colleague: await signIn(db),
      agent: await signIn(db, 'agent'),
      viewer: await signIn(db, 'viewer'),
    }
    routes = (failsAfter) => {
      const api = apiBehindSignIn(db)
      api.onError((_, c) => c.json({ success: false }, 500))
      api.route('/facebook', createOutgoingFileRoutes({ files: harness.outgoingFiles }))
      const breaking = failsAfter === undefined ? db : db.withPlugin(breakingAfter(failsAfter))
      const pictures = harness.newReplyPictures(failsAfter === undefined ? {} : { failsAfter })
      return api.route('/saved-replies', createSavedReplyRoutes({ db: breaking, pictures, clock }))
    }
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    await harness.db.deleteFrom('saved_replies').execute()
    await harness.db.deleteFrom('messages').execute()
    await harness.db
      .updateTable('outgoing_files')
      .set({ expires_at: new Date(0) })
      .execute()
    await harness.removeFiles()
  })

  type By = keyof typeof staff
  const ask = (method: string, path: string, body?: unknown, by: By = 'administrator', failsAfter?: number) =>
    callAs(staff[by], routes(failsAfter), method, path, body)
  const upload = async (bytes: Uint8Array<ArrayBuffer> = receipt, by: By = 'administrator'): Promise<string> => {
    const id = randomUUID()
    const response = await routes().request(`/facebook/outgoing-files/${id}?name=photo.png`, {
      method: 'PUT',
      headers: { ...staff[by].headers, 'content-type': 'image/png' },
      body: bytes,
    })
    expect(response.status).toBe(200)
    return id
  }
  const body = (pictures: readonly string[], text = 'Our menu') => ({ name: 'menu', text, page_ids: null, pictures })
  const create = async (pictures: readonly string[]): Promise<string> => {
    const created = await ask('POST', '/saved-replies', body(pictures))
    expect(created.status).toBe(200)
    return created.body.data.id
  }
  const picturesOf = async (): Promise<{ id: string; url: string }[]> =>
    (await ask('GET', '/saved-replies', undefined, 'agent')).body.data[0].pictures
  const shownIds = async () => (await picturesOf()).map(({ id }) => id)
  const copy = (reply: string, picture: string, id: string = randomUUID(), by: By = 'agent', failsAfter?: number) =>
    ask('PUT', `/saved-replies/${reply}/pictures/${picture}/copies/${id}`, undefined, by, failsAfter)
  const keptFiles = async () =>
    (await readdir(harness.folder, { recursive: true })).filter((name) => name.includes('/')).length
  const rows = async () =>
    (await harness.db.selectFrom('outgoing_files').select('id').orderBy('id').execute()).map(({ id }) => id)
  const get = async (url: string) => (await fetch(`${harness.address}${url}`)).status

  it('are kept in their order, shown without a token, and stay when the reply is changed without naming them', async () => {
    const [one, other] = [await upload(first), await upload(second)]
    const created = await ask('POST', '/saved-replies', body([other, one]))
    const shown = (id: string, size: number) => ({
      id,
      kind: 'image',
      type: 'image/png',
      name: 'photo.png',
      size,
      url: expect.stringMatching(/^\/pictures\//),
    })
    expect(created.body.data.pictures).toEqual([shown(other, second.length), shown(one, first.length)])
    expect(await picturesOf()).toEqual(created.body.data.pictures)
    const { id } = created.body.data
    const { pictures: _, ...without } = body([], 'Our new menu')
    expect((await ask('PUT', `/saved-replies/${id}`, without)).body.data.pictures).toEqual(created.body.data.pictures)
    expect((await ask('PUT', `/saved-replies/${id}`, body([one, other]), 'colleague')).status).toBe(200)
    expect(await shownIds()).toEqual([one, other])
    // Uploads are deleted after 7 days; pictures of a saved reply are not.
    harness.clock.advance(400 * day)
    await harness.removeFiles()
    expect(await Promise.all((await picturesOf()).map(({ url }) => get(url)))).toEqual([200, 200])
  })

  it('go with the reply, with its last page, or when they are left out of it', async () => {
    const [one, other] = [await upload(), await upload()]
    const id = await create([one, other])
    const [{ url = '' } = {}] = await picturesOf()
    await ask('PUT', `/saved-replies/${id}`, body([other]))
    await harness.removeFiles()
    expect([await shownIds(), await keptFiles(), await get(url)]).toEqual([[other], 1, 410])
    await ask('DELETE', `/saved-replies/${id}`)
    await harness.removeFiles()
    expect([await rows(), await keptFiles()]).toEqual([[], 0])
    await ask('POST', '/saved-replies', { ...body([await upload()]), page_ids: [prints] })
    const page = await harness.db
      .selectFrom('pages')
      .selectAll()
      .where('page_id', '=', prints)
      .executeTakeFirstOrThrow()
    await harness.db.deleteFrom('pages').where('page_id', '=', prints).execute()
    await harness.removeFiles()
    expect([await rows(), await keptFiles()]).toEqual([[], 0])
    await harness.connect(page.page_id)
  })

  it('can stand without a text, and a reply has one of both', async () => {
    const id = randomUUID()
    const empty = { status: 400, body: { success: false, error: 'text is not valid' } }
    expect(await ask('POST', '/saved-replies', body([], ' '))).toEqual(empty)
    expect((await ask('POST', '/saved-replies', body([await upload()], ' '))).body.data).toMatchObject({
      text: '',
      pictures: [{ kind: 'image' }],
    })
    const { pictures: _, ...without } = body([], ' ')
    expect(await ask('PUT', `/saved-replies/${id}`, without)).toEqual(empty)
  })

  it.each<[string, () => Promise<string[]>, number, string]>([
    ['an id that is none', async () => ['x'], 400, 'pictures.0 is not valid'],
    ['one picture twice', async () => Array(2).fill(await upload()), 400, 'pictures is not valid'],
    [
      'too many pictures',
      async () => Array.from({ length: savedReplyLimits.pictures + 1 }, () => randomUUID()),
      400,
      'pictures is not valid',
    ],
    [
      'a picture that nobody uploaded',
      async () => [randomUUID()],
      422,
      'One of the pictures is no longer there. Remove it and choose it again.',
    ],
    [
      'the upload of a colleague',
      async () => [await upload(receipt, 'colleague')],
      422,
      'One of the pictures is no longer there. Remove it and choose it again.',
    ],
    [
      'another file',
      async () => [await upload(quotation)],
      422,
      'A saved reply holds JPEG, PNG and GIF pictures of up to 8 MB',
    ],
    [
      'a picture that is too large for a message',
      async () => [await upload(Buffer.concat([receipt, Buffer.alloc(fileLimits.image)]))],
      422,
      'A saved reply holds JPEG, PNG and GIF pictures of up to 8 MB',
    ],
  ])('are refused with %s, and nothing changes', async (_, pictures, status, error) => {
    const ids = await pictures()
    const kept = await upload()
    const id = await create([kept])
    const before = await rows()
    const refused = await ask('POST', '/saved-replies', { ...body(ids), name: 'other' })
    expect(refused).toEqual({ status, body: { success: false, error } })
    expect(await ask('PUT', `/saved-replies/${id}`, body(ids))).toEqual(refused)
    expect([(await ask('GET', '/saved-replies')).body.data.length, await shownIds(), await rows()]).toEqual([
      1,
      [kept],
      before,
    ])
  })

  it('have a limit for all saved replies together', async () => {
    const [one, other] = [await upload(), await upload()]
    await create([one])
    await harness.db
      .updateTable('outgoing_files')
      .set({ bytes: maxPictureBytes - receipt.length + 1 })
      .where('id', '=', one)
      .execute()
    expect(await ask('POST', '/saved-replies', { ...body([other]), name: 'other' })).toEqual({
      status: 422,
      body: { success: false, error: 'The pictures of all saved replies may have 1000 MB. Remove some first.' },
    })
  })

  it('are not sent or discarded by the person who uploaded them, and a sent file is no picture', async () => {
    const psid = await harness.createPerson()
    const [picture, sent] = [await upload(), await upload()]
    const id = await create([picture])
    const order = { key: randomUUID(), staffId: staff.administrator.staffId, pageId: prints, psid, text: '' }
    await expect(harness.newSending().send({ ...order, fileId: picture })).rejects.toMatchObject({ code: 'FILE_GONE' })
    await ask('DELETE', `/facebook/outgoing-files/${picture}`)
    await harness.removeFiles()
    expect(await shownIds()).toEqual([picture])
    await harness.faults({ loseRequests: 1 })
    await expect(harness.newSending().send({ ...order, fileId: sent })).rejects.toMatchObject({ code: 'NO_ANSWER' })
    expect((await ask('PUT', `/saved-replies/${id}`, body([picture, sent]))).status).toBe(422)
  })

  it('are copied once under one id for whoever sends, and each copy is delivered and outlives the reply', async () => {
    const psid = await harness.createPerson()
    const [one, other] = [await upload(first), await upload(second)]
    const reply = await create([one, other])
    const [id, next] = [randomUUID(), randomUUID()]
    const copied = await copy(reply, one, id)
    expect(copied.body.data).toEqual({
      id,
      kind: 'image',
      type: 'image/png',
      name: 'photo.png',
      size: first.length,
      url: expect.stringMatching(/^\/pictures\//),
    })
    expect(await copy(reply, one, id)).toEqual(copied)
    expect(await keptFiles()).toBe(3)
    expect((await copy(reply, other, next)).status).toBe(200)
    await ask('DELETE', `/saved-replies/${reply}`)
    await harness.removeFiles()
    // A lost answer is asked for again after the reply is gone.
    expect(await copy(reply, one, id)).toEqual(copied)
    for (const fileId of [id, next]) {
      const order = { key: randomUUID(), staffId: staff.agent.staffId, pageId: prints, psid, text: '', fileId }
      await harness.newSending().send(order)
    }
    const delivered = await harness.control<{ files: { size: number }[] }[]>('GET', `/people/${psid}/deliveries`)
    expect(delivered.map(({ files }) => files.map(({ size }) => size))).toEqual([[first.length], [second.length]])
    expect([await rows(), await keptFiles()]).toEqual([[], 2])
  })

  it('refuse a copy of what is gone, under the id of another file, beyond the limit and without the right', async () => {
    const picture = await upload()
    const reply = await create([picture])
    const gone = {
      status: 404,
      body: { success: false, error: 'This picture was removed from the saved reply', code: 'PICTURE_GONE' },
    }
    expect([await copy(reply, randomUUID()), await copy('x', picture)]).toEqual([gone, gone])
    const taken = { status: 409, body: { code: 'FILE_TAKEN' } }
    expect(await copy(reply, picture, await upload(receipt, 'colleague'))).toMatchObject(taken)
    expect(await copy(reply, picture, picture)).toMatchObject(taken)
    expect((await copy(reply, picture, randomUUID(), 'viewer')).status).toBe(403)
    expect((await copy(reply, picture, 'x')).status).toBe(400)
    const now = new Date(harness.clock.now())
    await harness.db
      .insertInto('outgoing_files')
      .values(
        Array.from({ length: outgoingLimits.files }, () => ({
          id: randomUUID() as string,
          staff_id: staff.agent.staffId,
          storage_key: randomUUID() as string,
          name: null,
          created_at: now,
          expires_at: new Date(harness.clock.now() + day),
        })),
      )
      .execute()
    expect(await copy(reply, picture)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_FILES' } })
    await harness.db.deleteFrom('outgoing_files').where('staff_id', '=', staff.agent.staffId).execute()
  })

  it('are not copied if the file is lost, and a reply that is deleted during the copy leaves no file', async () => {
    const picture = await upload()
    const reply = await create([picture])
    const opened = vi.spyOn(harness.folderStore, 'open')
    opened.mockResolvedValueOnce(null)
    expect(await copy(reply, picture)).toMatchObject({ status: 404, body: { code: 'PICTURE_GONE' } })
    const id = randomUUID()
    opened.mockImplementationOnce(async () => {
      await ask('DELETE', `/saved-replies/${reply}`)
      await harness.removeFiles()
      return null
    })
    expect(await copy(reply, picture, id)).toMatchObject({ status: 404, body: { code: 'PICTURE_GONE' } })
    opened.mockRestore()
    await harness.removeFiles()
    expect([await rows(), await keptFiles()]).toEqual([[], 0])
  })

  it('leave nothing of a copy that the person removed while it was made', async () => {
    const picture = await upload()
    const reply = await create([picture])
    const id = randomUUID()
    const original = harness.folderStore.put
    const stored = vi.spyOn(harness.folderStore, 'put').mockImplementationOnce(async (...file) => {
      await ask('DELETE', `/facebook/outgoing-files/${id}`, undefined, 'agent')
      await harness.removeFiles()
      await original(...file)
    })
    expect(await copy(reply, picture, id)).toMatchObject({ status: 409, body: { code: 'FILE_REMOVED' } })
    stored.mockRestore()
    expect([await rows(), await keptFiles()]).toEqual([[picture], 1])
  })

  it('make one copy of two calls at the same time, and delete what the earlier one stored', async () => {
    const picture = await upload()
    const reply = await create([picture])
    const id = randomUUID()
    const answers = await Promise.all([copy(reply, picture, id), copy(reply, picture, id)])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await copy(reply, picture, id)).status).toBe(200)
    harness.clock.advance(outgoingLimits.uploadTimeout)
    await harness.removeFiles()
    expect([(await rows()).length, await keptFiles()]).toEqual([2, 2])
  })

  it('are all kept or all as before, after whichever statement the process dies', async () => {
    const [old, added] = [await upload(first), await upload(second)]
    const id = await create([old])
    for (let failsAfter = 0; ; failsAfter += 1) {
      const { status } = await ask('PUT', `/saved-replies/${id}`, body([added]), 'administrator', failsAfter)
      await harness.removeFiles()
      if (status === 200) break
      expect([await shownIds(), await rows()]).toEqual([[old], [old, added].sort()])
    }
    expect([await shownIds(), await rows(), await keptFiles()]).toEqual([[added], [added], 1])
  })

  it('are copied once, after whichever statement the process dies', async () => {
    const picture = await upload()
    const reply = await create([picture])
    for (let failsAfter = 0; failsAfter < 12; failsAfter += 1) {
      const id = randomUUID()
      const interrupted = await copy(reply, picture, id, 'agent', failsAfter)
      const repeated = await copy(reply, picture, id)
      expect([200, 500]).toContain(interrupted.status)
      expect(repeated.body.data.id).toBe(id)
      harness.clock.advance(outgoingLimits.uploadTimeout)
      await harness.removeFiles()
      expect([await rows(), await keptFiles()]).toEqual([[picture, id].sort(), 2])
      await ask('DELETE', `/facebook/outgoing-files/${id}`, undefined, 'agent')
      await harness.removeFiles()
    }
  })

  it('do not count among the files that the person has not sent', async () => {
    for (let index = 0; index < 3; index += 1) {
      await ask('POST', '/saved-replies', { ...body([await upload()]), name: `menu-${index}` })
    }
    const parts = { name: null, declaredType: '', signal: new AbortController().signal }
    const { staffId } = staff.administrator
    for (let index = 0; index < outgoingLimits.files; index += 1) {
      const received = await harness.outgoingFiles.receive(staffId, {
        ...parts,
        id: randomUUID(),
        content: Readable.from([receipt]),
      })
      expect(received).toMatchObject({ kind: 'image' })
    }
  })
})
