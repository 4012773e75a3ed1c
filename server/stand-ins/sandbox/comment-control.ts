import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Clock } from '../../clock.ts'
import type { SandboxComments } from './comments.ts'
import type { SandboxPerson } from './network.ts'
import type { SandboxDb } from './tables.ts'

const commentBody = z.object({
  psid: z.string(),
  postId: z.string(),
  message: z.string(),
  parentId: z.optional(z.string()),
  /** Dates the comment back. */
  hoursAgo: z.optional(z.number()),
})

/** The control calls of comments: make people comment, edit and remove comments, end a broadcast. */
export function createCommentControl({
  db,
  comments,
  personOf,
  clock,
}: {
  db: SandboxDb
  comments: SandboxComments
  personOf: (psid: string) => Promise<SandboxPerson>
  clock: Pick<Clock, 'now'>
}): Hono {
  return new Hono()
    .get('/posts', async (c) => {
      const posts = await db.selectFrom('sandbox.posts').selectAll().orderBy('id').execute()
      return c.json({ success: true, data: posts })
    })
    .put('/posts/:id', async (c) => {
      const { broadcast } = z.object({ broadcast: z.boolean() }).parse(await c.req.json())
      await comments.setBroadcast(c.req.param('id'), broadcast)
      return c.json({ success: true })
    })
    .post('/comments', async (c) => {
      const { psid, postId, message, parentId, hoursAgo } = commentBody.parse(await c.req.json())
      const comment = await comments.personComments(await personOf(psid), {
        postId,
        message,
        parentId: parentId ?? null,
        ...(hoursAgo === undefined ? {} : { at: new Date(clock.now() - hoursAgo * 3_600_000) }),
      })
      if (comment === null) return c.json({ success: false, error: 'The person does not see this post' }, 404)
      return c.json({ success: true, data: { id: comment.id } }, 201)
    })
    .put('/comments/:id', async (c) => {
      const { message } = z.object({ message: z.string() }).parse(await c.req.json())
      const found = await comments.personEdits(c.req.param('id'), message)
      return found ? c.json({ success: true }) : c.json({ success: false, error: 'No such comment' }, 404)
    })
    .delete('/comments/:id', async (c) => {
      const found = await comments.personRemoves(c.req.param('id'))
      return found ? c.json({ success: true }) : c.json({ success: false, error: 'No such comment' }, 404)
    })
    .get('/comments', async (c) => {
      const rows = await db.selectFrom('sandbox.comments').selectAll().orderBy('created_at').orderBy('id').execute()
      return c.json({ success: true, data: rows })
    })
}
