import { type Context, Hono } from 'hono'
import type { Transaction } from 'kysely'
import * as z from 'zod/mini'
import { fileLimitsShown } from '../../src/domain/send/file-limits.ts'
import { type OutgoingFile, outgoingFileAnswer } from '../../src/schemas/outgoing-file.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import {
  pictureCopyParam,
  savedRepliesAnswer,
  savedReplyAnswer,
  savedReplyBody,
  savedReplyLimits,
  usedReplyBody,
} from '../../src/schemas/saved-reply.ts'
import { recordAudit } from '../audit/audit.ts'
import { cleanText } from '../clean-text.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import {
  countUse,
  createSavedReply,
  deleteSavedReply,
  findSavedReply,
  listSavedReplies,
  type SavedReplyProblem,
  updateSavedReply,
  type Write,
} from '../database/saved-replies.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { maxPictureBytes, type PictureProblem, type ReplyPictures } from '../files/reply-pictures.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { refuseUpload, uploadRefusals } from './outgoing-files.ts'

const tag = 'Saved replies'
const byId = z.object({ id: z.string().check(z.maxLength(200)) })

const refusals = {
  400: 'The body is not valid',
  422: 'The name is taken, a page or a picture does not exist, or there are too many saved replies or pictures',
} as const

const problems: Readonly<Record<SavedReplyProblem, string>> = {
  taken: 'Another saved reply has this name',
  noPage: 'One of the pages does not exist',
  full: `There are already ${savedReplyLimits.replies} saved replies. Delete one first.`,
}

const pictureProblems: Readonly<Record<PictureProblem, string>> = {
  gone: 'One of the pictures is no longer there. Remove it and choose it again.',
  noPicture: `A saved reply holds JPEG, PNG and GIF pictures of up to ${fileLimitsShown.image} MB`,
  full: `The pictures of all saved replies may have ${maxPictureBytes / 1_000_000} MB. Remove some first.`,
}

/** Rolls back the change of the saved reply. */
class PicturesRefused extends Error {
  override readonly name = 'PicturesRefused'
}

type Stored = NonNullable<Awaited<ReturnType<typeof findSavedReply>>>

const toApi = (reply: Stored, pictures: OutgoingFile[] = []) => ({
  ...reply,
  pictures,
  created_at: reply.created_at.toISOString(),
  updated_at: reply.updated_at.toISOString(),
})

