import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import type { MediaKind, SandboxFile } from './media.ts'
import type { SandboxPerson } from './network.ts'
import { refusals } from './refusals.ts'
import type { SandboxDb } from './tables.ts'

const maxBytes: Record<MediaKind, number> = { image: 8_000_000, video: 25_000_000, audio: 25_000_000, file: 25_000_000 }
/** Milliseconds. */
const timeout = 10_000

export type SentFiles = ReturnType<typeof createSentFiles>

/** The files that the app sends. As the real network does, the sandbox fetches each from its URL and keeps a copy. */
export function createSentFiles({
  db,
  origin,
}: {
  db: SandboxDb
  /** Only files of this origin are fetched. */
  origin: () => string
}) {
  async function download(url: string): Promise<{ content: Uint8Array; mimeType: string }> {
    if (URL.parse(url)?.origin !== origin()) throw refusals.fileNotFetched()
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeout), redirect: 'error' })
      if (response.status !== 200) throw refusals.fileNotFetched()
      const mimeType = response.headers.get('content-type') ?? 'application/octet-stream'
      return { content: new Uint8Array(await response.arrayBuffer()), mimeType }
    } catch {
      throw refusals.fileNotFetched()
    }
  }

  return {
    async fetched(platform: SandboxPerson['platform'], kind: MediaKind, url: string): Promise<SandboxFile> {
      const { content, mimeType } = await download(url)
      const isKnown = platform === 'messenger' || kind !== 'file' || mimeType === 'application/pdf'
      if (!isKnown || content.length > maxBytes[kind] || (kind !== 'file' && !mimeType.startsWith(`${kind}/`))) {
        throw refusals.badParameter('The type or the size of the attachment is not supported')
      }
      const name = `${kind}-${randomBytes(4).toString('hex')}.${mimeType.split('/')[1] ?? 'bin'}`
      const path = `sent/${name}`
      await db.insertInto('sandbox.files').values({ path, mime_type: mimeType, content }).execute()
      return { kind, name, size: content.length, mimeType, path }
    },

    /** To be mounted at /sandbox/media/sent. */
    routes: new Hono().get('/:name', async (c) => {
      const file = await db
        .selectFrom('sandbox.files')
        .selectAll()
        .where('path', '=', `sent/${c.req.param('name')}`)
        .executeTakeFirst()
      if (file === undefined) return c.notFound()
      return c.body(new Uint8Array(file.content), 200, {
        'content-type': file.mime_type,
        'content-disposition': /^(image|audio|video)\//.test(file.mime_type) ? 'inline' : 'attachment',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
    }),
  }
}
