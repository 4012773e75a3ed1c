import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { alarmTimes, createAlarms } from '../../../server/alarms/alarms.ts'
import { type Announcement, createAnnounce } from '../../../server/alarms/announce.ts'
import { type Condition, readConditions, readDisk, textOf } from '../../../server/alarms/conditions.ts'
import type { Db } from '../../../server/database/database.ts'
import { createMail } from '../../../server/mail/mail.ts'
import { createPace } from '../../../server/network/graph/pace.ts'
import { createPageCalls } from '../../../server/network/graph/page-calls.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'
import { addIdentity, addMessage, addPage } from '../people.ts'

const minute = 60_000
const hour = 60 * minute
const logger = pino({ level: 'silent' })

describeOnDatabase('createAlarms', (open) => {
  let db: Db
  let clock: ReturnType<typeof manualClock>
  let announced: string[]
  let announceFails: boolean
  let local: () => Promise<Condition[]>
  beforeEach(async () => {
    db = (await open()).db
    await db.deleteFrom('alarms').execute()
    await db.deleteFrom('pages').execute()
    clock = manualClock(Date.UTC(2026, 0, 15, 12))
    announced = []
    announceFails = false
    local = async () => []
    await addPage(db, 'p1')
  })

  /** The alarms of one process. */
  const newAlarms = (machine = 'one') =>
    createAlarms({
      db,
      clock,
      logger,
      machine,
      readLocal: () => local(),
      announce: async ({ event, kind, subject }: Announcement) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (announceFails) throw new Error('no answer')
        announced.push(`${kind} ${subject} ${event}`)
      },
    })
  type Process = ReturnType<typeof newAlarms>
  const settled = (processes: Process[]) => Promise.all(processes.map((process) => process.settled()))
  /** Lets time pass, with a check each minute. */
  const pass = async (processes: Process[], minutes: number) => {
    for (let passed = 0; passed < minutes; passed++) {
      clock.advance(alarmTimes.checkInterval)
      await settled(processes)
    }
  }
  const setTokenRefused = (isRefused: boolean) =>
    db
      .updateTable('pages')
      .set({ token_invalid_since: isRefused ? new Date(clock.now()) : null })
      .execute()
  /** Whether a sync found messages that no webhook brought. */
  const setSilent = async (isSilent: boolean) => {
    await db.deleteFrom('webhook_health').execute()
    if (isSilent)
      await db
        .insertInto('webhook_health')
        .values({ page_id: 'p1', missed_at: ago(0) })
        .execute()
  }
  const ago = (milliseconds: number) => new Date(clock.now() - milliseconds)

  it('announces an incident once when it begins and once when it ends, from two processes at once', async () => {
    const processes = [newAlarms('one'), newAlarms('two')]
    await setSilent(true)
    for (const process of processes) process.start()
    await settled(processes)
    await pass(processes, 30)
    expect(announced).toEqual(['webhooks p1 started'])

    await setSilent(false)
    await pass(processes, 9)
    expect(announced).toHaveLength(1)
    await pass(processes, 30)
    expect(announced).toEqual(['webhooks p1 started', 'webhooks p1 ended'])

    await setSilent(true)
    await pass(processes, 2)
    expect(announced).toEqual(['webhooks p1 started', 'webhooks p1 ended', 'webhooks p1 started'])
    await Promise.all(processes.map((process) => process.stop()))
  })

  it('treats a flapping condition as one incident', async () => {
    const processes = [newAlarms()]
    processes[0]?.start()
    await settled(processes)
    for (let round = 0; round < 6; round++) {
      await setSilent(round % 2 === 0)
      await pass(processes, 5)
    }
    expect(announced).toEqual(['webhooks p1 started'])
    await pass(processes, 10)
    expect(announced).toEqual(['webhooks p1 started', 'webhooks p1 ended'])
    await processes[0]?.stop()
  })

  it('announces later what could not be announced, and an incident that ended meanwhile once', async () => {
    const processes = [newAlarms(), newAlarms()]
    for (const process of processes) process.start()
    await settled(processes)
    announceFails = true
    await setSilent(true)
    await pass(processes, 3)
    announceFails = false
    await pass(processes, 6)
    expect(announced).toEqual(['webhooks p1 started'])

    await setSilent(false)
    await pass(processes, 15)
    announceFails = true
    await setSilent(true)
    await pass(processes, 1)
    await setSilent(false)
    await pass(processes, 15)
    announceFails = false
    await pass(processes, 60)
    expect(announced).toEqual(['webhooks p1 started', 'webhooks p1 ended', 'webhooks p1 ended'])
    await Promise.all(processes.map((process) => process.stop()))
  })

  it('announces with growing pauses of at most an hour, and the end of an incident with the first pause again', async () => {
    let tries = 0
    const counting = createAlarms({
      db,
      clock,
      logger,
      machine: 'one',
      readLocal: () => local(),
      announce: async () => {
        tries += 1
        throw new Error('no answer')
      },
    })
    const triesIn = async (minutes: number) => {
      const before = tries
      await pass([counting], minutes)
      return tries - before
    }
    await setTokenRefused(true)
    counting.start()
    await settled([counting])
    // After 2, 4, 8, 16 and 32 minutes, then every hour.
    expect([tries, await triesIn(2), await triesIn(4), await triesIn(8), await triesIn(16), await triesIn(32)]).toEqual(
      [1, 1, 1, 1, 1, 1],
    )
    expect([await triesIn(59), await triesIn(1), await triesIn(59), await triesIn(1)]).toEqual([0, 1, 0, 1])
    await setTokenRefused(false)
    expect([await triesIn(1), await triesIn(1), await triesIn(1)]).toEqual([1, 0, 1])
    await counting.stop()
  })

  it('ends the incident of a refused token as soon as a call with the token succeeds', async () => {
    const processes = [newAlarms('one'), newAlarms('two')]
    await setTokenRefused(true)
    for (const process of processes) process.start()
    await settled(processes)
    await pass(processes, 20)
    expect(announced).toEqual(['token p1 started'])
    const calls = createPageCalls({
      db,
      pageTokens: { encrypt: () => '', decrypt: () => 'token' },
      pace: createPace({ db, clock }),
      clock,
      logger,
      onTokenAccepted: () => processes[0]?.wake(),
    })
    clock.advance(1)
    await calls.call('p1', { paced: false }, async () => 'answer')
    await settled(processes)
    expect(announced).toEqual(['token p1 started', 'token p1 ended'])
    await Promise.all(processes.map((process) => process.stop()))
  })

  it('ends the disk incident of its own machine after ten quiet minutes', async () => {
    local = async () => [{ kind: 'disk', subject: 'one', detail: { megabytes: 1 } }]
    const own = newAlarms('one')
    own.start()
    await own.settled()
    local = async () => []
    await pass([own], 9)
    expect(announced).toEqual(['disk one started'])
    await pass([own], 2)
    expect(announced).toEqual(['disk one started', 'disk one ended'])
    await own.stop()
  })

  it("ends the disk incident of another machine only after that machine's silence of a day", async () => {
    const full: Condition = { kind: 'disk', subject: 'one', detail: { megabytes: 1 } }
    local = async () => [full]
    const first = newAlarms('one')
    first.start()
    await first.settled()
    await first.stop()
    local = async () => []
    const second = newAlarms('two')
    second.start()
    await pass([second], 30)
    expect(announced).toEqual(['disk one started'])
    clock.advance(24 * hour)
    await pass([second], 2)
    expect(announced).toEqual(['disk one started', 'disk one ended'])
    await second.stop()
  })

  it('announces a database that is gone for two minutes, and its return', async () => {
    const processes = [newAlarms()]
    processes[0]?.start()
    await settled(processes)
    const lost = () => Promise.reject(Object.assign(new Error('terminated'), { code: '57P01' }))
    local = lost
    await pass(processes, 2)
    local = async () => []
    await pass(processes, 1)
    expect(announced).toEqual([])
    local = lost
    await pass(processes, 10)
    expect(announced).toEqual(['database one started'])
    local = async () => []
    announceFails = true
    await pass(processes, 3)
    announceFails = false
    await pass(processes, 3)
    expect(announced).toEqual(['database one started', 'database one ended'])
    await processes[0]?.stop()
  })

  it('finds refused tokens of active pages, parked deliveries and queues that do not move', async () => {
    const now = clock.now()
    const ago = (minutes: number) => new Date(now - minutes * minute)
    const kinds = async () => (await readConditions(db, now)).map(({ kind, subject }) => [kind, subject])
    await addPage(db, 'p2', { active: false })
    await addIdentity(db, 'u1', { page: 'p1' })
    for (const id of ['m1', 'm2']) await addMessage(db, id, 'u1', 0)
    await db
      .insertInto('webhook_inbox')
      .values({ body: '{}', due_at: ago(0), received_at: ago(4) })
      .execute()
    const reply = { fb_user_id: 'u1', due_at: ago(0), created_at: ago(19) }
    await db
      .insertInto('auto_replies')
      .values([
        { ...reply, message_id: 'm1' },
        { ...reply, message_id: 'm2', state: 'none' as const, created_at: ago(90) },
      ])
      .execute()
    expect(await kinds()).toEqual([])

    await db
      .updateTable('pages')
      .set({ token_invalid_since: ago(0) })
      .execute()
    await db
      .updateTable('webhook_inbox')
      .set({ received_at: ago(6) })
      .execute()
    await db
      .updateTable('auto_replies')
      .set({ created_at: ago(21) })
      .where('message_id', '=', 'm1')
      .execute()
    await db.insertInto('webhook_inbox').values({ body: '{}', due_at: sql<Date>`'infinity'` }).execute()
    expect(await kinds()).toEqual([
      ['parked', ''],
      ['queue', 'auto_replies'],
      ['queue', 'webhooks'],
      ['token', 'p1'],
    ])
    expect((await readConditions(db, now)).map(textOf)).toEqual([
      '1 webhook delivery could not be stored and was set aside. See "Parked deliveries" in docs/operations.md.',
      '1 automatic reply waits for more than 20 minutes. Check the log.',
      '1 webhook delivery waits for more than five minutes. Check the log and the database.',
      'The network refuses the token of Page p1. Renew it in the page manager; until then nothing can be sent from this page.',
    ])
  })
})