/** Saved replies (feature 'saved-replies'), to be mounted at /api/saved-replies. */
export const createSavedReplyRoutes = ({
  db,
  pictures,
  clock,
}: {
  db: Db
  pictures: ReplyPictures
  clock: Pick<Clock, 'now'>
}) => {
  const writeOf = (c: Context<Authenticated>, body: z.output<typeof savedReplyBody>) => ({
    values: { ...body, text: cleanText(body.text) },
    staffId: c.get('staff').id,
    now: new Date(clock.now()),
  })
  /** Stores the pictures of a saved reply that was just written. Absent: they stay as they are. */
  const keepPictures = async (trx: Transaction<Tables>, replyId: string, { values, staffId }: Write) => {
    if (values.pictures === undefined) return
    const problem = await pictures.keep(trx, { replyId, staffId, ids: values.pictures })
    if (problem !== null) throw new PicturesRefused(pictureProblems[problem])
  }
  /** A refused picture as the text of the refusal. */
  const refusedPictures = (error: unknown): { refused: string } => {
    if (error instanceof PicturesRefused) return { refused: error.message }
    throw error
  }
  const shown = async (trx: Db, id: string) => {
    const reply = await findSavedReply(trx, id)
    return reply && toApi(reply, (await pictures.of(trx, id)).get(id))
  }
  const entry = (c: Context<Authenticated>, action: 'created' | 'changed' | 'deleted', id: string, name: string) => ({
    at: clock.now(),
    by: c.get('actor'),
    action: `saved-reply.${action}` as const,
    row: { kind: 'saved-reply' as const, id },
    details: { name },
  })

  return new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'All saved replies, by name', answer: savedRepliesAnswer }),
      requirePermission('messages.send'),
      async (c) => {
        const [replies, found] = await Promise.all([listSavedReplies(db), pictures.of(db)])
        const data = replies.map((reply) => toApi(reply, found.get(reply.id)))
        return c.json({ success: true, data } satisfies z.infer<typeof savedRepliesAnswer>)
      },
    )
    .post(
      '/',
      described({ tag, takesBody: true, summary: 'Create a saved reply', answer: savedReplyAnswer, refusals }),
      requirePermission('faq.manage'),
      valid('json', savedReplyBody),
      async (c) => {
        const write = writeOf(c, c.req.valid('json'))
        const created = await inTransaction(db, async (trx) => {
          const result = await createSavedReply(trx, write)
          if (typeof result === 'string') return result
          await keepPictures(trx, result.id, write)
          await recordAudit(trx, entry(c, 'created', result.id, write.values.name))
          return shown(trx, result.id)
        }).catch(refusedPictures)
        if (created === undefined) throw new Error('a saved reply is missing right after its creation')
        if (typeof created === 'string') return refuse(c, 422, problems[created])
        if ('refused' in created) return refuse(c, 422, created.refused)
        return c.json({ success: true, data: created } satisfies z.infer<typeof savedReplyAnswer>)
      },
    )
    .put(
      '/:id',
      described({
        tag,
        takesBody: true,
        summary: 'Change a saved reply',
        answer: savedReplyAnswer,
        refusals: { ...refusals, 409: 'The saved reply was deleted' },
      }),
      requirePermission('faq.manage'),
      valid('param', byId),
      valid('json', savedReplyBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const write = writeOf(c, c.req.valid('json'))
        const changed = await inTransaction(db, async (trx) => {
          const problem = await updateSavedReply(trx, id, write)
          if (problem !== null) return problem
          await keepPictures(trx, id, write)
          await recordAudit(trx, entry(c, 'changed', id, write.values.name))
          return shown(trx, id)
        }).catch(refusedPictures)
        if (changed === undefined) return refuse(c, 409, 'This saved reply was deleted in the meantime')
        if (typeof changed === 'string') return refuse(c, 422, problems[changed])
        if ('refused' in changed) return refuse(c, 422, changed.refused)
        return c.json({ success: true, data: changed } satisfies z.infer<typeof savedReplyAnswer>)
      },
    )
    .delete(
      '/:id',
      described({ tag, summary: 'Delete a saved reply; idempotent', answer: successAnswer }),
      requirePermission('faq.manage'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        await inTransaction(db, async (trx) => {
          const deleted = await deleteSavedReply(trx, id)
          if (deleted !== undefined) await recordAudit(trx, entry(c, 'deleted', id, deleted.name))
        })
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
    .put(
      '/:id/pictures/:picture/copies/:copy',
      described({
        tag,
        summary:
          'Copy a picture to an upload of the person, under an id that the browser chose; repeated, it is copied once',
        answer: outgoingFileAnswer,
        refusals: { ...uploadRefusals, 404: 'The saved reply does not have this picture any more' },
      }),
      requirePermission('messages.send'),
      valid('param', pictureCopyParam),
      async (c) => {
        const { id: replyId, picture: pictureId, copy: id } = c.req.valid('param')
        const { signal } = c.req.raw
        const copied = await pictures.copy(c.get('staff').id, { replyId, pictureId, id, signal })
        if (copied === 'pictureGone')
          return refuse(c, 404, 'This picture was removed from the saved reply', 'PICTURE_GONE')
        if (typeof copied === 'string') return refuseUpload(c, copied)
        return c.json({ success: true, data: copied } satisfies z.infer<typeof outgoingFileAnswer>)
      },
    )
    .post(
      '/:id/used',
      described({
        tag,
        takesBody: true,
        summary: 'Count the use in a message that the person has sent; each message counts once',
        answer: successAnswer,
        refusals: { 404: 'There is no such saved reply, or the person has sent no such message' },
      }),
      requirePermission('messages.send'),
      valid('param', byId),
      valid('json', usedReplyBody),
      async (c) => {
        const use = { id: c.req.valid('param').id, key: c.req.valid('json').key, staffId: c.get('staff').id }
        if (!(await inTransaction(db, (trx) => countUse(trx, use))))
          return refuse(c, 404, 'There is no such saved reply or sent message')
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
}
