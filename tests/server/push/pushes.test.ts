import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endSnoozes } from '../../../server/database/conversation-states.ts'
import type { Db } from '../../../server/database/database.ts'
import { inTransaction } from '../../../server/database/transaction.ts'
import { type PlacedComment, storeComments } from '../../../server/network/comments/store-comments.ts'
import { publicLookupOf } from '../../../server/pictures/open-source.ts'
import { createPost, isPushService, type Post } from '../../../server/push/push-services.ts'
import { createPushes } from '../../../server/push/pushes.ts'
import {
  deleteForeignSubscriptions,
  deleteSubscription,
  endVisibleTab,
  isUsableKey,
  renewVisibleTab,
  saveSubscription,
} from '../../../server/push/subscriptions.ts'
import { openVapid } from '../../../server/push/vapid.ts'
import { readSettings } from '../../../server/settings.ts'
import { defaultSettings } from '../../../src/domain/list/notices.ts'
import type { NotificationSettings } from '../../../src/schemas/notification-settings.ts'
import { describeOnDatabase } from '../databases.ts'
import { ringOf } from '../derived-keys.ts'
import { manualClock } from '../manual-clock.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { type PushService, startPushService } from './push-service.ts'

const noon = at(0).getTime()
const settings = readSettings({ PUBLIC_URL: 'https://inbox.example.com' })
const keyring = ringOf('a secret of thirty-two characters')

