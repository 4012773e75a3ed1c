import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { id } from '../../../src/schemas/primitives.ts'
import type { Clock } from '../../clock.ts'
import type { SandboxComments } from './comments.ts'
import type { SandboxNetwork, SandboxPage, SandboxPerson } from './network.ts'
import { refusals } from './refusals.ts'
import { answerWithFaults, type Env } from './send-faults.ts'
import type { SentFiles } from './sent-files.ts'
import type { SandboxDb } from './tables.ts'
import {
  sentAttachedTemplate,
  sentQuickReplies,
  sentSticker,
  sentTemplate,
  textOfAttached,
  textOfSent,
} from './templates.ts'

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
          sentSticker,
        ]),
      ),
      quick_replies: z.nullish(sentQuickReplies),
      template: z.nullish(sentTemplate),
      metadata: z.nullish(z.string()),
    }),
  ),
})

/** The call of the Graph API that sends messages, private replies and sender actions. */
export function createSendRoutes({
  db,
  network,
  clock,
  sentFiles,
  comments,
  ownPage,
  onSent,
}: {
  db: SandboxDb
  network: SandboxNetwork
  clock: Clock
  sentFiles: SentFiles
  comments: SandboxComments
  /** The page in the path; the token must belong to it. */
  ownPage: (c: Context<Env>) => Promise<SandboxPage>
  /** Called after the app has sent a message. */
  onSent: (person: SandboxPerson) => Promise<void>
}): Hono<Env> {
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
    await checkWindow(person, 'RESPONSE', null)
    if (action !== 'react' && action !== 'unreact') return network.recordAction(person, { action })
    if (!payload) throw refusals.badParameter('The parameter payload is required.')
    const { message_id: mid } = payload
    await checkMessage(person, mid)
    const named = person.platform === 'instagram' && payload.reaction === 'love' ? '❤' : (payload.reaction ?? null)
    if (action === 'react' && named === null) throw refusals.badParameter('The parameter reaction is required.')
    const reaction = action === 'react' ? named : null
    await network.recordAction(person, { action, mid, reaction })
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

  return new Hono<Env>().post('/:version/:id/messages', async (c) => {
    const page = await ownPage(c)
    const body = sendBody.parse(await c.req.json())
    const commentId = 'comment_id' in body.recipient ? body.recipient.comment_id : null
    const person = 'id' in body.recipient ? await personOfPage(page, body.recipient.id) : null
    if (!person && commentId === null)
      throw refusals.unknownRecipient(page.instagram_id !== null && c.req.param('id') === page.instagram_id)
    if (person && body.sender_action) {
      const { sender_action: action, payload } = body
      return answerWithFaults(c, { db, clock }, async () => {
        await showAction(person, action, payload ?? null)
        return { recipient_id: person.psid }
      })
    }

    const template = body.message?.template
    const sent = body.message?.attachment
    const attached = sent?.type === 'template' ? sent.payload : null
    const sticker = sent?.type === 'like_heart' ? sent : null
    const attachment = sent?.type === 'template' || sent?.type === 'like_heart' ? null : sent
    const given = [body.message?.text, sent, template].filter(Boolean)
    if (given.length !== 1) throw refusals.badParameter('The parameter message is required.')
    if ((template != null) !== (body.messaging_type === 'UTILITY')) {
      throw refusals.badParameter('The messaging type UTILITY needs a template')
    }
    return answerWithFaults(c, { db, clock }, async () => {
      const recipient = person ?? (await comments.privateRecipient(page, commentId ?? ''))
      const text = template
        ? textOfSent(recipient.platform, template)
        : attached
          ? textOfAttached(attached)
          : body.message?.text
      const structure = attached ?? sticker ?? body.message?.quick_replies ?? null
      if (sticker !== null && recipient.platform !== 'instagram') {
        throw refusals.badParameter('Invalid parameter: message[attachment][type]')
      }
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
      await onSent(recipient)
      return { recipient_id: recipient.psid, message_id: message.mid }
    })
  })
}
