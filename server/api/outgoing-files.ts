import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { fileLimits, fileLimitsShown, partBytes } from '../../src/domain/send/file-limits.ts'
import {
  completionBody,
  outgoingFileAnswer,
  outgoingFileParam,
  outgoingFileQuery,
  partParam,
  partsAnswer,
  partsBody,
} from '../../src/schemas/outgoing-file.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import type { OutgoingFiles } from '../files/outgoing-files.ts'
import type { PartProblem } from '../files/upload-parts.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Conversations and messages'

type Refusal = { status: 400 | 404 | 409 | 413 | 422 | 429; error: string; code: string }

const problems: Readonly<Record<PartProblem, Refusal>> = {
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
  gone: { status: 404, error: 'This upload has ended. Try again.', code: 'UPLOAD_GONE' },
  badPart: { status: 400, error: 'The part has a wrong number or size', code: 'BAD_PART' },
  missingParts: { status: 409, error: 'Parts of the file are missing', code: 'PARTS_MISSING' },
  damaged: { status: 422, error: 'The file was damaged on the way. Try again.', code: 'FILE_DAMAGED' },
}

export const refuseUpload = (c: Context, problem: PartProblem) => {
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
export const createOutgoingFileRoutes = ({ files }: { files: Pick<OutgoingFiles, 'receive' | 'discard' | 'parts'> }) =>
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
    .post(
      '/outgoing-files/:id/parts',
      described({
        tag,
        takesBody: true,
        summary: 'Begin to upload a large file in parts, or ask which parts have arrived',
        answer: partsAnswer,
        refusals: {
          409: 'The id belongs to another file',
          413: 'The file is too large',
          429: 'The person has too many files that were not sent',
        },
      }),
      requirePermission('messages.send'),
      valid('param', outgoingFileParam),
      valid('json', partsBody),
      async (c) => {
        const upload = { id: c.req.valid('param').id, ...c.req.valid('json') }
        const begun = await files.parts.begin(c.get('staff').id, upload, c.req.raw.signal)
        if (typeof begun === 'string') return refuseUpload(c, begun)
        return c.json({ success: true, data: begun } satisfies z.infer<typeof partsAnswer>)
      },
    )
    .put(
      '/outgoing-files/:id/parts/:number',
      described({
        tag,
        takesBody: true,
        bodyType: '*/*',
        summary: 'Upload a part of a file: its bytes are the body; repeated, it is stored once',
        answer: successAnswer,
        refusals: { 400: 'The number or the size of the part is wrong', 404: 'No such upload is under way' },
      }),
      requirePermission('messages.send'),
      valid('param', partParam),
      async (c) => {
        if (Number(c.req.header('content-length') ?? 0) > partBytes) return refuseUpload(c, 'badPart')
        const { id, number } = c.req.valid('param')
        const problem = await files.parts.receive(c.get('staff').id, id, number, {
          content: c.req.raw.body ?? nothing(),
          signal: c.req.raw.signal,
        })
        if (problem !== null) return refuseUpload(c, problem)
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
    .post(
      '/outgoing-files/:id/completion',
      described({
        tag,
        takesBody: true,
        summary: 'Join the parts of a file after the last one has arrived; repeated, the answer is the same',
        answer: outgoingFileAnswer,
        refusals: {
          404: 'No such upload is under way',
          409: 'Parts are missing, or the id belongs to another file',
          422: 'The file is a program, or it has another hash',
        },
      }),
      requirePermission('messages.send'),
      valid('param', outgoingFileParam),
      valid('json', completionBody),
      async (c) => {
        const { sha256, type } = c.req.valid('json')
        const file = await files.parts.complete(
          c.get('staff').id,
          c.req.valid('param').id,
          { sha256, declaredType: type },
          c.req.raw.signal,
        )
        if (typeof file === 'string') return refuseUpload(c, file)
        return c.json({ success: true, data: file } satisfies z.infer<typeof outgoingFileAnswer>)
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