describeOnDatabase('Push notifications', (open) => {
  let db: Db
  let service: PushService
  let clock: ReturnType<typeof manualClock>
  const logged: unknown[] = []
  const logger = { error: (what: unknown) => void logged.push(what), warn: (what: unknown) => void logged.push(what) }

  beforeEach(async () => {
    db = (await open()).db
    logged.length = 0
    for (const table of ['visible_tabs', 'conversation_events', 'pages', 'staff', 'stored_keys'] as const)
      await db.deleteFrom(table).execute()
    await addPage(db, 'p1', { name: 'Prints' })
    for (const [id, role] of [
      ['ana', 'administrator'],
      ['ben', 'agent'],
    ] as const) {
      await db
        .insertInto('staff')
        .values({ id, email: `${id}@example.com`, name: id, role })
        .execute()
      await db
        .insertInto('staff_sessions')
        .values({ id: `session-${id}`, staff_id: id, provider_session_id: `provider-${id}` })
        .execute()
    }
    for (const id of ['u1', 'u2']) await addIdentity(db, id, { page: 'p1', name: `Wena ${id}` })
    service = await startPushService()
    clock = manualClock(noon)
  })
  afterEach(() => service.close())

  const subscribe = async (staffId: string, name = staffId) =>
    saveSubscription(db, {
      ...service.subscribe(name),
      staffId,
      sessionId: `session-${staffId}`,
      serverKey: (await openVapid(db, keyring, settings)).publicKey,
      now: new Date(clock.now()),
    })
  const wants = async (staffId: string, change: Partial<NotificationSettings>) => {
    const json = JSON.stringify({ ...defaultSettings('UTC'), ...change })
    await db
      .insertInto('notification_settings')
      .values({ staff_id: staffId, settings: json, version: 1, updated_at: at(0) })
      .execute()
  }
  const changeConversation = (id: string, change: { assigned_to?: string; muted_at?: Date }) =>
    db.updateTable('conversations').set(change).where('primary_user_id', '=', id).execute()
  const newWorker = async ({ showsNames = false, post }: { showsNames?: boolean; post?: Post } = {}) =>
    createPushes({
      db,
      vapid: await openVapid(db, keyring, settings),
      post: post ?? createPost({ origins: [service.origin] }),
      showsNames,
      clock,
      logger,
    })
  /** Does all that is due now. */
  const work = async (options: Parameters<typeof newWorker>[0] = {}) => {
    const worker = await newWorker(options)
    worker.start()
    await worker.settled()
    await worker.stop()
  }
  const contents = () => service.received.map(({ content }) => content)
  const subscriptions = async () =>
    (await db.selectFrom('push_subscriptions').select('endpoint').orderBy('endpoint').execute()).map(({ endpoint }) =>
      endpoint.replace(/^.*\//, ''),
    )
  const left = async () =>
    Number((await db.selectFrom('push_deliveries').select(sql<number>`count(*)`.as('rows')).executeTakeFirst())?.rows)

  it('are encrypted for the browser, name the page only, and tell who sends them', async () => {
    await subscribe('ana')
    await addMessage(db, 'm1', 'u1', 0)
    await work()
    expect(service.received).toEqual([
      {
        content: { title: 'Prints', body: 'New message', conversationId: 'u1' },
        headers: {
          ttl: '86400',
          urgency: 'high',
          topic: expect.stringMatching(/^[\w-]{32}$/),
          'content-encoding': 'aes128gcm',
        },
        contact: 'https://inbox.example.com',
      },
    ])
    expect([await left(), logged]).toEqual([0, []])
  })

  it('contain the name if the operator allows it, and the text if the person wants it too', async () => {
    await subscribe('ana')
    await subscribe('ben')
    await wants('ben', { showsText: true })
    await addMessage(db, 'm1', 'u1', 0, { message_text: 'Magkano  po?' })
    await work({ showsNames: true })
    const title = 'New message from Wena u1'
    expect(contents()).toEqual(
      expect.arrayContaining([
        { title, body: 'Prints', conversationId: 'u1' },
        { title, body: 'Magkano po?', conversationId: 'u1' },
      ]),
    )
  })

  it.each<[string, (mine: string) => Promise<unknown>, boolean]>([
    ['a message that nobody takes care of', () => addMessage(db, 'm1', 'u1', 0), true],
    [
      'no such message if the person does not want these',
      async () => {
        await wants('ana', { unassigned: false })
        await addMessage(db, 'm1', 'u1', 0)
      },
      false,
    ],
    [
      'an own message',
      async (mine) => {
        await changeConversation('u1', { assigned_to: mine })
        await addMessage(db, 'm1', 'u1', 0)
      },
      true,
    ],
    [
      'no message of a colleague',
      async () => {
        await changeConversation('u1', { assigned_to: 'ben' })
        await addMessage(db, 'm1', 'u1', 0)
      },
      false,
    ],
    [
      'no message of a muted person',
      async () => {
        await changeConversation('u1', { muted_at: at(0) })
        await addMessage(db, 'm1', 'u1', 0)
      },
      false,
    ],
    [
      'nothing in quiet hours',
      async () => {
        const quiet = { isOn: true, from: '11:00', to: '13:00', days: [4], timeZone: 'UTC' }
        await wants('ana', { quiet })
        await addMessage(db, 'm1', 'u1', 0)
      },
      false,
    ],
    ['no answer of staff', () => addMessage(db, 'm1', 'u1', 0, { direction: 'outgoing' }), false],
    ['no message of synced history', () => addMessage(db, 'm1', 'u1', 0, { is_historical: true }), false],
    ['no message that was stored as read', () => addMessage(db, 'm1', 'u1', 0, { is_read: true }), false],
    [
      'no message that somebody has read',
      async () => {
        await addMessage(db, 'm1', 'u1', 0)
        await db.updateTable('messages').set({ is_read: true }).execute()
      },
      false,
    ],
    ['a comment that needs an answer', () => comment('wena'), true],
    [
      'no comment if the person does not want these',
      async () => {
        await wants('ana', { comments: false })
        await comment('wena')
      },
      false,
    ],
    [
      'no comment in quiet hours',
      async () => {
        await wants('ana', { quiet: { isOn: true, from: '11:00', to: '13:00', days: [4], timeZone: 'UTC' } })
        await comment('wena')
      },
      false,
    ],
    [
      'no comment to a person who may not read them',
      async () => {
        await db
          .updateTable('staff')
          .set({ role: 'custom', permissions: ['orders.manage'] })
          .execute()
        await comment('wena')
      },
      false,
    ],
    ['no comment of the page itself', () => comment('p1', { byPage: true }), false],
    [
      'no comment of a muted person',
      async () => {
        await changeConversation('u1', { muted_at: at(0) })
        await comment('psid-u1')
      },
      false,
    ],
    [
      'no comment that is hidden or deleted by then',
      async () => {
        await comment('wena')
        await comment('wena', { verb: 'hide' })
        await comment('tala')
        await comment('tala', { verb: 'remove' })
      },
      false,
    ],
    [
      'no comment that was answered',
      async () => {
        await comment('wena')
        await comment('p1', { byPage: true, parentId: 'post_wena' })
      },
      false,
    ],
    ['a note that mentions the person', () => addNote('ben', ['ana']), true],
    ['no own note', () => addNote('ana', ['ana']), false],
    ['no note that mentions somebody else', () => addNote('ana', ['ben']), false],
    [
      'a snooze that has ended by time',
      async () => {
        await db
          .updateTable('conversations')
          .set({ snoozed_at: at(-60), snoozed_until: at(-1) })
          .where('primary_user_id', '=', 'u1')
          .execute()
        await endSnoozes(db, noon)
      },
      true,
    ],
  ])('tell of %s', async (_, happen, isTold) => {
    await subscribe('ana')
    await happen('ana')
    await work()
    expect(contents()).toHaveLength(isTold ? 1 : 0)
    expect([await left(), logged]).toEqual([0, []])
  })

  /** A change of the one comment of this writer. */
  const comment = (author: string, more: Partial<PlacedComment> = {}) => {
    const change: PlacedComment = {
      kind: 'comment',
      verb: 'add',
      pageId: 'p1',
      platform: 'messenger',
      byPage: false,
      commentId: `post_${author}`,
      postId: 'post',
      parentId: null,
      authorId: author,
      authorName: `Person ${author}`,
      text: `text of  ${author}`,
      picture: null,
      permalink: null,
      isLive: false,
      createdAt: at(0),
      at: at(1),
      ...more,
    }
    return inTransaction(db, (trx) => storeComments(trx, [change]))
  }
  const threadOf = async (author: string) =>
    (await db.selectFrom('comment_threads').select('id').where('author_id', '=', author).executeTakeFirst())?.id

  it('name the writer of a comment and show its text as they do of a message', async () => {
    await subscribe('ana')
    await subscribe('ben')
    await wants('ben', { showsText: true })
    await comment('wena')
    await work({ showsNames: true })
    const comments = { threadId: await threadOf('wena') }
    const title = 'New comment from Person wena'
    expect(contents()).toEqual(
      expect.arrayContaining([
        { title, body: 'Prints', comments },
        { title, body: 'text of wena', comments },
      ]),
    )
    expect(service.received[0]?.headers).toMatchObject({ topic: expect.stringMatching(/^[\w-]{32}$/) })
  })

  it('about comments come at most once in a minute, and after one about many once in five', async () => {
    await subscribe('ana')
    await comment('wena')
    await work()
    for (const author of ['a', 'b', 'c', 'd']) await comment(author)
    clock.advance(59_999)
    await work()
    expect([contents(), await left()]).toEqual([
      [{ title: 'Prints', body: 'New comment', comments: { threadId: await threadOf('wena') } }],
      1,
    ])
    clock.advance(1)
    await work()
    await comment('e')
    clock.advance(5 * 60_000 - 1)
    await work()
    expect(contents().slice(1)).toEqual([
      { title: 'Prints', body: 'New comments from 4 people', comments: { threadId: null } },
    ])
    clock.advance(1)
    await work()
    expect([contents().length, await left()]).toEqual([3, 0])
  })

  it('about comments keep this pace when a comment comes during a delivery, in whichever process', async () => {
    await subscribe('ana')
    await comment('wena')
    const posts: (() => Promise<void>)[] = [
      async () => {
        await comment('tala')
        await work()
      },
    ]
    const busy = await newWorker({
      post: async (request) => {
        await posts.shift()?.()
        return createPost({ origins: [service.origin] })(request)
      },
    })
    busy.start()
    await busy.settled()
    await busy.stop()
    await work()
    expect([contents().length, await left()]).toEqual([1, 1])
    clock.advance(60_000)
    await work()
    expect([contents().length, await left()]).toEqual([2, 0])
  })

  it('about comments tell those too whose process decides later than that of newer ones', async () => {
    await subscribe('ana')
    await comment('wena')
    const [earlier] = await db.deleteFrom('due_comment_pushes').returningAll().execute()
    await comment('tala')
    await renewVisibleTab(db, 'tab-ana-1', 'ana')
    await work()
    await sql`insert into due_comment_pushes (id, thread_id, created_at) overriding system value
      values (${earlier?.id}, ${earlier?.thread_id}, ${earlier?.created_at})`.execute(db)
    await endVisibleTab(db, 'tab-ana-1', 'ana')
    await work()
    expect(contents()).toEqual([{ title: 'Prints', body: 'New comments from 2 people', comments: { threadId: null } }])
  })

  it('about comments are repeated, tell what came meanwhile too, and are dropped for who sees a tab', async () => {
    await subscribe('ana')
    service.answers.push({ status: 503 })
    await comment('wena')
    await work()
    await comment('tala')
    await work({ showsNames: true })
    expect(contents()).toEqual([{ title: 'New comments from 2 people', body: 'Prints', comments: { threadId: null } }])
    clock.advance(60_000)
    await renewVisibleTab(db, 'tab-ana-1', 'ana')
    await comment('luz')
    clock.advance(60_000)
    await work()
    clock.advance(60_000)
    await work()
    expect([contents().length, await left()]).toEqual([1, 0])
  })

  const addNote = (by: string, mentions: string[]) =>
    sql`insert into notes (id, primary_user_id, staff_id, text, mentions)
      values ('n1', 'u1', ${by}, 'she pays late', ${JSON.stringify(mentions)}::jsonb)`.execute(db)

  it('never contain the text of a note', async () => {
    await subscribe('ana')
    await wants('ana', { showsText: true })
    await addMessage(db, 'm1', 'u1', 0, { is_read: true })
    await addNote('ben', ['ana'])
    await work({ showsNames: true })
    expect(contents()).toEqual([{ title: 'ben mentioned you in a note', body: 'Prints', conversationId: 'u1' }])
  })

  it('wait while the person can see a tab, and are dropped if the person still can after a minute', async () => {
    await subscribe('ana')
    for (const message of ['m1', 'm2']) {
      await renewVisibleTab(db, 'tab-ana-1', 'ana')
      await addMessage(db, message, message.replace('m', 'u'), 0)
    }
    await work()
    clock.advance(59_999)
    await work()
    expect([contents(), await left()]).toEqual([[], 2])
    clock.advance(1)
    await work()
    expect([contents(), await left()]).toEqual([[], 0])
  })

  it('follow when the tab was closed meanwhile, and at once if the tab could say so', async () => {
    await subscribe('ana')
    await renewVisibleTab(db, 'tab-ana-1', 'ana')
    await addMessage(db, 'm1', 'u1', 0)
    await work()
    await sql`update visible_tabs set seen_at = seen_at - interval '61 seconds'`.execute(db)
    clock.advance(60_000)
    await work()
    expect(contents()).toEqual([{ title: 'Prints', body: 'New message', conversationId: 'u1' }])
    await renewVisibleTab(db, 'tab-ana-1', 'ana')
    await endVisibleTab(db, 'tab-ana-1', 'ana')
    await addMessage(db, 'm2', 'u2', 1)
    await work()
    expect(contents()).toHaveLength(2)
  })

  it('do not wait for the tabs of others', async () => {
    await subscribe('ana')
    await renewVisibleTab(db, 'tab-ben-1', 'ben')
    await renewVisibleTab(db, 'tab-ben-1', 'ana')
    await addMessage(db, 'm1', 'u1', 0)
    await work()
    expect(contents()).toHaveLength(1)
  })

  it('are one for each conversation: a newer event replaces one that was not delivered', async () => {
    await subscribe('ana')
    service.answers.push({ status: 503 })
    await addMessage(db, 'm1', 'u1', 0)
    await work()
    await addMessage(db, 'm2', 'u1', 1)
    await addMessage(db, 'm3', 'u1', 2)
    await work()
    expect([service.requests(), contents().length, await left()]).toEqual([2, 1, 0])
    clock.advance(60 * 60_000)
    await work()
    expect(service.requests()).toBe(2)
  })

  it.each([
    ['at once', false],
    ['after a retry', true],
  ])('still tell a mention that a message followed before it was delivered: %s', async (_, isRepeated) => {
    await subscribe('ana')
    await addNote('ben', ['ana'])
    if (isRepeated) {
      service.answers.push({ status: 503 })
      await work()
    }
    await addMessage(db, 'm1', 'u1', 0)
    await work({ showsNames: true })
    expect(contents()).toEqual([{ title: 'ben mentioned you in a note', body: 'Prints', conversationId: 'u1' }])
    await addMessage(db, 'm2', 'u1', 1)
    await work()
    expect([contents().length, await left()]).toEqual([2, 0])
    expect(contents().at(-1)).toEqual({ title: 'Prints', body: 'New message', conversationId: 'u1' })
  })

  it('tell no event that is older than a day', async () => {
    await subscribe('ana')
    await addMessage(db, 'm1', 'u1', 0)
    await sql`update due_pushes set created_at = now() - interval '24 hours 1 minute'`.execute(db)
    await addMessage(db, 'm2', 'u2', 0)
    await sql`update due_pushes set created_at = now() - interval '23 hours 59 minutes' where message_id = 'm2'`.execute(
      db,
    )
    await work()
    expect(contents()).toEqual([{ title: 'Prints', body: 'New message', conversationId: 'u2' }])
    expect(await db.selectFrom('due_pushes').select('id').execute()).toEqual([])
  })

  it('are dropped if no process has sent them for a day', async () => {
    await subscribe('ana')
    await addMessage(db, 'm1', 'u1', 0)
    service.answers.push({ status: 503 })
    await work()
    clock.advance(24 * 60 * 60_000 + 5_001)
    await work()
    expect([contents(), await left()]).toEqual([[], 0])
  })

  it('are stored for 100 conversations and 120 browsers at once', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `many-${index}`)
    for (const id of ids) await addIdentity(db, id, { page: 'p1' })
    await subscribe('ana')
    await sql`
      insert into push_subscriptions (staff_id, session_id, endpoint, p256dh, auth, server_key)
      select staff_id, session_id, endpoint || number, p256dh, auth, server_key
      from push_subscriptions, generate_series(2, 120) number`.execute(db)
    // The person sees a tab, so that the deliveries are stored and wait.
    await renewVisibleTab(db, 'tab-ana-1', 'ana')
    for (const id of ids) await addMessage(db, `message-${id}`, id, 0)
    await work()
    expect([await left(), logged]).toEqual([12_000, []])
  })

  it('are repeated with growing delays, no earlier than the service asks, and given up after six attempts', async () => {
    await subscribe('ana')
    await addMessage(db, 'm1', 'u1', 0)
    service.answers.push({ status: 500 }, { status: 429, headers: { 'retry-after': '100' } })
    for (const _ of [1, 2, 3, 4]) service.answers.push({ status: 502 })
    const delays: number[] = []
    await work()
    while ((await left()) > 0) {
      const before = service.requests()
      let waited = 0
      while (service.requests() === before) {
        clock.advance(5_000)
        waited += 5
        await work()
      }
      delays.push(waited)
    }
    expect(delays).toEqual([5, 100, 80, 320, 1280])
    expect([contents(), logged.length]).toEqual([[], 1])
  })

  it('are repeated if a service does not answer', async () => {
    await subscribe('ana')
    await addMessage(db, 'm1', 'u1', 0)
    await work({ post: () => Promise.reject(new Error('connection reset')) })
    expect(await left()).toBe(1)
    clock.advance(5_000)
    await work()
    expect(contents()).toHaveLength(1)
  })

  it.each([404, 410])('end for a browser that the service no longer knows (%i)', async (status) => {
    await subscribe('ana', 'old')
    await subscribe('ana', 'new')
    await db.deleteFrom('push_deliveries').execute()
    await addMessage(db, 'm1', 'u1', 0)
    service.answers.push({ status })
    await work()
    expect([(await subscriptions()).length, contents().length, await left()]).toEqual([1, 1, 0])
  })

  it('are dropped if the service refuses them, and the browser stays subscribed', async () => {
    await subscribe('ana')
    await addMessage(db, 'm1', 'u1', 0)
    service.answers.push({ status: 403 })
    await work()
    expect([await subscriptions(), await left()]).toEqual([['ana'], 0])
    expect(logged).toEqual([{ service: new URL(service.origin).host, status: 403 }])
  })

  it('are delivered once by two processes', async () => {
    for (const name of ['one', 'two', 'three']) await subscribe('ana', name)
    for (let number = 1; number <= 5; number += 1) await addMessage(db, `m${number}`, 'u1', number)
    await addMessage(db, 'm6', 'u2', 6)
    await Promise.all([work(), work()])
    expect(service.requests()).toBe(6)
  })

  it('go on in another process after a crash during a delivery', async () => {
    await subscribe('ana')
    await addMessage(db, 'm1', 'u1', 0)
    let crash = () => {}
    const posted = new Promise<void>((resolve) => {
      crash = resolve
    })
    const crashed = await newWorker({
      post: () => {
        crash()
        return new Promise(() => {})
      },
    })
    crashed.start()
    await posted
    await work()
    expect(contents()).toEqual([])
    clock.advance(3 * 60_000)
    await work()
    expect(contents()).toHaveLength(1)
  })

  it('follow a conversation that was merged into another one', async () => {
    await subscribe('ana')
    await addMessage(db, 'm1', 'u1', 0)
    await sql`select merge_states('u2', 'u1')`.execute(db)
    await work()
    expect(contents()).toEqual([{ title: 'Prints', body: 'New message', conversationId: 'u2' }])
  })

  it('end with the session, with the sign-in, and when the person becomes inactive', async () => {
    const revoked = { revoked_at: at(0) }
    for (const end of [
      () => db.updateTable('staff_sessions').set(revoked).where('id', '=', 'session-ana').execute(),
      async () => {
        await db
          .insertInto('staff_sessions')
          .values({ id: 'later', staff_id: 'ana', provider_session_id: 'provider-ana' })
          .execute()
        await db.updateTable('staff_sessions').set(revoked).where('id', '=', 'later').execute()
      },
      () => db.updateTable('staff').set({ is_active: false }).where('id', '=', 'ana').execute(),
    ]) {
      await subscribe('ana')
      await subscribe('ben')
      await end()
      expect(await subscriptions()).toEqual(['ben'])
      await db.updateTable('staff_sessions').set({ revoked_at: null }).execute()
    }
  })

  it('do not reach a person without the permission to read conversations', async () => {
    await subscribe('ana')
    await db.updateTable('staff').set({ role: 'nobody' }).where('id', '=', 'ana').execute()
    await addMessage(db, 'm1', 'u1', 0)
    await work()
    expect([contents(), await left()]).toEqual([[], 0])
  })

  it('store nothing while nobody has subscribed', async () => {
    await addMessage(db, 'm1', 'u1', 0)
    await addNote('ben', ['ana'])
    expect(await db.selectFrom('due_pushes').select('id').execute()).toEqual([])
  })

  it('reach ten browsers of a person: the oldest gives way, and those of colleagues stay', async () => {
    await subscribe('ben')
    for (let number = 10; number <= 20; number += 1) {
      clock.advance(1_000)
      await subscribe('ana', `ana-${number}`)
    }
    expect(await subscriptions()).toEqual([...Array.from({ length: 10 }, (_, index) => `ana-${index + 11}`), 'ben'])
  })

  it('go to the person who used the browser last', async () => {
    const fields = service.subscribe('shared')
    const of = (staffId: string) => ({
      ...fields,
      staffId,
      sessionId: `session-${staffId}`,
      serverKey: 'key',
      now: at(0),
    })
    const first = await saveSubscription(db, of('ana'))
    const second = await saveSubscription(db, of('ben'))
    await deleteSubscription(db, second, 'ana')
    expect(first).toBe(second)
    expect(await db.selectFrom('push_subscriptions').select(['id', 'staff_id']).execute()).toEqual([
      { id: second, staff_id: 'ben' },
    ])
    await deleteSubscription(db, second, 'ben')
    expect(await subscriptions()).toEqual([])
  })

  it('name the sender of mails as the contact if the pages have no https address', async () => {
    const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'inbox@example.com' }
    const withMail = readSettings({ PUBLIC_URL: 'http://inbox.example.com', ...mail })
    expect((await openVapid(db, keyring, withMail)).subject).toBe('mailto:inbox@example.com')
    expect(() => readSettings({ ...mail, MAIL_FROM: 'Inbox <inbox@example.com>' })).toThrow('MAIL_FROM')
  })

  it('use the same keys after a restart, and forget browsers that subscribed to others', async () => {
    const [one, other] = [await openVapid(db, keyring, settings), await openVapid(db, keyring, settings)]
    expect(one).toEqual(other)
    await subscribe('ana')
    await deleteForeignSubscriptions(db, one.publicKey)
    expect(await subscriptions()).toEqual(['ana'])
    await db.deleteFrom('stored_keys').execute()
    await deleteForeignSubscriptions(db, (await openVapid(db, keyring, settings)).publicKey)
    expect(await subscriptions()).toEqual([])
  })
})

