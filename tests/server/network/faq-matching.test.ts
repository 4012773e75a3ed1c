import type { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createFaqMatchingRoutes } from '../../../server/api/faq-matching.ts'
import { createWrongAnswerRoutes } from '../../../server/api/wrong-answers.ts'
import { dryRunPart, FaqChanged } from '../../../server/network/faq/dry-run.ts'
import { emptyDryRun, withPart } from '../../../src/domain/faq/dry-run-result.ts'
import type { FaqDryRunCursor } from '../../../src/schemas/faq.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

const minute = 60_000
const day = 24 * 60 * minute

describeOnDatabase('FAQ matching', (open) => {
  let harness: Harness
  let api: Hono
  let ana: SignedIn
  let ben: SignedIn

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
    ana = await signIn(harness.db)
    ben = await signIn(harness.db, 'agent')
    api = apiBehindSignIn(harness.db)
    api.route('/faq', createFaqMatchingRoutes({ db: harness.db, clock: harness.clock }))
    api.route('/facebook', createWrongAnswerRoutes({ db: harness.db, clock: harness.clock }))
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    await harness.db.deleteFrom('faq_entries').execute()
    await harness.db.deleteFrom('business_settings').execute()
    await harness.db.deleteFrom('messages').execute()
  })

  const ask = (method: string, path: string, who = ana, sent?: object) => callAs(who, api, method, path, sent)
  const addEntry = (id: string, keywords: string[], rest: { page_ids?: string[]; priority?: number } = {}) =>
    harness.db
      .insertInto('faq_entries')
      .values({
        id,
        title: `Title ${id}`,
        category_id: 'general',
        created_by: null,
        keywords,
        response: `${id}!`,
        ...rest,
      })
      .execute()
  const write = async (psid: string, text: string) => {
    const { mid } = await harness.control<{ mid: string }>('POST', `/people/${psid}/messages`, { text })
    await harness.settle()
    await harness.settle()
    return mid
  }
  const saveScore = (least_score: number | null) =>
    ask('PUT', '/faq/matching', ana, { settings: { least_score }, replaces: 0 })

  it('answers on the chosen pages only', async () => {
    await addEntry('other', ['magkano'], { page_ids: ['another page', 'removed page'], priority: 90 })
    const psid = await harness.createPerson('messenger', 'Hello po')
    await write(psid, 'magkano po?')
    expect(await harness.deliveries(psid)).toEqual([])
    await addEntry('own', ['magkano'], { page_ids: ['removed page', prints] })
    await write(psid, 'magkano po?')
    expect(await harness.deliveries(psid)).toEqual(['own!'])
  })

  it('answers a misspelt question by itself, unless the setting wants exact keywords or two entries are similar', async () => {
    await addEntry('price', ['magkano'])
    const [first, second, third] = [
      await harness.createPerson(),
      await harness.createPerson(),
      await harness.createPerson(),
    ]
    await write(first, 'mgkano po?')
    await saveScore(null)
    await write(second, 'mgkano po?')
    await harness.db.deleteFrom('business_settings').execute()
    await addEntry('cost', ['magkano po'], { priority: 90 })
    await write(third, 'mgkano po?')
    expect([
      await harness.deliveries(first),
      await harness.deliveries(second),
      await harness.deliveries(third),
    ]).toEqual([['price!'], [], []])
  })

  it('lists an answer that staff marked wrong until it is resolved, and takes a mark back', async () => {
    await addEntry('price', ['magkano'])
    const psid = await harness.createPerson()
    await write(psid, 'magkano po?')
    const answer = (await harness.thread(psid)).at(-1)
    const path = `/facebook/messages/${encodeURIComponent(answer?.message_id ?? '')}/wrong-answer`
    const list = async () => (await ask('GET', '/faq/wrong-answers')).body.data
    const at = new Date(harness.clock.now()).toISOString()

    const marked = await ask('PUT', path, ben)
    expect(marked.body.data.message).toMatchObject({
      message_id: answer?.message_id,
      author: { kind: 'automatic', title: 'Title price', faq_id: 'price' },
      wrong_answer: { by: ben.staffId },
    })
    expect(Date.parse(marked.body.data.message.wrong_answer.at)).toBe(harness.clock.now())
    // The first mark stays.
    expect((await ask('PUT', path, ana)).body.data.message.wrong_answer.by).toBe(ben.staffId)
    expect(await list()).toEqual({
      total: 1,
      answers: [
        {
          message_id: answer?.message_id,
          conversation_id: expect.any(String),
          page_id: prints,
          question: 'magkano po?',
          answer: 'price!',
          faq_id: 'price',
          faq_title: 'Title price',
          marked_by_name: expect.any(String),
          marked_at: at,
        },
      ],
    })

    expect((await ask('DELETE', path, ben)).body.data.message.wrong_answer).toBe(null)
    expect((await ask('DELETE', path, ben)).status).toBe(200)
    expect(await list()).toEqual({ total: 0, answers: [] })

    await ask('PUT', path, ben)
    const resolve = `/faq/wrong-answers/${encodeURIComponent(answer?.message_id ?? '')}/resolve`
    expect((await ask('POST', resolve, ben)).status).toBe(403)
    expect([(await ask('POST', resolve)).status, (await ask('POST', resolve)).status]).toEqual([200, 200])
    expect(await list()).toEqual({ total: 0, answers: [] })
    // The mark stays in the thread.
    const stored = await harness.db
      .selectFrom('messages')
      .select('wrong_answer')
      .where('message_id', '=', answer?.message_id ?? '')
      .executeTakeFirst()
    expect(stored?.wrong_answer?.by).toBe(ben.staffId)

    const actions = await harness.db
      .selectFrom('audit_entries')
      .select(['action', 'row_id', 'details'])
      .where('action', 'like', 'faq.answer-%')
      .orderBy('id')
      .execute()
    expect(actions).toEqual(
      ['marked', 'unmarked', 'marked', 'resolved'].map((action) => ({
        action: `faq.answer-${action}`,
        row_id: 'price',
        details: { title: 'Title price' },
      })),
    )
  })

  it('marks no message of a customer or of staff, and forgets the mark with the message', async () => {
    await addEntry('price', ['magkano'])
    const psid = await harness.createPerson()
    const mid = await write(psid, 'magkano po?')
    const pathOf = (id: string | undefined) => `/facebook/messages/${encodeURIComponent(id ?? '')}/wrong-answer`
    expect([(await ask('PUT', pathOf(mid))).status, (await ask('DELETE', pathOf('none'))).status]).toEqual([404, 404])
    const answer = (await harness.thread(psid)).at(-1)?.message_id ?? ''
    await ask('PUT', pathOf(answer))
    await harness.db.deleteFrom('messages').where('message_id', '=', answer).execute()
    expect(await harness.db.selectFrom('faq_wrong_answers').select('message_id').execute()).toEqual([])
  })

  /** All parts of a dry run. */
  const dryRun = async (entry: Parameters<typeof dryRunPart>[1]['entry'] = null) => {
    let result = emptyDryRun
    let next: FaqDryRunCursor | null = null
    let parts = 0
    do {
      const part: Awaited<ReturnType<typeof dryRunPart>> = await dryRunPart(harness.db, {
        entry,
        next,
        now: harness.clock.now(),
        signal: new AbortController().signal,
      })
      result = withPart(result, part)
      next = part.next
      parts += 1
    } while (next !== null)
    return { result, parts }
  }
  const store = async (
    psid: string,
    texts: readonly (readonly [minutesAgo: number, text: string | null, isStaff?: boolean])[],
  ) => {
    const person = await harness.db
      .selectFrom('fb_users')
      .select('id')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    await harness.db
      .insertInto('messages')
      .values(
        texts.map(([minutesAgo, text, isStaff], index) => ({
          message_id: `${psid} ${minutesAgo} ${index}`,
          fb_user_id: person.id,
          message_text: text,
          direction: isStaff ? ('outgoing' as const) : ('incoming' as const),
          timestamp_fb: new Date(harness.clock.now() - minutesAgo * minute),
        })),
      )
      .execute()
  }

  it('runs dry over the messages of the last 30 days, by the rules of automatic replies, and sends nothing', async () => {
    const [one, other] = [await harness.createPerson(), await harness.createPerson()]
    await harness.db.deleteFrom('messages').execute()
    await addEntry('price', ['magkano'])
    await addEntry('place', ['saan kayo', 'magkano ang kuha'])
    const before = (await harness.db.selectFrom('sends').select('idempotency_key').execute()).length
    await store(one, [
      [(31 * day) / minute, 'magkano before the month'],
      [5000, 'mgkano po'],
      [4995, 'magkano uli'],
      [4980, 'magkano ang kuha'],
      [4000, 'From staff', true],
      [3990, 'saan kayo'],
      [2000, 'wala bang mgkano dito'],
      [1000, null],
      [900, 'paano po mag-apply?'],
    ])
    await store(other, [[4999, 'saan po kayo']])
    const { result } = await dryRun()
    expect(result).toMatchObject({
      total: 7,
      done: 7,
      outcomes: { answered: 3, staff: 1, recent: 1, doubtful: 1, none: 1 },
      contested: 1,
    })
    expect((await harness.db.selectFrom('sends').select('idempotency_key').execute()).length).toBe(before)
  })

  it('runs dry in parts that hold one batch each, and includes an entry that is not saved', async () => {
    const psid = await harness.createPerson()
    await harness.db.deleteFrom('messages').execute()
    await addEntry('price', ['magkano'])
    await store(
      psid,
      Array.from(
        { length: 2_500 },
        (_, index) => [25_000 - index * 10, index % 2 === 0 ? 'magkano' : 'anong oras'] as const,
      ),
    )
    const saved = await dryRun()
    expect([saved.parts, saved.result.total, saved.result.done, saved.result.outcomes]).toEqual([
      3,
      2_500,
      2_500,
      { answered: 1_250, staff: 0, recent: 0, doubtful: 0, none: 1_250 },
    ])
    const entry = {
      id: null,
      title: 'Hours',
      category_id: 'general',
      keywords: ['oras'],
      response: 'From 9.',
      is_active: true,
      priority: 0,
      page_ids: null,
    }
    const withNew = await dryRun(entry)
    expect(withNew.result.entries).toEqual([
      { id: 'new', title: 'Hours', count: 1_250 },
      { id: 'price', title: 'Title price', count: 1_250 },
    ])
    const instead = await dryRun({ ...entry, id: 'price' })
    expect(instead.result.entries).toEqual([{ id: 'price', title: 'Hours', count: 1_250 }])
  })

  it('does not mix two states of the entries in one dry run, and stops if the caller has left', async () => {
    const psid = await harness.createPerson()
    await harness.db.deleteFrom('messages').execute()
    await addEntry('price', ['magkano'])
    await store(
      psid,
      Array.from({ length: 1_001 }, (_, index) => [index, 'magkano'] as const),
    )
    const parts = { entry: null, now: harness.clock.now(), signal: new AbortController().signal }
    const { next } = await dryRunPart(harness.db, { ...parts, next: null })
    const answer = await ask('POST', '/faq/dry-run', ana, { entry: null, next })
    expect([answer.status, answer.body.data.done, answer.body.data.next]).toEqual([200, 1_001, null])
    await addEntry('new', ['saan'])
    await expect(dryRunPart(harness.db, { ...parts, next })).rejects.toThrow(FaqChanged)
    expect((await ask('POST', '/faq/dry-run', ana, { entry: null, next })).status).toBe(409)
    expect((await ask('POST', '/faq/dry-run', ben, { entry: null, next: null })).status).toBe(403)
    await expect(dryRunPart(harness.db, { ...parts, next: null, signal: AbortSignal.abort() })).rejects.toThrow()
  })
})