describeOnDatabase('The webhooks of a page', (open) => {
  let harness: Harness
  beforeAll(async () => {
    // The database's clock is ahead of this one, so that deliveries come after what was missed.
    harness = await openHarness(await open(), { start: Date.now() - hour })
    await harness.connect(prints)
    // What was written before the page was connected is missing by right.
    await harness.sync.recent(prints, new Date(harness.clock.now() - 48 * hour))
    expect(await conditions()).toEqual([])
    await harness.db
      .updateTable('pages')
      .set({ created_at: new Date(harness.clock.now() - hour) })
      .execute()
  })
  afterAll(() => harness.close())

  const conditions = async () => (await readConditions(harness.db, harness.clock.now())).map(({ kind }) => kind)

  it('are silent when a sync finds a message that none brought, until one arrives', async () => {
    const psid = await harness.createPerson()
    const write = (message: string) => harness.control('POST', `/people/${psid}/messages`, { text: message })
    const since = () => new Date(harness.clock.now() - hour)
    await harness.faults({ holdWebhooks: true })
    await write('on its way')
    await harness.sync.recent(prints, since())
    expect(await conditions()).toEqual([])

    await write('lost')
    harness.clock.advance(6 * minute)
    await harness.sync.recent(prints, since())
    expect(await conditions()).toEqual(['webhooks'])
    await harness.faults({})
    await harness.settle()
    await harness.settle()
    expect(await conditions()).toEqual([])
  })

  it('are silent also while a delivery is parked, but not for a message of that delivery', async () => {
    const psid = await harness.createPerson()
    const write = (message: string) => harness.control('POST', `/people/${psid}/messages`, { text: message })
    const since = () => new Date(harness.clock.now() - hour)
    await harness.faults({ holdWebhooks: true })
    await write('parked')
    harness.clock.advance(6 * minute)
    await harness.sync.recent(prints, since())
    const { message_id } = await harness.db
      .selectFrom('messages')
      .select('message_id')
      .where('message_text', '=', 'parked')
      .executeTakeFirstOrThrow()
    // As if the delivery had come and been parked before that sync.
    await harness.db.deleteFrom('webhook_health').execute()
    await harness.db.deleteFrom('messages').where('message_id', '=', message_id).execute()
    await harness.db.deleteFrom('deleted_messages').where('message_id', '=', message_id).execute()
    await harness.db
      .insertInto('webhook_inbox')
      .values({ body: JSON.stringify({ mid: message_id }), due_at: sql<Date>`'infinity'` })
      .execute()
    await harness.sync.recent(prints, since())
    expect(await conditions()).toEqual(['parked'])

    await write('lost')
    harness.clock.advance(6 * minute)
    await harness.sync.recent(prints, since())
    expect(await conditions()).toEqual(['parked', 'webhooks'])
    await harness.faults({})
  })
})

