import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuditActor, serverActor } from '../../../server/audit/audit.ts'
import { saveBusinessSettings } from '../../../server/database/business-settings.ts'
import { countWaitingThreads, findThread, listThreads, readPlace } from '../../../server/database/comments.ts'
import { inTransaction } from '../../../server/database/transaction.ts'
import { createCommentChanges } from '../../../server/network/comments/comment-changes.ts'
import { createCommentSends } from '../../../server/network/comments/comment-sends.ts'
import { createLiveSales } from '../../../server/network/comments/live-sales.ts'
import { createPostLookups } from '../../../server/network/comments/post-lookups.ts'
import { finishThread, type PlacedComment, storeComments } from '../../../server/network/comments/store-comments.ts'
import type { Graph } from '../../../server/network/graph/graph.ts'
import { removeOldComments } from '../../../server/people/erased-comments.ts'
import { exportPerson } from '../../../server/people/export.ts'
import { removeOld } from '../../../server/people/retention.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints, printsInstagram } from '../network-harness.ts'
import { columnsWith } from '../people/catalogue.ts'

const facebookPost = `${prints}_122100000000000`
const facebookLive = `${prints}_122100000000002`
const instagramPost = '1790000000001010'
const instagramLive = '1790000000001012'

const by: AuditActor = { staffId: null, name: 'Test', address: null, userAgent: null }

