import { once } from 'node:events'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDatabase } from '../../server/database/database.ts'
import { createJobs, type Jobs, workDefaults } from '../../server/jobs.ts'
import { createLogger } from '../../server/logger.ts'
import { createMail, type Mail } from '../../server/mail/mail.ts'
import { createPasswordReset, linkLifetime } from '../../server/stand-ins/supabase/password-reset.ts'
import { accountsApp } from './accounts-harness.ts'
import { describeOnDatabase } from './databases.ts'
import { manualClock } from './manual-clock.ts'
import { addAccount, addLegacyStaff, addStaffAccount, password } from './supabase-server.ts'

// The tests wait for the worker, which looks for emails every 2 s in the product.
const { pollingIntervalSeconds } = workDefaults
beforeAll(() => void Object.assign(workDefaults, { pollingIntervalSeconds: 0.5 }))
afterAll(() => void Object.assign(workDefaults, { pollingIntervalSeconds }))

type Received = { from: string; to: string[]; text: string }

const next = 'another long password'

describeOnDatabase('A new password by email', (open) => {
  let database: OpenDatabase
  let jobs: Jobs
  let mailServer: SMTPServer
  let mail: Mail
  let app: ReturnType<typeof accountsApp>
  const received: Received[] = []
  let wake = () => {}
  /** The number of emails that the mail server refuses next, as after a fault of its own. */
  let refusals = 0

  beforeAll(async () => {
    database = await open()
    mailServer = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, session, done) => {
        const parts: Buffer[] = []
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => {
          if (refusals > 0) {
            refusals -= 1
            return done(Object.assign(new Error('try later'), { responseCode: 451 }))
          }
          const { mailFrom, rcptTo } = session.envelope
          received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            text: Buffer.concat(parts).toString().replaceAll('=\r\n', '').replaceAll('=3D', '='),
          })
          done()
          wake()
        })
      },
    })
    const listening = mailServer.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const address = listening.address()
    if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
    mail = createMail({ url: `smtp://127.0.0.1:${address.port}`, from: 'Inbox <inbox@example.com>' })
    jobs = createJobs(database, { logger: createLogger('silent') })
    await jobs.start()
  })
  afterAll(async () => {
    await jobs.stop({ timeout: 1_000 })
    await new Promise<void>((closed) => mailServer.close(() => closed()))
  })

  beforeEach(async () => {
    received.length = 0
    const clock = manualClock()
    const passwordReset = createPasswordReset({
      db: database.db,
      jobs,
      mail,
      publicUrl: 'https://inbox.example.com',
      clock,
    })
    await jobs.offWork('password-reset').catch(() => undefined)
    await passwordReset.createQueue()
    await passwordReset.work()
    app = accountsApp(database, { passwordReset, clock })
  })

  const request = (email: string) => app.post('password-reset/request', { email })
  const complete = (token: string, word = next) => app.post('password-reset/complete', { token, password: word })

  /** Waits for the next email; its token. */
  const nextMail = async () => {
    while (received.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    const message = received.shift()
    const token = /https:\/\/inbox\.example\.com\/login#reset=([\w-]+)/.exec(message?.text ?? '')?.[1]
    if (message === undefined || token === undefined) throw new Error(`no link in: ${message?.text}`)
    return { ...message, token }
  }
  const linkFor = async (email: string) => {
    expect(await request(email)).toEqual({ status: 200, body: { success: true } })
    return (await nextMail()).token
  }
  /** The number of emails that no worker has dealt with. */
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from jobs.job
      where name = 'password-reset' and state in ('created', 'retry', 'active')`.execute(database.db)
    return rows[0]?.count
  }
  const ended = {
    status: 410,
    body: { success: false, error: 'This link is no longer valid. Please ask for a new one.', code: 'LINK_ENDED' },
  }

  test('sets the new password once and ends all sessions', async () => {
    const { email, staffId } = await addStaffAccount(database.db)
    const before = await app.signIn(email)
    expect(await request(email.toUpperCase())).toEqual({ status: 200, body: { success: true } })
    const { from, to, token } = await nextMail()
    expect([from, to]).toEqual(['inbox@example.com', [email]])
    const stored = await database.db.selectFrom('password_resets').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(token)

    expect((await complete(token, 'short')).body['code']).toBe('WEAK_PASSWORD')
    expect((await complete(token, email)).body['code']).toBe('WEAK_PASSWORD')
    expect(await complete(token)).toEqual({ status: 200, body: { success: true } })
    expect(await complete(token, 'a third long password')).toEqual(ended)
    expect([
      (await app.me(before.token)).status,
      (await app.refreshAtProvider(before.provider.refreshToken)).status,
    ]).toEqual([401, 400])
    await expect(app.atProvider(email)).rejects.toThrow('invalid_credentials')
    expect((await app.signIn(email, next)).token).toBeTypeOf('string')
    const entry = database.db.selectFrom('audit_entries').select('staff_name').where('staff_id', '=', staffId)
    expect(await entry.where('action', '=', 'password.reset').execute()).toEqual([{ staff_name: 'Ana Reyes' }])
  })

  test('is accepted once of two requests at the same time', async () => {
    const { email } = await addStaffAccount(database.db)
    const token = await linkFor(email)
    const answers = await Promise.all([complete(token), complete(token, 'a third long password')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  test('answers the same for every email, and writes to active staff with an account only', async () => {
    const inactive = await addStaffAccount(database.db, { isActive: false })
    const others = [
      'nobody@example.com',
      inactive.email,
      await addLegacyStaff(database.db),
      (await addAccount(database.db)).email,
    ]
    for (const email of others) expect(await request(email)).toEqual({ status: 200, body: { success: true } })
    const { email } = await addStaffAccount(database.db)
    await request(email)
    expect((await nextMail()).to).toEqual([email])
    await expect.poll(waiting, { timeout: 10_000, interval: 200 }).toBe(0)
    expect(received).toEqual([])
  })

  test('ends after an hour, with a newer link and with a change of the password', async () => {
    const { email } = await addStaffAccount(database.db)
    const first = await linkFor(email)
    const second = await linkFor(email)
    expect(await complete(first)).toEqual(ended)
    app.clock.advance(linkLifetime)
    expect(await complete(second)).toEqual(ended)
    const third = await linkFor(email)
    const { token } = await app.atProvider(email)
    expect((await app.changePassword(token, password, next)).status).toBe(200)
    expect(await complete(third)).toEqual(ended)
  })

  test('sends the link after a fault of the mail server', async () => {
    const { email } = await addStaffAccount(database.db)
    refusals = 1
    await request(email)
    const hasFailed = sql<{ id: string }>`
      update jobs.job set start_after = now() where name = 'password-reset' and state = 'retry' returning id`
    // The retry is due in some seconds; now it is due at once.
    await expect.poll(async () => (await hasFailed.execute(database.db)).rows.length).toBe(1)
    expect((await complete((await nextMail()).token)).status).toBe(200)
  })

  test('allows five requests an hour for an email and twenty from an address', async () => {
    const statuses = async (count: number, email: (index: number) => string) => {
      const answers = []
      for (let index = 0; index < count; index++) answers.push((await request(email(index))).status)
      return answers
    }
    app.address.now = '192.0.2.20'
    const fill = (count: number, status: number) => Array<number>(count).fill(status)
    expect(await statuses(6, () => 'Limited@example.com')).toEqual([...fill(5, 200), 429])
    expect(await statuses(16, (index) => `limited-${index}@example.com`)).toEqual([...fill(15, 200), 429])
    app.address.now = '192.0.2.21'
    expect((await request('limited@example.com')).status).toBe(429)
    expect((await request('somebody@example.com')).status).toBe(200)
    app.clock.advance(60 * 60_000)
    expect((await request('limited@example.com')).status).toBe(200)
  })

  test('is offered only by a server that sends emails', async () => {
    const offer = async (server: typeof app) => (await server.call('GET', '/api/auth/password-reset')).body['data']
    const without = accountsApp(database)
    expect([await offer(app), await offer(without)]).toEqual([{ isOffered: true }, { isOffered: false }])
    expect((await without.post('password-reset/request', { email: 'a@example.com' })).status).toBe(409)
  })
})