describe('readDisk', () => {
  it('finds a disk with less than 5 % or 1 GB free', async () => {
    const disk = (bavail: number, blocks: number) =>
      readDisk('/data', 'one', async () => ({ bavail, blocks, bsize: 4096 }))
    const gigabyte = 250_000
    expect(await disk(50 * gigabyte, 100 * gigabyte)).toEqual([])
    expect(await disk(5 * gigabyte, 100 * gigabyte)).toEqual([])
    expect((await disk(4 * gigabyte, 100 * gigabyte)).map(textOf)).toEqual([
      'The disk of one is nearly full: 4096 MB are free. Make room, or the server stops storing messages.',
    ])
    expect(await disk(0.9 * gigabyte, 3 * gigabyte)).toHaveLength(1)
    expect(await readDisk('/no/such/directory', 'one')).toEqual([])
  })
})

describe('createAnnounce', () => {
  const announcement: Announcement = {
    event: 'started',
    kind: 'token',
    subject: 'p1',
    text: 'The network refuses the token of Page p1. Renew it.',
    startedAt: '2026-01-15T12:00:00.000Z',
    endedAt: null,
  }

  it('posts a signed body, and throws if it is refused', async () => {
    const received: { body: string; signature: string | undefined }[] = []
    let status = 200
    const server = createServer(async (request, response) => {
      received.push({ body: await text(request), signature: request.headers['x-hub-signature-256']?.toString() })
      response.writeHead(status, { location: '/elsewhere' }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const secret = 'a-secret-of-sixteen'
    const announce = createAnnounce({ mail: undefined, emails: [], webhook: { url, secret } })
    await announce(announcement)
    const signature = createHmac('sha256', secret).update(JSON.stringify(announcement)).digest('hex')
    expect(received).toEqual([{ body: JSON.stringify(announcement), signature: `sha256=${signature}` }])
    for (const refusal of [500, 302]) {
      status = refusal
      await expect(announce(announcement), String(refusal)).rejects.toThrow()
    }
    server.close()
  })

  it('repeats only the way that failed', async () => {
    let status = 500
    const server = createServer((_request, response) => void response.writeHead(status).end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const subjects: string[] = []
    const mail = { send: async ({ subject }: { subject: string }) => void subjects.push(subject) }
    const announce = createAnnounce({ mail, emails: ['one@example.com'], webhook: { url, secret: 's'.repeat(16) } })
    await expect(announce(announcement)).rejects.toThrow('the webhook was refused')
    await expect(announce(announcement)).rejects.toThrow('the webhook was refused')
    status = 200
    await announce(announcement)
    const ended = { ...announcement, event: 'ended' as const, endedAt: '2026-01-15T13:00:00.000Z' }
    await announce(ended)
    const sentence = 'The network refuses the token of Page p1'
    expect(subjects).toEqual([`Staff Inbox: ${sentence}`, `Staff Inbox, ended: ${sentence}`])
    server.close()
  })

  it('mails every address, and throws if the mail server refuses one', async () => {
    const mails: { to: string[]; content: string }[] = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _, done) => done(address.startsWith('nobody') ? new Error('unknown') : null),
      onData: (stream, { envelope }, done) => {
        text(stream).then((content) => {
          mails.push({ to: envelope.rcptTo.map(({ address }) => address), content })
          done()
        }, done)
      },
    })
    server.on('error', () => undefined)
    const listening = server.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const url = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`
    const mail = createMail({ url, from: 'inbox@example.com' })
    const emails = ['one@example.com', 'two@example.com']
    await createAnnounce({ mail, emails, webhook: undefined })(announcement)
    await createAnnounce({ mail, emails, webhook: undefined })({
      ...announcement,
      event: 'ended',
      endedAt: '2026-01-15T13:00:00.000Z',
    })
    expect(mails.map(({ to }) => to)).toEqual([emails, emails])
    expect(mails[0]?.content).toContain('Subject: Staff Inbox: The network refuses the token of Page p1\r\n')
    expect(mails[0]?.content).toContain('Since 2026-01-15T12:00:00.000Z.')
    expect(mails[1]?.content).toContain('Subject: Staff Inbox, ended: The network refuses the token of Page p1\r\n')
    expect(mails[1]?.content).toContain('From 2026-01-15T12:00:00.000Z to 2026-01-15T13:00:00.000Z.')
    const toNobody = createAnnounce({ mail, emails: ['nobody@example.com'], webhook: undefined })
    await expect(toNobody(announcement)).rejects.toThrow()
    server.close()
  })
})
