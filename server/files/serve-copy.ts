import type { Context } from 'hono'
import { codeOf } from '../database/transaction.ts'
import type { Logger } from '../logger.ts'
import type { ByteRange, FileStore } from './file-store.ts'
import { isSafeInline } from './file-type.ts'
import { isOutgoingSource } from './outgoing-files.ts'
import type { StoredFile } from './stored-files.ts'

const cacheControl = 'private, max-age=604800, immutable'

/**
 * Answers a request for a file of a message, or one that staff are about to send: with its copy, or, while there is
 * none, with a redirect to the network. Null if the proxy for pictures is to answer: the address belongs to no message,
 * or to a picture without a copy.
 */
export function createServeCopy({
  files,
  store,
  logger,
}: {
  files: { find(source: string): Promise<StoredFile | null> }
  store: Pick<FileStore, 'open'>
  logger: Pick<Logger, 'error'>
}) {
  async function respond(c: Context, name: string | null, copy: Copy): Promise<Response | null> {
    const etag = `"${copy.sha256}"`
    const headers = {
      'content-type': copy.contentType,
      'content-disposition': isSafeInline(copy.contentType) ? 'inline' : downloadNamed(name),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': cacheControl,
      'accept-ranges': 'bytes',
      etag,
    }
    if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
    const range = rangeOf(c, copy.bytes, etag)
    if (range === 'not satisfiable') return c.body(null, 416, { 'content-range': `bytes */${copy.bytes}` })
    const length = range === null ? copy.bytes : range.end - range.start + 1
    const part = range === null ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${copy.bytes}` }
    const status = range === null ? 200 : 206
    const all = { ...headers, ...part, 'content-length': String(length) }
    if (c.req.method === 'HEAD') return c.body(null, status, all)
    const content = await store.open(copy.storageKey, range ?? undefined)
    return content === null ? null : c.body(content, status, all)
  }

  return async (c: Context, source: string): Promise<Response | null> => {
    const file = await files.find(source)
    const gone = isOutgoingSource(source) ? c.body(null, 410) : null
    if (file === null) return gone
    if (file.copy !== null) {
      const response = await respond(c, file.name, file.copy).catch((error: unknown) => {
        logger.error({ reason: codeOf(error) }, 'reading a stored file failed')
        return null
      })
      if (response !== null) return response
    }
    if (gone !== null || file.kind === 'image') return gone
    return c.redirect(source, 302)
  }
}

type Copy = NonNullable<StoredFile['copy']>

/** The requested part of a file; null: the whole file. Several parts are answered with the whole file, as HTTP allows. */
function rangeOf(c: Context, bytes: number, etag: string): ByteRange | 'not satisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(c.req.header('range') ?? '') ?? []
  if (first === '' && last === '') return null
  if ((c.req.header('if-range') ?? etag) !== etag) return null
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  return start > end ? 'not satisfiable' : { start, end }
}

/** RFC 6266. */
function downloadNamed(name: string | null): string {
  if (name === null) return 'attachment'
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename*=UTF-8''${encoded}`
}
