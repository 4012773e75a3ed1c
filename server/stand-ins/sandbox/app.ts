import { createHmac } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { id } from '../../../src/schemas/primitives.ts'
import type { Clock } from '../../clock.ts'
import { sameSecret } from '../../network/webhooks/signature.ts'
import { createAnswers, maxReadableMessages, nextAddress, readCursor, writeCursor } from './answers.ts'
import { createCommentRoutes } from './comment-routes.ts'
import type { SandboxComments } from './comments.ts'
import { consumeReadFault, consumeSendFault } from './faults.ts'
import { type Fields, parseFields, pickFields } from './fields.ts'
import { createLoginRoutes } from './login.ts'
import type { SandboxMessage, SandboxNetwork, SandboxPage, SandboxPerson } from './network.ts'
import { refusals, SandboxRefusal } from './refusals.ts'
import type { SentFiles } from './sent-files.ts'
import type { SandboxDb } from './tables.ts'
import {
  sandboxTemplates,
  sentAttachedTemplate,
  sentQuickReplies,
  sentTemplate,
  textOfAttached,
  textOfSent,
} from './templates.ts'

type Env = { Bindings: Partial<HttpBindings> }

const hour = 60 * 60 * 1000

const senderAction = z.enum(['mark_seen', 'typing_on', 'typing_off', 'react', 'unreact'])