describe('The address of a push service', () => {
  it.each([
    ['https://fcm.googleapis.com/fcm/send/a', true],
    ['https://updates.push.services.mozilla.com/wpush/v2/a', true],
    ['https://web.push.apple.com/a', true],
    ['https://wns2-by3p.notify.windows.com/w/?token=a', true],
    ['https://push.example.com/a', true],
    ['https://push.example.com:8443/a', false],
    ['http://fcm.googleapis.com/a', false],
    ['https://fcm.googleapis.com:8080/a', false],
    ['https://user:secret@fcm.googleapis.com/a', false],
    ['https://evilfcm.googleapis.com.example.com/a', false],
    ['https://notfcm.googleapis.com/a', false],
    ['https://169.254.169.254/latest/meta-data', false],
    ['http://localhost/a', false],
    ['ftp://fcm.googleapis.com/a', false],
    ['', false],
  ])('%s is accepted: %s', (address, isAccepted) => {
    expect(isPushService(address, ['https://push.example.com'])).toBe(isAccepted)
  })

  it('that resolves to a private address is not connected to', async () => {
    const post = createPost({
      origins: [],
      lookup: publicLookupOf((_, __, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }])),
    })
    const request = { endpoint: 'https://fcm.googleapis.com/fcm/send/a', headers: {}, body: Buffer.alloc(1) }
    await expect(post(request)).rejects.toThrow('private address')
  })

  it('that the settings no longer allow counts as gone', async () => {
    const request = { endpoint: 'http://127.0.0.1:9/push', headers: {}, body: Buffer.alloc(1) }
    expect(await createPost({ origins: [] })(request)).toEqual({ status: 410, retryAfter: null })
  })
})

describe('The key of a browser', () => {
  it('is refused if it is no point of the curve', () => {
    const outside = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')
    expect(isUsableKey(outside)).toBe(false)
  })
})