describeOnDatabase('Comments', (open) => {
  let harness: Harness
  let staffId: string
  let sends: ReturnType<typeof createCommentSends>
  let changes: ReturnType<typeof createCommentChanges>

  const newSends = (graph: Partial<Graph> = {}) =>
    createCommentSends({ ...harness, graph: { ...harness.graph, ...graph } })

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
    await harness.db
      .insertInto('staff')
      .values({ id: 'staff-1', email: 'ana@example.com', name: 'Ana', role: 'agent' })
      .execute()
    staffId = 'staff-1'
    sends = newSends()
    changes = createCommentChanges(harness)
  })
  afterAll(() => harness.close())

  const rows = (postId: string) =>
    harness.db.selectFrom('comments').selectAll().where('post_id', '=', postId).orderBy('id').execute()

  async function newPerson(platform: 'messenger' | 'instagram' = 'messenger'): Promise<string> {
    const person = { pageId: prints, platform, firstName: 'Amihan', lastName: 'Dalisay' }
    return (await harness.control<{ psid: string }>('POST', '/people', person)).psid
  }

  async function write(psid: string, postId: string, message: string, more: object = {}): Promise<string> {
    const { id } = await harness.control<{ id: string }>('POST', '/comments', { psid, postId, message, ...more })
    await harness.settle()
    return id
  }

  const threadWith = async (commentId: string) => {
    const { threads } = await listThreads(harness.db, { view: 'all', after: null })
    for (const { id } of threads) {
      const thread = await findThread(harness.db, id)
      if (thread?.comments.some((comment) => comment.id === commentId)) return thread
    }
    throw new Error('the comment is in no thread')
  }
  const commentIn = async (commentId: string) => {
    const found = (await threadWith(commentId)).comments.find(({ id }) => id === commentId)
    if (found === undefined) throw new Error('unreachable')
    return found
  }
  const reply = (
    commentId: string,
    kind: 'public' | 'private',
    message = 'Opo, meron pa',
    key: string = randomUUID(),
  ) => sends.reply({ key, staffId, commentId, kind, message })
  const sandboxComments = () =>
    harness.control<
      {
        id: string
        psid: string | null
        message: string
        parent_id: string | null
        is_hidden: boolean
        is_liked: boolean
      }[]
    >('GET', '/comments')
  const answersOnNetwork = async (commentId: string) =>
    (await sandboxComments()).filter(({ psid, parent_id }) => psid === null && parent_id === commentId)

  describe('webhooks', () => {
    // The forms of the network's documentation and of restfb's recordings.
    const feed = (value: object, time = 1_700_000_100) => ({
      object: 'page',
      entry: [{ id: prints, time, changes: [{ field: 'feed', value: { item: 'comment', ...value } }] }],
    })
    const person = { id: '7000000000000001', name: 'John Doe' }
    const post_id = `${prints}_901097836652708`
    const add = {
      verb: 'add',
      comment_id: '901097836652708_1',
      post_id,
      parent_id: post_id,
      from: person,
      created_time: 1_700_000_000,
      message: 'and the next one',
    }
    const edited = {
      verb: 'edited',
      comment_id: add.comment_id,
      post_id,
      parent_id: post_id,
      sender_id: 7000000000000001,
      sender_name: 'John Doe',
      created_time: 1_700_000_000,
      message: 'corrected',
    }
    const hide = {
      verb: 'hide',
      comment_id: add.comment_id,
      post_id,
      parent_id: post_id,
      from: person,
      created_time: 1_700_000_000,
      message: 'and the next one',
    }
    const remove = { verb: 'remove', comment_id: add.comment_id, post_id, parent_id: post_id, from: person }

    const inForm = async (postId: string) =>
      (await rows(postId)).map(
        ({
          id,
          parent_id,
          author_id,
          author_name,
          by_page,
          message,
          created_at,
          edited_at,
          hidden_at,
          removed_by,
        }) => ({
          id,
          parent_id,
          author_id,
          author_name,
          by_page,
          message,
          created_at,
          edited_at,
          hidden_at,
          removed_by,
        }),
      )
    const stored = {
      id: add.comment_id,
      parent_id: null,
      author_id: person.id,
      author_name: 'John Doe',
      by_page: false,
      message: 'and the next one',
      created_at: new Date(1_700_000_000_000),
      edited_at: null,
      hidden_at: null,
      removed_by: null,
    }

    it('stores the comments of each documented form', async () => {
      await harness.post(feed(add))
      expect(await inForm(post_id)).toEqual([stored])
      await harness.post(feed(hide, 1_700_000_200))
      expect(await inForm(post_id)).toEqual([{ ...stored, hidden_at: new Date(1_700_000_200_000) }])
      await harness.post(feed({ ...hide, verb: 'unhide' }, 1_700_000_300))
      await harness.post(feed(edited, 1_700_000_400))
      expect(await inForm(post_id)).toEqual([
        { ...stored, message: 'corrected', edited_at: new Date(1_700_000_400_000) },
      ])
      await harness.post(feed(remove, 1_700_000_500))
      expect(await inForm(post_id)).toEqual([
        { ...stored, message: null, edited_at: new Date(1_700_000_400_000), removed_by: 'person' },
      ])
    })

    it('stores the comments of Instagram with their live video', async () => {
      const change = (field: string, id: string, media: object, more: object = {}) => ({
        object: 'instagram',
        entry: [
          {
            id: printsInstagram,
            time: 1_700_000_000,
            changes: [
              {
                field,
                value: { from: { id: '300000000000001', username: 'maria' }, id, text: 'mine 3', media, ...more },
              },
            ],
          },
        ],
      })
      await harness.post(
        change('comments', '17865799348089039', { id: '17887498072083520', media_product_type: 'FEED' }),
      )
      await harness.post(
        change('live_comments', '17865799348089040', { id: '17887498072083521', media_product_type: 'LIVE' }),
      )
      await harness.post(
        change(
          'comments',
          '17865799348089041',
          { id: '17887498072083520' },
          { parent_id: '17865799348089039', from: { id: printsInstagram, username: 'lakbay' } },
        ),
      )
      expect(
        (await inForm('17887498072083520')).map(({ id, parent_id, by_page, author_name }) => [
          id,
          parent_id,
          by_page,
          author_name,
        ]),
      ).toEqual([
        ['17865799348089039', null, false, 'maria'],
        ['17865799348089041', '17865799348089039', true, 'lakbay'],
      ])
      const posts = await harness.db
        .selectFrom('posts')
        .select(['kind', 'is_live', 'platform'])
        .where('id', '=', '17887498072083521')
        .execute()
      expect(posts).toEqual([{ kind: 'live', is_live: true, platform: 'instagram' }])
    })

    it('stores the same rows whatever the order and the number of the deliveries', async () => {
      const events: [object, number][] = [
        [add, 1_700_000_100],
        [hide, 1_700_000_200],
        [edited, 1_700_000_400],
        [remove, 1_700_000_500],
      ]
      const orders = [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
        [2, 0, 3, 1, 0, 2],
        [1, 3, 0, 0, 2, 3],
        [3, 0],
        [2, 1, 0],
      ]
      const results: Record<string, unknown> = {}
      for (const [round, order] of orders.entries()) {
        const other = `${prints}_5000${round}`
        for (const index of order) {
          const [value, time] = events[index] ?? [{}, 0]
          await harness.post(feed({ ...value, post_id: other, parent_id: other, comment_id: `5000_${round}` }, time))
        }
        const [row] = await inForm(other)
        results[order.join()] = [row?.message, row?.removed_by, row?.edited_at !== null, row?.hidden_at !== null]
      }
      expect(results).toEqual({
        '0,1,2,3': [null, 'person', true, true],
        '3,2,1,0': [null, 'person', false, true],
        '2,0,3,1,0,2': [null, 'person', true, true],
        '1,3,0,0,2,3': [null, 'person', false, true],
        '3,0': [null, 'person', false, false],
        '2,1,0': ['corrected', null, true, true],
      })
    })

    it('reports a comment of unknown form and stores the other events of the delivery', async () => {
      const broken = { item: 'comment', verb: 'add' }
      const body = feed({ ...add, comment_id: '901_2' })
      body.entry[0]?.changes.unshift({ field: 'feed', value: broken })
      await harness.post(body)
      expect((await rows(post_id)).map(({ id }) => id)).toContain('901_2')
      const last = await harness.db
        .selectFrom('webhook_inbox')
        .select('error')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      expect(last.error).toBe(`a change of unknown form for ${prints}`)
    })
  })

  describe('answers', () => {
    it('are sent in public once, and end the wait', async () => {
      const before = await countWaitingThreads(harness.db)
      const id = await write(await newPerson(), facebookPost, 'Magkano po?')
      expect(await countWaitingThreads(harness.db)).toBe(before + 1)
      const key = randomUUID()
      await Promise.all([reply(id, 'public', 'P250 po', key), reply(id, 'public', 'P250 po', key)])
      await reply(id, 'public', 'P250 po', key)
      await harness.settle()
      expect((await answersOnNetwork(id)).map(({ message }) => message)).toEqual(['P250 po'])
      const thread = await threadWith(id)
      expect(thread.comments.map(({ by_page, message, staff_name }) => [by_page, message, staff_name])).toEqual([
        [false, 'Magkano po?', null],
        [true, 'P250 po', 'Ana'],
      ])
      expect(thread.waiting_since).toBeNull()
      await expect(reply(id, 'public', 'Another text', key)).rejects.toMatchObject({ code: 'KEY_REUSED' })
    })

    it.each(['messenger', 'instagram'] as const)(
      'are sent in private once on %s, and lead to the chat',
      async (platform) => {
        const psid = await newPerson(platform)
        const id = await write(psid, platform === 'messenger' ? facebookPost : instagramPost, 'Avail pa po?')
        await reply(id, 'private', 'Hi! Yes po')
        expect(await harness.deliveries(psid)).toEqual(['Hi! Yes po'])
        const chat = await harness.db
          .selectFrom('fb_users')
          .select('primary_user_id')
          .where('psid', '=', psid)
          .executeTakeFirstOrThrow()
        expect((await commentIn(id)).private_reply).toEqual({
          at: new Date(harness.clock.now()).toISOString(),
          message: 'Hi! Yes po',
          conversation_id: chat.primary_user_id,
        })
        await harness.settle()
        expect((await harness.thread(psid)).map(({ message_text, direction }) => [direction, message_text])).toEqual([
          ['outgoing', 'Hi! Yes po'],
        ])
        await expect(reply(id, 'private', 'Once more')).rejects.toMatchObject({ status: 422, code: 'COMMENT_RULE' })
        expect(await harness.deliveries(psid)).toEqual(['Hi! Yes po'])
      },
    )

    it('are not sent in private after seven days', async () => {
      const psid = await newPerson()
      const id = await write(psid, facebookPost, 'Old question', { hoursAgo: 7 * 24 })
      await expect(reply(id, 'private')).rejects.toMatchObject({ code: 'COMMENT_RULE' })
      const young = await write(psid, facebookPost, 'Younger question', { hoursAgo: 7 * 24 - 0.1 })
      await reply(young, 'private')
      expect(await harness.deliveries(psid)).toEqual(['Opo, meron pa'])
    })

    it('are sent under a live video of Instagram in private alone, and only during it', async () => {
      const psid = await newPerson('instagram')
      const id = await write(psid, instagramLive, 'mine 3')
      await expect(reply(id, 'public')).rejects.toMatchObject({ code: 'COMMENT_RULE' })
      await harness.control('PUT', `/posts/${instagramLive}`, { broadcast: false })
      const lookups = createPostLookups(harness)
      lookups.start()
      await lookups.settled()
      await lookups.stop()
      await expect(reply(id, 'private')).rejects.toMatchObject({ code: 'COMMENT_RULE' })
      await harness.control('PUT', `/posts/${instagramLive}`, { broadcast: true })
      expect(await harness.deliveries(psid)).toEqual([])
    })

    it.each(['public', 'private'] as const)(
      'with a lost answer of the network are unconfirmed, and found again (%s)',
      async (kind) => {
        const psid = await newPerson()
        const id = await write(psid, facebookPost, 'Meron pa?')
        await harness.faults({ loseAnswers: 1, holdWebhooks: true })
        const key = randomUUID()
        await expect(reply(id, kind, 'Opo', key)).rejects.toMatchObject({ status: 504 })
        expect((await commentIn(id)).sends).toEqual([{ key, kind, message: 'Opo', state: 'unknown', tries: 1 }])
        await sends.decide(key, 'look', 1)
        await harness.faults({})
        await harness.settle()
        expect((await commentIn(id)).sends).toEqual([])
        const sent =
          kind === 'public'
            ? (await answersOnNetwork(id)).map(({ message }) => message)
            : await harness.deliveries(psid)
        expect(sent).toEqual(['Opo'])
      },
    )

    it.each(['public', 'private'] as const)(
      'with a lost request are sent by a retry, once for two people (%s)',
      async (kind) => {
        const psid = await newPerson()
        const id = await write(psid, facebookPost, 'Open pa po?')
        await harness.faults({ loseRequests: 1 })
        const key = randomUUID()
        await expect(reply(id, kind, 'Opo', key)).rejects.toMatchObject({ status: 504 })
        await expect(sends.decide(key, 'look', 1)).rejects.toMatchObject({ code: 'NOT_CERTAIN' })
        const results = await Promise.allSettled([sends.decide(key, 'retry', 1), newSends().decide(key, 'retry', 1)])
        expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
        await harness.settle()
        const sent =
          kind === 'public'
            ? (await answersOnNetwork(id)).map(({ message }) => message)
            : await harness.deliveries(psid)
        expect(sent).toEqual(['Opo'])
      },
    )

    it('are confirmed by the webhook of the answer', async () => {
      const id = await write(await newPerson(), facebookPost, 'Pabili po')
      await harness.faults({ loseAnswers: 1 })
      await expect(reply(id, 'public', 'Sige po')).rejects.toMatchObject({ status: 504 })
      await harness.faults({})
      await harness.settle()
      const comments = (await threadWith(id)).comments.map(({ message, staff_name, sends: open }) => [
        message,
        staff_name,
        open,
      ])
      expect(comments).toEqual([
        ['Pabili po', null, []],
        ['Sige po', 'Ana', []],
      ])
    })

    it('of a process that dies before the result is stored are unconfirmed, not repeated', async () => {
      const psid = await newPerson()
      const id = await write(psid, facebookPost, 'Paano po?')
      const key = randomUUID()
      await harness.faults({ holdWebhooks: true })
      const dying = createCommentSends({
        ...harness,
        graph: {
          ...harness.graph,
          replyToComment: async (...call) => {
            await harness.graph.replyToComment(...call)
            throw new Error('the process died')
          },
        },
      })
      await expect(dying.reply({ key, staffId, commentId: id, kind: 'public', message: 'Ganito po' })).rejects.toThrow()
      // As if `fail` had not run either.
      await harness.db.updateTable('comment_sends').set({ state: 'sending' }).where('key', '=', key).execute()
      await expect(reply(id, 'public', 'Ganito po', key)).rejects.toMatchObject({ code: 'STILL_SENDING' })
      harness.clock.advance(25_000)
      await expect(reply(id, 'public', 'Ganito po', key)).rejects.toMatchObject({ code: 'NOT_CERTAIN' })
      await sends.decide(key, 'look', 1)
      await harness.faults({})
      await harness.settle()
      expect((await answersOnNetwork(id)).length).toBe(1)
      expect((await commentIn(id)).sends).toEqual([])
    })

    it('are discarded by one of two people, and not sent afterwards', async () => {
      const id = await write(await newPerson(), facebookPost, 'Hello?')
      await harness.faults({ loseRequests: 1 })
      const key = randomUUID()
      await expect(reply(id, 'private', 'Hi', key)).rejects.toMatchObject({ status: 504 })
      const results = await Promise.allSettled([sends.decide(key, 'discard', 1), newSends().decide(key, 'discard', 1)])
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await expect(sends.decide(key, 'retry', 1)).rejects.toMatchObject({ code: 'DECIDED_MEANWHILE' })
      await reply(id, 'private', 'Hi again')
      expect((await commentIn(id)).private_reply?.message).toBe('Hi again')
    })

    it('tell that somebody used the private reply elsewhere', async () => {
      const psid = await newPerson()
      const id = await write(psid, facebookPost, 'PM po')
      await harness.graph.replyPrivately(harness.tokenOf(prints), {
        pageId: prints,
        commentId: id,
        text: 'From elsewhere',
      })
      await expect(reply(id, 'private')).rejects.toMatchObject({ code: 'COMMENT_RULE' })
      expect((await commentIn(id)).private_reply).toMatchObject({ message: null })
    })
  })

  describe('changes', () => {
    const audited = async (id: string) =>
      (
        await harness.db.selectFrom('audit_entries').select('action').where('row_id', '=', id).orderBy('id').execute()
      ).map(({ action }) => action)

    it('hide, show, like and delete on the network, each once in the audit log', async () => {
      const id = await write(await newPerson(), facebookPost, 'Spam')
      const onNetwork = async () => (await sandboxComments()).find((comment) => comment.id === id)
      await changes.change(id, { kind: 'hide', hidden: true }, by)
      await changes.change(id, { kind: 'hide', hidden: true }, by)
      await harness.settle()
      expect(await onNetwork()).toMatchObject({ is_hidden: true })
      expect(await commentIn(id)).toMatchObject({ is_hidden: true })
      expect((await threadWith(id)).waiting_since).toBeNull()
      await changes.change(id, { kind: 'hide', hidden: false }, by)
      await changes.change(id, { kind: 'like', liked: true }, by)
      await harness.settle()
      expect(await onNetwork()).toMatchObject({ is_hidden: false, is_liked: true })
      expect(await commentIn(id)).toMatchObject({ is_hidden: false, is_liked: true })
      await changes.change(id, { kind: 'delete' }, by)
      expect(await changes.change(id, { kind: 'delete' }, by)).toBe('changed')
      await harness.settle()
      expect(await onNetwork()).toBeUndefined()
      expect(await commentIn(id)).toMatchObject({ removed_by: 'staff', message: null })
      expect(await audited(id)).toEqual(['comment.hidden', 'comment.shown', 'comment.deleted'])
    })

    it('belong to staff although the webhook comes before the answer of the call', async () => {
      const id = await write(await newPerson(), facebookPost, 'Spam po')
      const beforeAnswer =
        <Args extends unknown[]>(call: (...args: Args) => Promise<void>) =>
        async (...args: Args) => {
          await call(...args)
          await harness.settle()
        }
      const { hideComment, deleteComment } = harness.graph
      const overtaken = createCommentChanges({
        ...harness,
        graph: { ...harness.graph, hideComment: beforeAnswer(hideComment), deleteComment: beforeAnswer(deleteComment) },
      })
      await overtaken.change(id, { kind: 'hide', hidden: true }, by)
      await overtaken.change(id, { kind: 'delete' }, by)
      expect(await commentIn(id)).toMatchObject({ removed_by: 'staff', message: null })
      expect(await audited(id)).toEqual(['comment.hidden', 'comment.deleted'])
    })

    it('learn that a person deleted a comment of which no webhook told', async () => {
      const id = await write(await newPerson('instagram'), instagramPost, 'Oops')
      await harness.control('DELETE', `/comments/${id}`)
      await harness.settle()
      expect(await changes.change(id, { kind: 'hide', hidden: true }, by)).toBe('gone')
      expect(await commentIn(id)).toMatchObject({ removed_by: 'person', message: null })
      expect(await changes.change(id, { kind: 'like', liked: true }, by)).toBe('gone')
    })

    it('offer no like on Instagram', async () => {
      const id = await write(await newPerson('instagram'), instagramPost, 'Nice')
      expect(await changes.change(id, { kind: 'like', liked: true }, by)).toBe('notOffered')
    })
  })

  describe('a live sale', () => {
    const sale = (change: object = {}) => ({
      is_on: true,
      post_id: facebookLive,
      keyword: 'mine',
      items: [{ number: 3, name: 'Mug', price: 25_050, stock: 2 }],
      ...change,
    })
    let version = 0
    const save = async (change: object = {}) => {
      await saveBusinessSettings(harness.db, 'live-sale', {
        settings: sale(change) as never,
        replaces: version,
        now: new Date(harness.clock.now()),
      })
      version += 1
    }
    const link = async (psid: string) => {
      const client = await harness.db
        .insertInto('clients')
        .values({ first_name: 'Maria', last_name: 'Lim' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await harness.db.insertInto('fb_users').values({ page_id: prints, psid, client_id: client.id }).execute()
      return client.id
    }
    const order = async () => {
      const workers = [createLiveSales(harness), createLiveSales(harness)]
      for (const worker of workers) worker.start()
      for (const worker of workers) await worker.settled()
      for (const worker of workers) await worker.stop()
    }
    const ordersOf = (clientId: string) =>
      harness.db
        .selectFrom('orders')
        .select(['items', 'total_amount', 'status'])
        .where('client_id', '=', clientId)
        .execute()

    it('makes one order for a claim, under a redelivery and two workers', async () => {
      await save()
      const psid = await newPerson()
      const client = await link(psid)
      await harness.faults({ duplicateWebhooks: true })
      const id = await write(psid, facebookLive, 'Mine #3 po')
      await harness.faults({})
      await order()
      await order()
      expect(await ordersOf(client)).toEqual([
        { items: [{ name: 'Mug', quantity: 1, unit_price: 250.5 }], total_amount: '250.50', status: 'pending' },
      ])
      expect((await commentIn(id)).claim).toEqual({
        name: 'Mug',
        quantity: 1,
        price: 25_050,
        state: 'ordered',
        order_id: expect.any(String),
        order_number: expect.stringMatching(/^C-/),
      })
    })

    it('gives the last piece to the first comment, and keeps a claim until the person is linked', async () => {
      await save({
        items: [
          { number: 3, name: 'Mug', price: 100, stock: 2 },
          { number: 4, name: 'Cap', price: 200, stock: null },
        ],
      })
      const [first, second] = [await newPerson(), await newPerson()]
      const claimed = await write(first, facebookLive, 'mine 3')
      const late = await write(second, facebookLive, 'mine 3')
      const unlimited = await write(second, facebookLive, 'MINE 4 x2')
      await order()
      expect([(await commentIn(claimed)).claim?.state, (await commentIn(late)).claim?.state]).toEqual([
        'open',
        'soldOut',
      ])
      expect((await commentIn(unlimited)).claim).toMatchObject({ state: 'open', quantity: 2, order_number: null })
      const client = await link(second)
      await order()
      expect(await ordersOf(client)).toEqual([
        { items: [{ name: 'Cap', quantity: 2, unit_price: 2 }], total_amount: '4.00', status: 'pending' },
      ])
    })

    it('takes no claim under other posts, without the keyword, for unknown numbers, or while it is off', async () => {
      await save()
      const psid = await newPerson()
      const others = [
        await write(psid, facebookPost, 'mine 3'),
        await write(psid, facebookLive, 'is it mine 3?'),
        await write(psid, facebookLive, 'mine 9'),
      ]
      await save({ is_on: false })
      others.push(await write(psid, facebookLive, 'mine 3'))
      const states = []
      for (const id of others) states.push((await commentIn(id)).claim)
      expect(states).toEqual([null, null, null, null])
    })

    it('takes the claims of the first comments once the server knows that their post is a live video', async () => {
      await save({ post_id: null, items: [{ number: 1, name: 'Mug', price: 100, stock: null }] })
      await harness.db.deleteFrom('posts').where('id', '=', facebookLive).execute()
      const id = await write(await newPerson(), facebookLive, 'mine 1')
      expect((await commentIn(id)).claim).toBeNull()
      const lookups = createPostLookups(harness)
      lookups.start()
      await lookups.settled()
      await lookups.stop()
      expect((await commentIn(id)).claim).toMatchObject({ name: 'Mug', state: 'open' })
    })

    it('is about every live video that is broadcast, if no post was chosen', async () => {
      await save({ post_id: null, items: [{ number: 1, name: 'Mug', price: 100, stock: null }] })
      const person = await newPerson('instagram')
      const [live, post] = [await write(person, instagramLive, 'mine 1'), await write(person, instagramPost, 'mine 1')]
      await save({ is_on: false })
      expect([(await commentIn(live)).claim?.state, (await commentIn(post)).claim]).toEqual(['open', null])
    })
  })

  it('are exported with their person, erased with them, and do not come back', async () => {
    const psid = await harness.createPerson()
    const text = `Paki-reserve po ${psid}`
    const id = await write(psid, facebookPost, text)
    await reply(id, 'public', 'Reserved na po')
    // Answers are exported in the order of their times.
    harness.clock.advance(1_000)
    await reply(id, 'private', 'Hi po')
    await harness.settle()
    const { id: conversation } = await harness.db
      .selectFrom('fb_users')
      .select('primary_user_id as id')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    const parts: string[] = []
    for await (const part of exportPerson(harness.db, conversation, new Date(0))) parts.push(part)
    expect(JSON.parse(parts.join('')).comments).toEqual([
      expect.objectContaining({
        id,
        message: text,
        answers: [
          expect.objectContaining({ kind: 'public', message: 'Reserved na po', state: 'sent' }),
          expect.objectContaining({ kind: 'private', message: 'Hi po', state: 'sent' }),
        ],
      }),
      expect.objectContaining({ by_page: true, message: 'Reserved na po' }),
    ])
    const [stored] = await harness.db.selectFrom('comments').selectAll().where('id', '=', id).execute()
    const erasure = await harness.erasures.beginPerson(conversation, { by: serverActor })
    await harness.erasures.run(erasure ?? '')
    expect([await columnsWith(harness.db, text), await columnsWith(harness.db, psid)]).toEqual([[], []])
    expect(await harness.db.selectFrom('comments').select('id').where('parent_id', '=', id).execute()).toEqual([])
    const time = Math.floor((stored?.created_at.getTime() ?? 0) / 1_000)
    const value = {
      item: 'comment',
      verb: 'add',
      comment_id: id,
      post_id: facebookPost,
      from: { id: psid },
      created_time: time,
      message: text,
    }
    await harness.post({ object: 'page', entry: [{ id: prints, time, changes: [{ field: 'feed', value }] }] })
    expect(await columnsWith(harness.db, text)).toEqual([])
  })

  it('go with the messages of their age, and their threads and posts with the last of them', async () => {
    const psid = await newPerson()
    const post = `${prints}_retained`
    await harness.db
      .insertInto('posts')
      .values({ id: post, page_id: prints, platform: 'messenger', message: null, picture_url: null, permalink: null })
      .execute()
    const comment = (name: string, days: number) => ({
      kind: 'comment' as const,
      verb: 'add' as const,
      pageId: prints,
      platform: 'messenger' as const,
      byPage: false,
      commentId: `${post}_${name}`,
      postId: post,
      parentId: null,
      authorId: `${psid}-${name}`,
      authorName: null,
      text: name,
      picture: null,
      permalink: null,
      isLive: false,
      createdAt: new Date(harness.clock.now() - days * 86_400_000),
      at: new Date(harness.clock.now()),
    })
    const alsoOld = { ...comment('older', 40), authorId: `${psid}-young` }
    await inTransaction(harness.db, (trx) => storeComments(trx, [comment('old', 40), comment('young', 1), alsoOld]))
    const left = async () => [
      (await rows(post)).map(({ message }) => message),
      // The line of a notification may be one of a deleted comment.
      (await harness.db.selectFrom('comment_threads').select('waiting_text').where('post_id', '=', post).execute()).map(
        ({ waiting_text }) => waiting_text,
      ),
      (await harness.db.selectFrom('posts').select('id').where('id', '=', post).execute()).length,
    ]
    await removeOld(harness, { messages: 30, events: null })
    const after = await left()
    await removeOldComments(harness.db, new Date(harness.clock.now()), 500)
    expect([after, await left()]).toEqual([
      [['young'], [null], 1],
      [[], [], 0],
    ])
  })

  it('are news when they come and need an answer, with the text of the newest that does', async () => {
    const psid = await newPerson()
    const post = `${prints}_news`
    const comment = (name: string, seconds: number, more: Partial<PlacedComment> = {}): PlacedComment => ({
      kind: 'comment',
      verb: 'add',
      pageId: prints,
      platform: 'messenger',
      byPage: false,
      commentId: `${post}_${name}`,
      postId: post,
      parentId: null,
      authorId: psid,
      authorName: null,
      text: name,
      picture: null,
      permalink: null,
      isLive: false,
      createdAt: new Date(harness.clock.now() + seconds * 1_000),
      at: new Date(harness.clock.now() + 100_000 + seconds * 1_000),
      ...more,
    })
    const store = (...events: PlacedComment[]) => inTransaction(harness.db, (trx) => storeComments(trx, events))
    const thread = () =>
      harness.db.selectFrom('comment_threads').selectAll().where('post_id', '=', post).executeTakeFirstOrThrow()
    const answer = { byPage: true, authorId: prints, parentId: `${post}_two` }
    const steps: [string, () => Promise<unknown>, [boolean, string | null]][] = [
      ['a comment', () => store(comment('one', 0)), [true, 'one']],
      ['the same again', () => store(comment('one', 0)), [false, 'one']],
      ['an edit', () => store(comment('one', 1, { verb: 'edit', text: 'One' })), [false, 'One']],
      ['a hidden one', () => store(comment('one', 2, { verb: 'hide' })), [false, null]],
      ['shown again', () => store(comment('one', 3, { verb: 'unhide' })), [false, 'One']],
      ['two at once', () => store(comment('two', 10), comment('two b', 9)), [true, 'two']],
      ['the answer', () => store(comment('three', 20, answer)), [false, null]],
      [
        'one with its removal',
        () => store(comment('four', 30), comment('four', 31, { verb: 'remove' })),
        [false, null],
      ],
      ['another', () => store(comment('five', 40)), [true, 'five']],
      [
        'no answer needed',
        async () => {
          const { id, last_at } = await thread()
          await inTransaction(harness.db, (trx) => finishThread(trx, id, last_at))
        },
        [false, null],
      ],
    ]
    const seen: [string, [boolean, string | null]][] = []
    for (const [name, happen] of steps) {
      await happen()
      const { version, news_version, waiting_text } = await thread()
      seen.push([name, [news_version === version, waiting_text]])
    }
    expect(seen).toEqual(steps.map(([name, , told]) => [name, told]))
  })

  it('reads the details of a post once, and whether a live video is broadcast', async () => {
    await write(await newPerson(), facebookPost, 'Hello po')
    await write(await newPerson(), facebookLive, 'mine 1')
    const lookups = createPostLookups(harness)
    lookups.start()
    await lookups.settled()
    await lookups.stop()
    const found = await harness.db
      .selectFrom('posts')
      .select(['kind', 'is_live', 'message', 'permalink'])
      .where('id', 'in', [facebookPost, facebookLive])
      .orderBy('id')
      .execute()
    expect(found).toEqual([
      {
        kind: 'post',
        is_live: false,
        message: expect.stringContaining('Tarpaulin promo'),
        permalink: `https://www.facebook.com/${facebookPost}`,
      },
      {
        kind: 'live',
        is_live: true,
        message: expect.stringContaining('LIVE'),
        permalink: `https://www.facebook.com/${facebookLive}`,
      },
    ])
  })

  it('shows an answer below the comment that it answers, whatever came between', async () => {
    const psid = await newPerson()
    const [first, second] = [
      await write(psid, facebookPost, 'Magkano po?', { hoursAgo: 3 }),
      await write(psid, facebookPost, 'May mas malaki po?', { hoursAgo: 2 }),
    ]
    await reply(first, 'public', 'P250 po')
    // The network gives times in seconds, so two answers at once have no order.
    await sql`update comments set created_at = created_at - interval '1 minute' where message = 'P250 po'`.execute(
      harness.db,
    )
    const asked = await write(psid, facebookPost, 'Kasama na po ang tahi?', { parentId: first, hoursAgo: 1 })
    await reply(asked, 'public', 'Opo')
    await reply(second, 'public', 'Meron po')
    const { comments } = await threadWith(first)
    expect(comments.map(({ message }) => message)).toEqual([
      'Magkano po?',
      'Kasama na po ang tahi?',
      'P250 po',
      'Opo',
      'May mas malaki po?',
      'Meron po',
    ])
  })

  it('finds threads by the name of the writer or the words of one comment, by page and by post', async () => {
    const psid = await newPerson()
    const id = await write(psid, facebookPost, 'Is the Piñata blue?')
    await write(psid, facebookPost, 'And the balloon')
    const other = await write(psid, facebookLive, 'piñata for two')
    const [thread, liveThread] = [await threadWith(id), await threadWith(other)]
    const both = [thread, liveThread].toSorted((one, next) => (one.id < next.id ? 1 : -1)).map(({ id: one }) => one)
    const rowsOf = async (filter: Partial<Parameters<typeof listThreads>[1]>) =>
      (await listThreads(harness.db, { view: 'all', after: null, ...filter })).threads.filter((row) =>
        both.includes(row.id),
      )
    const found = async (filter: Parameters<typeof rowsOf>[0]) =>
      (await rowsOf(filter)).map((row) => row.id).toSorted((one, next) => (one < next ? 1 : -1))
    expect(await found({ search: 'PINATA' })).toEqual(both)
    expect(await found({ search: 'blue pinata' })).toEqual([thread.id])
    // Words of two comments of one person.
    expect(await found({ search: 'blue balloon' })).toEqual([])
    expect(await found({ search: 'dalis' })).toEqual(both)
    expect(await found({ search: '%' })).toEqual([])
    expect(await found({ search: ' ' })).toEqual([])
    expect(await found({ search: 'pinata', post: facebookPost })).toEqual([thread.id])
    expect(await found({ post: facebookLive })).toEqual([liveThread.id])
    expect(await found({ page: prints, search: 'pinata' })).toEqual(both)
    expect(await found({ page: 'other', search: 'pinata' })).toEqual([])
    const [first, second] = await rowsOf({ search: 'pinata' })
    const after = { at: new Date(first?.last_at ?? ''), id: first?.id ?? '' }
    expect(await found({ search: 'pinata', after })).toEqual([second?.id])
    await changes.change(other, { kind: 'delete' }, by)
    expect(await found({ search: 'pinata' })).toEqual([thread.id])
  })

  it('looks through the newest threads for a common word, then in the index, or goes on after them', async () => {
    await harness.db
      .insertInto('pages')
      .values({ page_id: 'busy', page_name: 'Busy', page_access_token_encrypted: '' })
      .execute()
    await sql`insert into posts (id, page_id, platform) values ('busy', 'busy', 'messenger')`.execute(harness.db)
    // Beyond the newest threads there are two writers, one with more comments than the index may return.
    await sql`
      insert into comment_threads (id, post_id, page_id, author_id, last_at)
      select 'busy-' || n, 'busy', 'busy', 'writer-' || n, timestamptz '2000-01-02' - n * interval '1 second'
      from generate_series(1, 2002) n`.execute(harness.db)
    await sql`
      insert into comments (id, post_id, page_id, author_id, by_page, message, created_at, text_at)
      select 'busy-' || author || '-' || n, 'busy', 'busy', 'writer-' || author, false,
        case author when 2001 then 'kahapon ' || n else 'pambihira' end, timestamptz '2000-01-01', timestamptz '2000-01-01'
      from (select 2001 as author, generate_series(1, 2001) as n union all select 2002, 1) found`.execute(harness.db)
    const found = async (search: string, after: string | null = null) => {
      const { threads, next } = await listThreads(harness.db, {
        view: 'all',
        page: 'busy',
        search,
        after: after === null ? null : readPlace(after),
      })
      return { ids: threads.map(({ id }) => id), next }
    }
    expect(await found('pambihira')).toEqual({ ids: ['busy-2002'], next: null })
    const { ids, next } = await found('kahapon')
    expect([ids, next]).toEqual([[], expect.stringContaining('busy-2000')])
    expect(await found('kahapon', next)).toEqual({ ids: ['busy-2001'], next: null })
    await harness.db.deleteFrom('pages').where('page_id', '=', 'busy').execute()
  })

  it('lists threads page by page without a gap or a repetition', async () => {
    const psid = await newPerson()
    for (let index = 0; index < 35; index++) {
      await harness.db
        .insertInto('posts')
        .values({
          id: `many-${index}`,
          page_id: prints,
          platform: 'messenger',
          message: null,
          picture_url: null,
          permalink: null,
        })
        .execute()
      await harness.db
        .insertInto('comment_threads')
        .values({
          id: `many-${index}`,
          post_id: `many-${index}`,
          page_id: prints,
          author_id: psid,
          author_name: null,
          psid: null,
          last_at: new Date(1_600_000_000_000 + (index % 7)),
        })
        .execute()
    }
    const seen: string[] = []
    let next: string | null = null
    do {
      const page: Awaited<ReturnType<typeof listThreads>> = await listThreads(harness.db, {
        view: 'all',
        after:
          next === null ? null : { at: new Date(next.split('_')[0] ?? ''), id: next.split('_').slice(1).join('_') },
      })
      seen.push(...page.threads.map(({ id }) => id))
      next = page.next
    } while (next !== null)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => id.startsWith('many-')).length).toBe(35)
    const first = async (limit: number) => {
      const page = await listThreads(harness.db, { view: 'all', after: null, limit })
      return { ids: page.threads.map(({ id }) => id), isLast: page.next === null }
    }
    expect(await first(33)).toEqual({ ids: seen.slice(0, 33), isLast: false })
    expect(await first(seen.length)).toEqual({ ids: seen, isLast: true })
  })
})