const sendBody = z.object({
  /** A comment: a private reply to it. */
  recipient: z.union([z.object({ id }), z.object({ comment_id: id })]),
  messaging_type: z.nullish(z.string()),
  tag: z.nullish(z.string()),
  sender_action: z.nullish(z.pipe(z.string().check(z.toLowerCase()), senderAction)),
  payload: z.nullish(z.object({ message_id: id, reaction: z.nullish(z.string()) })),
  reply_to: z.nullish(z.object({ mid: id })),
  message: z.nullish(
    z.object({
      text: z.nullish(z.string()),
      attachment: z.nullish(
        z.discriminatedUnion('type', [
          z.object({
            type: z.enum(['image', 'video', 'audio', 'file']),
            payload: z.object({ url: z.string(), is_reusable: z.nullish(z.boolean()) }),
          }),
          sentAttachedTemplate,
        ]),
      ),
      quick_replies: z.nullish(sentQuickReplies),
      template: z.nullish(sentTemplate),
      metadata: z.nullish(z.string()),
    }),
  ),
})

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
  onSent: (person: SandboxPerson, message: SandboxMessage) => Promise<void>
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

  app.post('/:version/:id/messages', async (c) => {
    const page = await ownPage(c)
    const body = sendBody.parse(await c.req.json())
    const commentId = 'comment_id' in body.recipient ? body.recipient.comment_id : null
    const person = 'id' in body.recipient ? await personOfPage(page, body.recipient.id) : null
    if (!person && commentId === null)
      throw refusals.unknownRecipient(page.instagram_id !== null && c.req.param('id') === page.instagram_id)
    if (person && body.sender_action) {
      await showAction(person, body.sender_action, body.payload ?? null)
      return c.json({ recipient_id: person.psid })
    }

    const template = body.message?.template
    const sent = body.message?.attachment
    const attached = sent?.type === 'template' ? sent.payload : null
    const attachment = sent?.type === 'template' ? null : sent
    const given = [body.message?.text, sent, template].filter(Boolean)
    if (given.length !== 1) throw refusals.badParameter('The parameter message is required.')
    if ((template != null) !== (body.messaging_type === 'UTILITY')) {
      throw refusals.badParameter('The messaging type UTILITY needs a template')
    }
    const fault = await consumeSendFault(db)
    if (fault.refuse) {
      throw new SandboxRefusal(fault.refuse.code, fault.refuse.subcode, 'Injected', fault.refuse.status)
    }
    if (fault.loseRequest) return breakConnection(c)
    const recipient = person ?? (await comments.privateRecipient(page, commentId ?? ''))
    const text = template
      ? textOfSent(recipient.platform, template)
      : attached
        ? textOfAttached(attached)
        : body.message?.text
    const structure = attached ?? body.message?.quick_replies ?? null
    checkText(recipient, text ?? '')
    if (!template && commentId === null)
      await checkWindow(recipient, body.messaging_type ?? 'RESPONSE', body.tag ?? null)
    const files = attachment
      ? [await sentFiles.fetched(recipient.platform, attachment.type, attachment.payload.url)]
      : []
    const metadata = body.message?.metadata ?? null
    const replyTo = body.reply_to?.mid ?? null
    if (replyTo !== null) await checkMessage(recipient, replyTo)
    const content = { text: text ?? null, files, metadata, structure, replyTo }
    const message = await network.appSends(page, recipient, content)
    if (commentId !== null) await comments.recordPrivateReply(commentId, message.mid)
    await onSent(recipient, message)
    if (fault.delay > 0) await new Promise<void>((resolve) => clock.after(fault.delay, resolve))
    if (fault.loseAnswer) return breakConnection(c)
    return c.json({ recipient_id: recipient.psid, message_id: message.mid })
  })

  const personOfPage = (page: SandboxPage, psid: string) =>
    db
      .selectFrom('sandbox.people')
      .selectAll()
      .where('psid', '=', psid)
      .where('page_id', '=', page.page_id)
      .executeTakeFirst()

  async function showAction(
    person: SandboxPerson,
    action: z.infer<typeof senderAction>,
    payload: (z.infer<typeof sendBody>['payload'] & {}) | null,
  ): Promise<void> {
    const fault = await consumeSendFault(db)
    if (fault.refuse) {
      throw new SandboxRefusal(fault.refuse.code, fault.refuse.subcode, 'Injected', fault.refuse.status)
    }
    await checkWindow(person, 'RESPONSE', null)
    if (action !== 'react' && action !== 'unreact') return network.remembers(person, { action })
    if (!payload) throw refusals.badParameter('The parameter payload is required.')
    const { message_id: mid } = payload
    await checkMessage(person, mid)
    const named = person.platform === 'instagram' && payload.reaction === 'love' ? '❤' : (payload.reaction ?? null)
    if (action === 'react' && named === null) throw refusals.badParameter('The parameter reaction is required.')
    const reaction = action === 'react' ? named : null
    await network.remembers(person, { action, mid, reaction })
    await network.reacts(person, mid, 'page', reaction)
  }

  async function checkMessage(person: SandboxPerson, mid: string): Promise<void> {
    const known = await db
      .selectFrom('sandbox.messages')
      .select('mid')
      .where('mid', '=', mid)
      .where('psid', '=', person.psid)
      .executeTakeFirst()
    if (!known) throw refusals.badParameter('The message does not exist')
  }

  function checkText(person: SandboxPerson, text: string): void {
    if (!person.reachable) throw refusals.unreachable()
    const tooLong = person.platform === 'instagram' ? Buffer.byteLength(text) > 1_000 : [...text].length > 2_000
    if (tooLong) throw refusals.badParameter('Length of param message[text] is too long')
  }

  async function checkWindow(person: SandboxPerson, type: string, tag: string | null): Promise<void> {
    if (type === 'MESSAGE_TAG' && tag !== 'HUMAN_AGENT') throw refusals.badParameter('This tag is no longer supported')
    const row = await db
      .selectFrom('sandbox.messages')
      .select((message) => message.fn.max('created_at').as('last'))
      .where('psid', '=', person.psid)
      .where('from_page', '=', false)
      .executeTakeFirst()
    const open = type === 'MESSAGE_TAG' ? 7 * 24 * hour : 24 * hour
    if (!row?.last || clock.now() - row.last.getTime() > open) {
      throw refusals.windowClosed(person.platform === 'instagram')
    }
  }

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

  app.route('/', createCommentRoutes({ db, comments, network, clock, pageOfToken, breakConnection }))

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

/** Closes the connection without a response. */
function breakConnection(c: Context<Env>): Response {
  c.env.incoming?.socket.destroy()
  return new Response(null, { status: 502 })
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
