import { randomInt } from 'node:crypto'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Clock } from '../../clock.ts'
import { readableMessages } from '../../network/graph/graph.ts'
import { createCommentControl } from './comment-control.ts'
import type { SandboxComments } from './comments.ts'
import type { Deliveries } from './deliveries.ts'
import { faults, readFaults, writeFaults } from './faults.ts'
import { describeFile } from './media.ts'
import type { SandboxNetwork, SandboxPerson } from './network.ts'
import type { SandboxDb } from './tables.ts'
import { thingKinds } from './things.ts'

const kind = z.enum(['image', 'video', 'audio', 'file'])
const writeBody = z.object({
  text: z.nullish(z.string()),
  /** The kinds of files to attach. */
  attachments: z.optional(z.array(kind)),
  /** Lets a test choose the message's id. */
  mid: z.optional(z.string()),
  replyTo: z.optional(z.string()),
  /** Something else than a text or a file. */
  thing: z.optional(z.enum(thingKinds)),
  /** Chooses the values of the thing. */
  seed: z._default(z.number().check(z.int(), z.nonnegative()), 1),
})
const reactionBody = z.object({
  mid: z.string(),
  emoji: z.nullable(z.string()),
  by: z._default(z.enum(['person', 'page']), 'person'),
})
const editBody = z.object({
  text: z.string(),
  /** Lets a test choose the time. */
  at: z.optional(z.string()),
})
const personBody = z.object({
  pageId: z.string(),
  platform: z._default(z.enum(['messenger', 'instagram']), 'messenger'),
  firstName: z.string(),
  lastName: z.string(),
  profileReadable: z._default(z.boolean(), true),
})
const personChange = z.object({
  reachable: z.optional(z.boolean()),
  profileReadable: z.optional(z.boolean()),
  /** Moves the person's newer messages back to this age, to test the reply window. */
  wroteHoursAgo: z.optional(z.number()),
})

const tapBody = z.object({ title: z.string() })

const pageChange = z.object({
  tokenValid: z.optional(z.boolean()),
  /** Replaces the page's token. */
  token: z.optional(z.string()),
  tokenType: z.optional(z.enum(['PAGE', 'USER'])),
  tokenScopes: z.optional(z.array(z.string())),
  /** Changes the page's picture. */
  pictureSeed: z.optional(z.number().check(z.int(), z.nonnegative())),
})

