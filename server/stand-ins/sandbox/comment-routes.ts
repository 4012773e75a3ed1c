import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Clock } from '../../clock.ts'
import type { SandboxComment, SandboxComments, SandboxPost } from './comments.ts'
import { parseFields, pickFields } from './fields.ts'
import type { SandboxNetwork, SandboxPage } from './network.ts'
import { refusals } from './refusals.ts'
import { answerWithFaults, type Env } from './send-faults.ts'
import type { SandboxDb } from './tables.ts'

type Found = { comment: SandboxComment; post: SandboxPost }

const replyBody = z.object({ message: z.string().check(z.minLength(1), z.maxLength(8_000)) })
const timeOf = (at: Date) => at.toISOString().replace(/\.\d{3}Z$/, '+0000')
const videoOf = ({ id }: SandboxPost) => `video-${id}`

/** The Graph API of posts and comments, in the network's shapes. Other objects are left to the next route. */
export function createCommentRoutes({
  db,
  comments,
  network,
  clock,
  pageOfToken,
}: {
  db: SandboxDb
  comments: SandboxComments
  network: SandboxNetwork
  clock: Clock
  pageOfToken: (c: Context<Env>) => Promise<SandboxPage>
}): Hono<Env> {
  async function ownComment(c: Context<Env>): Promise<Found & { page: SandboxPage }> {
    const page = await pageOfToken(c)
    const id = c.req.param('id') ?? ''
    const found = await comments.find(id)
    if (found === null || found.post.page_id !== page.page_id) throw refusals.unknownObject(id)
    return { ...found, page }
  }

  const withFaults = (c: Context<Env>, work: () => Promise<object>) => answerWithFaults(c, { db, clock }, work)

  const commentAnswer = ({ page, post, comment }: Found & { page: SandboxPage }) => {
    const authorId = comment.psid ?? network.accountOf(page, post.platform)
    return {
      id: comment.id,
      message: comment.message,
      text: comment.message,
      created_time: timeOf(comment.created_at),
      timestamp: timeOf(comment.created_at),
      from: { id: authorId },
      is_hidden: comment.is_hidden,
      can_reply_privately: comment.psid !== null && comment.private_reply_mid === null,
    }
  }

  const postAnswer = (post: SandboxPost) => ({
    id: post.id,
    message: post.message,
    caption: post.message,
    permalink_url: comments.permalinkOf(post),
    permalink: comments.permalinkOf(post),
    full_picture: network.urlOf(`photos/${post.picture_seed}.png`),
    media_url: network.urlOf(`photos/${post.picture_seed}.png`),
    created_time: timeOf(post.created_at),
    timestamp: timeOf(post.created_at),
    media_product_type: post.is_live_video ? 'LIVE' : 'FEED',
    attachments: {
      data: [post.is_live_video ? { media_type: 'video', target: { id: videoOf(post) } } : { media_type: 'photo' }],
    },
  })

  const reply = async (c: Context<Env>, platform: SandboxPost['platform']) => {
    const found = await ownComment(c)
    if (found.post.platform !== platform) throw refusals.unknownObject(found.comment.id)
    const { message } = replyBody.parse(await c.req.json())
    return withFaults(c, async () => ({ id: (await comments.pageReplies(found, message)).id }))
  }
  const replies = async (c: Context<Env>) => {
    const found = await ownComment(c)
    const fields = parseFields(c.req.query('fields') ?? 'id')
    const rows = await comments.replies(found.comment.id)
    return c.json({ data: rows.map((comment) => pickFields(commentAnswer({ ...found, comment }), fields)) })
  }

  return new Hono<Env>()
    .post('/:version/:id/comments', (c) => reply(c, 'messenger'))
    .post('/:version/:id/replies', (c) => reply(c, 'instagram'))
    .get('/:version/:id/comments', replies)
    .get('/:version/:id/replies', replies)
    .on(['POST', 'DELETE'], '/:version/:id/likes', async (c) => {
      const found = await ownComment(c)
      if (found.post.platform === 'instagram') throw refusals.unknownObject(found.comment.id)
      return withFaults(c, async () => {
        await comments.like(found, c.req.method === 'POST')
        return { success: true }
      })
    })
    .post('/:version/:id', async (c) => {
      const found = await ownComment(c)
      const hidden = c.req.query(found.post.platform === 'instagram' ? 'hide' : 'is_hidden')
      if (hidden === undefined) throw refusals.badParameter('The parameter is_hidden is required.')
      return withFaults(c, async () => {
        await comments.hide(found, hidden === 'true')
        return { success: true }
      })
    })
    .delete('/:version/:id', async (c) => {
      const found = await ownComment(c)
      return withFaults(c, async () => {
        await comments.remove(found)
        return { success: true }
      })
    })
    .get('/:version/:id', async (c, next) => {
      const id = c.req.param('id')
      const post = await comments.postOf(id.replace(/^video-/, ''))
      const comment = post === undefined ? await comments.find(id) : null
      if (post === undefined && comment === null) return next()
      const page = await pageOfToken(c)
      const fields = parseFields(c.req.query('fields') ?? 'id')
      const owner = post ?? comment?.post
      if (owner?.page_id !== page.page_id) throw refusals.unknownObject(id)
      if (comment !== null) return c.json(pickFields(commentAnswer({ ...comment, page }), fields))
      if (id.startsWith('video-')) return c.json({ id, live_status: owner.is_broadcast ? 'LIVE' : 'VOD' })
      // Instagram lists a live video only while it is broadcast.
      if (owner.platform === 'instagram' && owner.is_live_video && !owner.is_broadcast) throw refusals.unknownObject(id)
      return c.json(pickFields(postAnswer(owner), fields))
    })
}
