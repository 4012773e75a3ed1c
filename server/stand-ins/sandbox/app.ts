import { createHmac } from 'node:crypto'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Clock } from '../../clock.ts'
import { sameSecret } from '../../network/webhooks/signature.ts'
import { createAnswers, maxReadableMessages, nextAddress, readCursor, writeCursor } from './answers.ts'
import { createCommentRoutes } from './comment-routes.ts'
import type { SandboxComments } from './comments.ts'
import { consumeReadFault } from './faults.ts'
import { type Fields, parseFields, pickFields } from './fields.ts'
import { createLoginRoutes } from './login.ts'
import type { SandboxMessage, SandboxNetwork, SandboxPage, SandboxPerson } from './network.ts'
import { refusals, SandboxRefusal } from './refusals.ts'
import { breakConnection, type Env } from './send-faults.ts'
import { createSendRoutes } from './send-routes.ts'
import type { SentFiles } from './sent-files.ts'
import type { SandboxDb } from './tables.ts'
import { sandboxTemplates } from './templates.ts'

/** The Graph API of the sandbox, under every version. Also supports calls that only other clients make. */
export function createGraphApp({
  db,
  network,
  clock,
  appId,
  appSecret,
  tokenKey,
  sentFiles,
  comments,
  onSent,
}: {
  db: SandboxDb
  network: SandboxNetwork
  clock: Clock
  appId: string
  appSecret: string
  tokenKey: Uint8Array
  sentFiles: SentFiles
  comments: SandboxComments
  /** Called after the app has sent a message. */
  onSent: (person: SandboxPerson) => Promise<void>
}): Hono<Env> {
  const app = new Hono<Env>()
  const { conversationAnswer, messageAnswer, profileAnswer } = createAnswers(network)

  app.onError((error, c) => {
    if (error instanceof SandboxRefusal) {
      return new Response(JSON.stringify(error.body()), jsonInit(error.status, error.headers))
    }
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError) {
      return new Response(JSON.stringify(refusals.badParameter('Invalid parameter').body()), jsonInit(400))
    }
    throw c.error ?? error
  })

  function tokenOf(c: Context<Env>): string {
    const header = c.req.header('authorization')
    const token = header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : c.req.query('access_token')
    if (!token) throw refusals.badToken()
    const proof = c.req.query('appsecret_proof')
    if (proof !== undefined && !sameSecret(proof, createHmac('sha256', appSecret).update(token).digest('hex'))) {
      throw refusals.badProof()
    }
    return token
  }

  async function pageOfToken(c: Context<Env>): Promise<SandboxPage> {
    const page = await db
      .selectFrom('sandbox.pages')
      .selectAll()
      .where('access_token', '=', tokenOf(c))
      .executeTakeFirst()
    if (!page) throw refusals.badToken()
    if (!page.token_valid) throw refusals.revokedToken()
    return page
  }

  /** The page in the path; the token must belong to it. */
  async function ownPage(c: Context<Env>): Promise<SandboxPage> {
    const page = await pageOfToken(c)
    const named = c.req.param('id')
    if (named !== 'me' && named !== page.page_id && named !== page.instagram_id) throw refusals.noPermission()
    return page
  }

  app.route('/', createLoginRoutes({ db, clock, appId, appSecret, tokenKey, tokenOf }))

  app.get('/:version/debug_token', async (c) => {
    if (!sameSecret(tokenOf(c), `${appId}|${appSecret}`)) throw refusals.badToken()
    const token = c.req.query('input_token') ?? ''
    const login = await db
      .selectFrom('sandbox.logins')
      .select('scopes')
      .where('access_token', '=', token)
      .executeTakeFirst()
    if (login) {
      const scopes = login.scopes.split(',')
      return c.json({ data: { app_id: appId, type: 'USER', application: 'Staff Inbox', is_valid: true, scopes } })
    }
    const page = await db.selectFrom('sandbox.pages').selectAll().where('access_token', '=', token).executeTakeFirst()
    const valid = page?.token_valid === true
    return c.json({
      data: {
        app_id: appId,
        type: page?.token_type ?? 'PAGE',
        application: 'Staff Inbox',
        expires_at: 0,
        is_valid: valid,
        ...(page ? { profile_id: page.page_id } : {}),
        scopes: valid ? page.token_scopes.split(',') : [],
      },
    })
  })

  /** The app knows a person of the sandbox by any of their page-scoped ids. */
  app.get('/:version/:id/ids_for_pages', async (c) => {
    if (!sameSecret(tokenOf(c), `${appId}|${appSecret}`)) throw refusals.badToken()
    const person = await db
      .selectFrom('sandbox.people')
      .select('person_key')
      .where('psid', '=', c.req.param('id'))
      .executeTakeFirst()
    if (!person) throw refusals.unknownObject(c.req.param('id'))
    const rows = await db
      .selectFrom('sandbox.people')
      .innerJoin('sandbox.pages', 'sandbox.pages.page_id', 'sandbox.people.page_id')
      .select(['psid', 'sandbox.pages.page_id', 'sandbox.pages.name'])
      .where('person_key', '=', person.person_key)
      .orderBy('psid')
      .execute()
    return c.json({ data: rows.map(({ psid, page_id, name }) => ({ id: psid, page: { id: page_id, name } })) })
  })

  app.get('/:version/:id/picture', async (c) => {
    const page = await ownPage(c)
    const url = network.urlOf(`pages/${page.picture_seed}.png`)
    if (c.req.query('redirect') !== '0') return c.redirect(url)
    return c.json({ data: { height: 96, is_silhouette: false, url, width: 96 } })
  })

  app.get('/:version/:id/conversations', async (c) => {
    const page = await ownPage(c)
    const fault = await consumeReadFault(db, page.page_id)
    if (fault.refuse !== null) {
      const { code, subcode, status, minutes } = fault.refuse
      const headers = minutes === null ? {} : usageOf(page.page_id, minutes)
      throw new SandboxRefusal(code, subcode, 'Injected', status, headers)
    }
    if (fault.lose) return breakConnection(c)
    const platform = c.req.query('platform') === 'instagram' ? 'instagram' : 'messenger'
    const fields = parseFields(c.req.query('fields') ?? 'id,updated_time')
    const limit = Math.min(Math.max(Number(c.req.query('limit') ?? 25) || 25, 1), 100)
    const offset = readCursor(c.req.query('after'))
    const onlyPerson = c.req.query('user_id')
    let people = db
      .selectFrom('sandbox.people')
      .selectAll('sandbox.people')
      .select((inner) =>
        inner
          .selectFrom('sandbox.messages')
          .select((last) => last.fn.max('created_at').as('last'))
          .whereRef('sandbox.messages.psid', '=', 'sandbox.people.psid')
          .as('updated_at'),
      )
      .where('page_id', '=', page.page_id)
      .where('platform', '=', platform)
      // Without a message there is no conversation.
      .where((is) =>
        is.exists(
          is.selectFrom('sandbox.messages').select('mid').whereRef('sandbox.messages.psid', '=', 'sandbox.people.psid'),
        ),
      )
    if (onlyPerson !== undefined) people = people.where('psid', '=', onlyPerson)
    const rows = await people
      .orderBy('updated_at', (order) => order.desc().nullsLast())
      .orderBy('psid')
      .limit(limit + 1)
      .offset(offset)
      .execute()
    const shown = rows.slice(0, limit)
    const messages = await newestMessages(shown.map(({ psid }) => psid))
    const paging = {
      cursors: { before: writeCursor(offset), after: writeCursor(offset + shown.length) },
      ...(rows.length > limit ? { next: nextAddress(c.req.url, offset + shown.length) } : {}),
    }
    return c.json({
      data: shown.map((person) => conversationAnswer(page, person, messages.get(person.psid) ?? [], fields)),
      ...(shown.length > 0 ? { paging } : {}),
    })
  })

  async function newestMessages(psids: string[]): Promise<Map<string, SandboxMessage[]>> {
    if (psids.length === 0) return new Map()
    const rows = await db
      .with('numbered', (query) =>
        query
          .selectFrom('sandbox.messages')
          .selectAll()
          .select((row) =>
            row.fn
              .agg<number>('row_number')
              .over((over) => over.partitionBy('psid').orderBy('created_at', 'desc').orderBy('seq', 'desc'))
              .as('position'),
          )
          .where('psid', 'in', psids),
      )
      .selectFrom('numbered')
      .selectAll()
      .where('position', '<=', maxReadableMessages)
      .orderBy('position')
      .execute()
    return Map.groupBy(rows, ({ psid }) => psid)
  }

  app.post('/:version/:id/subscribed_apps', async (c) => {
    const page = await ownPage(c)
    if (!c.req.query('subscribed_fields')) throw refusals.badParameter('The parameter subscribed_fields is required.')
    await db.updateTable('sandbox.pages').set({ subscribed: true }).where('page_id', '=', page.page_id).execute()
    return c.json({ success: true })
  })

  app.delete('/:version/:id/subscribed_apps', async (c) => {
    const page = await ownPage(c)
    await db.updateTable('sandbox.pages').set({ subscribed: false }).where('page_id', '=', page.page_id).execute()
    return c.json({ success: true })
  })

  app.get('/:version/:id/message_templates', async (c) => {
    await ownPage(c)
    const fields = parseFields(c.req.query('fields') ?? 'id,name,language,category,status')
    return c.json({ data: sandboxTemplates.map((template) => pickFields(template, fields)) })
  })

  app.route('/', createSendRoutes({ db, network, clock, sentFiles, comments, ownPage, onSent }))

  app.get('/:version/:id/messages', async (c) => {
    const page = await pageOfToken(c)
    const person = await personOfConversation(page, c.req.param('id'))
    const fields = parseFields(c.req.query('fields') ?? 'id,created_time')
    const messages = (await newestMessages([person.psid])).get(person.psid) ?? []
    return c.json({ data: messages.map((message) => pickFields(messageAnswer(page, person, message), fields)) })
  })

  async function personOfConversation(page: SandboxPage, conversationId: string): Promise<SandboxPerson> {
    const person = await db
      .selectFrom('sandbox.people')
      .selectAll()
      .where('conversation_id', '=', conversationId)
      .where('page_id', '=', page.page_id)
      .executeTakeFirst()
    if (!person) throw refusals.unknownObject(conversationId)
    return person
  }

  app.route('/', createCommentRoutes({ db, comments, network, clock, pageOfToken }))

  app.get('/:version/:id', async (c) => {
    const page = await pageOfToken(c)
    const named = c.req.param('id')
    const fields = parseFields(c.req.query('fields') ?? 'id,name')
    if (named === 'me' || named === page.page_id) {
      const answer = {
        id: page.page_id,
        name: page.name,
        username: page.username,
        category: page.category,
        ...(page.instagram_id === null ? {} : { instagram_business_account: { id: page.instagram_id } }),
      }
      return c.json(pickFields(answer, fields))
    }
    const person = await db
      .selectFrom('sandbox.people')
      .selectAll()
      .where('psid', '=', named)
      .where('page_id', '=', page.page_id)
      .executeTakeFirst()
    if (person) return c.json(profileAnswer(person, fields))
    return c.json(await oneMessage(page, named, fields))
  })

  async function oneMessage(page: SandboxPage, mid: string, fields: Fields) {
    const found = await db
      .selectFrom('sandbox.messages')
      .select('psid')
      .where('mid', '=', mid)
      .where('page_id', '=', page.page_id)
      .executeTakeFirst()
    if (!found) throw refusals.unknownObject(mid)
    const message = (await newestMessages([found.psid])).get(found.psid)?.find((one) => one.mid === mid)
    if (!message) throw refusals.tooOld()
    const person = await db
      .selectFrom('sandbox.people')
      .selectAll()
      .where('psid', '=', found.psid)
      .executeTakeFirstOrThrow()
    return pickFields(messageAnswer(page, person, message), fields)
  }

  return app
}

const jsonInit = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
})

/** The usage header that asks for a pause of so many minutes. */
const usageOf = (pageId: string, minutes: number) => ({
  'x-business-use-case-usage': JSON.stringify({
    [pageId]: [{ type: 'messenger', call_count: 100, estimated_time_to_regain_access: minutes }],
  }),
})