/** Control calls for tests and demonstrations: make people write, inject faults, read what was delivered. */
export function createControl({
  db,
  network,
  comments,
  deliveries,
  clock,
  wake,
}: {
  db: SandboxDb
  network: SandboxNetwork
  comments: SandboxComments
  deliveries: Deliveries
  clock: Clock
  wake: () => void
}): Hono {
  const app = new Hono()

  app.onError((error, c) => {
    if (error instanceof z.core.$ZodError || error instanceof SyntaxError) {
      return c.json({ success: false, error: 'The body is not of the expected form' }, 400)
    }
    if (error instanceof UnknownPerson) return c.json({ success: false, error: error.message }, 404)
    throw error
  })

  async function findPerson(psid: string): Promise<SandboxPerson> {
    const person = await db.selectFrom('sandbox.people').selectAll().where('psid', '=', psid).executeTakeFirst()
    if (!person) throw new UnknownPerson()
    return person
  }
  const personOf = (c: Context) => findPerson(c.req.param('psid') ?? '')

  app.route('/', createCommentControl({ db, comments, personOf: findPerson, clock }))

  app.get('/pages', async (c) => {
    const pages = await db
      .selectFrom('sandbox.pages')
      .select(['page_id', 'name', 'instagram_id', 'subscribed', 'token_valid'])
      .orderBy('page_id')
      .execute()
    return c.json({ success: true, data: pages })
  })

  app.put('/pages/:pageId', async (c) => {
    const change = pageChange.parse(await c.req.json())
    const set = {
      ...(change.tokenValid === undefined ? {} : { token_valid: change.tokenValid }),
      ...(change.token === undefined ? {} : { access_token: change.token }),
      ...(change.tokenType === undefined ? {} : { token_type: change.tokenType }),
      ...(change.tokenScopes === undefined ? {} : { token_scopes: change.tokenScopes.join(',') }),
      ...(change.pictureSeed === undefined ? {} : { picture_seed: change.pictureSeed }),
    }
    if (Object.keys(set).length > 0) {
      await db.updateTable('sandbox.pages').set(set).where('page_id', '=', c.req.param('pageId')).execute()
    }
    return c.json({ success: true })
  })

  /** The ids of a page's messages, and whether they can still be read: the newest of each person can. */
  app.get('/pages/:pageId/messages', async (c) => {
    const rows = await db
      .selectFrom((query) =>
        query
          .selectFrom('sandbox.messages')
          .select('mid')
          .select((row) =>
            row.fn
              .agg<number>('row_number')
              .over((over) => over.partitionBy('psid').orderBy('created_at', 'desc').orderBy('seq', 'desc'))
              .as('position'),
          )
          .where('page_id', '=', c.req.param('pageId'))
          .as('numbered'),
      )
      .select(['mid', 'position'])
      .execute()
    const data = rows.map(({ mid, position }) => ({ mid, readable: Number(position) <= readableMessages }))
    return c.json({ success: true, data })
  })

  app.get('/people', async (c) => {
    const pageId = c.req.query('pageId')
    let people = db
      .selectFrom('sandbox.people')
      .select(['psid', 'page_id', 'platform', 'person_key', 'first_name', 'last_name', 'reachable'])
    if (pageId !== undefined) people = people.where('page_id', '=', pageId)
    return c.json({ success: true, data: await people.orderBy('psid').execute() })
  })

  app.post('/people', async (c) => {
    const body = personBody.parse(await c.req.json())
    const digits = `${randomInt(1, 2 ** 47)}`.padStart(15, '3')
    const psid = body.platform === 'instagram' ? digits : `7${digits}`
    await db
      .insertInto('sandbox.people')
      .values({
        psid,
        page_id: body.pageId,
        platform: body.platform,
        person_key: `guest-${psid}`,
        conversation_id: `t_${psid}`,
        first_name: body.firstName,
        last_name: body.lastName,
        username: `${body.firstName}.${body.lastName}`.toLowerCase(),
        picture_seed: randomInt(1_000_000),
        profile_readable: body.profileReadable,
      })
      .execute()
    return c.json({ success: true, data: { psid } }, 201)
  })

  app.put('/people/:psid', async (c) => {
    const { psid } = await personOf(c)
    const change = personChange.parse(await c.req.json())
    const set = {
      ...(change.reachable === undefined ? {} : { reachable: change.reachable }),
      ...(change.profileReadable === undefined ? {} : { profile_readable: change.profileReadable }),
    }
    if (Object.keys(set).length > 0) {
      await db.updateTable('sandbox.people').set(set).where('psid', '=', psid).execute()
    }
    if (change.wroteHoursAgo !== undefined) {
      const at = new Date(clock.now() - change.wroteHoursAgo * 60 * 60 * 1000)
      await db
        .updateTable('sandbox.messages')
        .set({ created_at: at })
        .where('psid', '=', psid)
        .where('from_page', '=', false)
        .where('created_at', '>', at)
        .execute()
    }
    return c.json({ success: true })
  })

  app.post('/people/:psid/messages', async (c) => {
    const person = await personOf(c)
    const { text, attachments = [], mid, replyTo = null, thing, seed } = writeBody.parse(await c.req.json())
    if (thing !== undefined) {
      const named = { ...(text == null ? {} : { text }), ...(mid === undefined ? {} : { mid }) }
      const sent = await network.sendsThing(person, { kind: thing, seed }, named)
      return c.json({ success: true, data: sent && { mid: sent.mid, created_at: sent.created_at.toISOString() } }, 201)
    }
    const files = attachments.map((one, index) => describeFile(one, index + 1))
    const message = await network.personWrites(person, {
      text: text ?? null,
      files,
      replyTo,
      ...(mid === undefined ? {} : { mid }),
    })
    return c.json({ success: true, data: { mid: message.mid, created_at: message.created_at.toISOString() } }, 201)
  })

  app.put('/people/:psid/messages/:mid', async (c) => {
    const { text, at } = editBody.parse(await c.req.json())
    const when = at === undefined ? undefined : new Date(at)
    const found = await network.personEdits(await personOf(c), c.req.param('mid'), text, when)
    return found ? c.json({ success: true }) : c.json({ success: false, error: 'No such message' }, 404)
  })

  app.post('/people/:psid/taps', async (c) => {
    const { title } = tapBody.parse(await c.req.json())
    const found = await network.personTaps(await personOf(c), title)
    return found ? c.json({ success: true }) : c.json({ success: false, error: 'Nothing has this title' }, 404)
  })

  app.delete('/people/:psid/messages/:mid', async (c) => {
    const found = await network.personDeletes(await personOf(c), c.req.param('mid'))
    return found ? c.json({ success: true }) : c.json({ success: false, error: 'No such message' }, 404)
  })

  app.post('/people/:psid/replies', async (c) => {
    const { text } = z.object({ text: z.string() }).parse(await c.req.json())
    const message = await network.pageWritesElsewhere(await personOf(c), text)
    return c.json({ success: true, data: { mid: message.mid } }, 201)
  })

  app.post('/people/:psid/reads', async (c) => {
    await network.personReads(await personOf(c))
    return c.json({ success: true })
  })

  app.post('/people/:psid/reactions', async (c) => {
    const { mid, emoji, by } = reactionBody.parse(await c.req.json())
    const found = await network.reacts(await personOf(c), mid, by, emoji)
    return found ? c.json({ success: true }) : c.json({ success: false, error: 'No such message' }, 404)
  })

  /** What the app showed to the person without a message, oldest first. */
  app.get('/people/:psid/actions', async (c) => {
    const { psid } = await personOf(c)
    const data = await db
      .selectFrom('sandbox.actions')
      .select(['action', 'mid', 'reaction', 'at'])
      .where('psid', '=', psid)
      .orderBy('id')
      .execute()
    return c.json({ success: true, data })
  })

  app.get('/people/:psid/deliveries', async (c) => {
    const { psid } = await personOf(c)
    const sent = await db
      .selectFrom('sandbox.messages')
      .select(['mid', 'text', 'files', 'metadata', 'structure', 'created_at', 'reply_to'])
      .where('psid', '=', psid)
      .where('delivered', '=', true)
      .orderBy('seq')
      .execute()
    return c.json({ success: true, data: sent })
  })

  app.get('/faults', async (c) => c.json({ success: true, data: await readFaults(db) }))

  app.put('/faults', async (c) => {
    await writeFaults(db, faults.parse(await c.req.json()))
    wake()
    return c.json({ success: true })
  })

  /** Signs any body with the app's secret and posts it to the app's webhook. */
  app.post('/webhooks', async (c) => {
    const status = await deliveries.deliver(JSON.stringify(await c.req.json()))
    return c.json({ success: status === 200, data: { status } })
  })

  app.get('/webhooks', async (c) => c.json({ success: true, data: { waiting: await deliveries.waiting() } }))

  return app
}

class UnknownPerson extends Error {
  override readonly message = 'No such person'
}
