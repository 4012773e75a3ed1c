import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { fileLimits, fileLimitsShown } from '../../src/domain/send/file-limits.ts'
import { outgoingFileAnswer, outgoingFileParam, outgoingFileQuery } from '../../src/schemas/outgoing-file.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import type { OutgoingFiles, UploadProblem } from '../files/outgoing-files.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Conversations and messages'

const problems: Readonly<Record<UploadProblem, { status: 400 | 409 | 413 | 422 | 429; error: string; code: string }>> =
  {
    taken: { status: 409, error: 'This id belongs to another file', code: 'FILE_TAKEN' },
    full: { status: 429, error: 'Too many files wait to be sent. Send or remove some first.', code: 'TOO_MANY_FILES' },
    tooLarge: {
      status: 413,
      error: `The file is too large: at most ${fileLimitsShown.other} MB`,
      code: 'FILE_TOO_LARGE',
    },
    program: { status: 422, error: 'Programs cannot be sent', code: 'FILE_NOT_ACCEPTED' },
    empty: { status: 400, error: 'The file is empty', code: 'FILE_EMPTY' },
    removed: { status: 409, error: 'The file was removed before it was stored', code: 'FILE_REMOVED' },
  }

export const refuseUpload = (c: Context, problem: UploadProblem) => {
  const { status, error, code } = problems[problem]
  return refuse(c, status, error, code)
}

export const uploadRefusals = {
  409: 'The id belongs to another file, or the file was removed before it was stored',
  429: 'The person has too many files that were not sent',
} as const

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The path of an upload, whose body is larger than other bodies may be. */
export const isUpload = (c: Context): boolean =>
  c.req.method === 'PUT' && c.req.path.includes('/facebook/outgoing-files/')

/** Files that staff are about to send (feature 'files'), to be mounted at /api/facebook. */
export const createOutgoingFileRoutes = ({ files }: { files: Pick<OutgoingFiles, 'receive' | 'discard'> }) =>
  new Hono<Authenticated>()
    .put(
      '/outgoing-files/:id',
      described({
        tag,
        takesBody: true,
        bodyType: '*/*',
        summary:
          'Upload a file to send it: the bytes of the file are the body; repeated with the same id it is stored once',
        answer: outgoingFileAnswer,
        refusals: { ...uploadRefusals, 422: 'The file is a program' },
      }),
      requirePermission('messages.send'),
      valid('param', outgoingFileParam),
      valid('query', outgoingFileQuery),
      async (c) => {
        if (Number(c.req.header('content-length') ?? 0) > fileLimits.other) return refuseUpload(c, 'tooLarge')
        const received = await files.receive(c.get('staff').id, {
          id: c.req.valid('param').id,
          name: c.req.valid('query').name ?? null,
          declaredType: c.req.header('content-type') ?? '',
          content: c.req.raw.body ?? nothing(),
          signal: c.req.raw.signal,
        })
        if (typeof received === 'string') return refuseUpload(c, received)
        return c.json({ success: true, data: received } satisfies z.infer<typeof outgoingFileAnswer>)
      },
    )
    .delete(
      '/outgoing-files/:id',
      described({ tag, summary: 'Delete an uploaded file that will not be sent; idempotent', answer: successAnswer }),
      requirePermission('messages.send'),
      valid('param', outgoingFileParam),
      async (c) => {
        await files.discard(c.get('staff').id, c.req.valid('param').id)
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
