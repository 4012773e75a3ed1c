import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type MiddlewareHandler } from 'hono'
import { except } from 'hono/combine'
import { etag } from 'hono/etag'

/**
 * Serves the built single-page application. Files under /assets have a content hash in their name and are cached for a
 * year. Every other path returns index.html, and /login returns login.html (scripts/preload.ts); browsers revalidate both
 * by their ETag. A file with a `.br` beside it is sent compressed to clients that accept Brotli. Source maps are not found
 * unless `sourceMaps` is true.
 */
export function createStaticFiles(directory: string, { sourceMaps }: { sourceMaps: boolean }): Hono {
  const app = new Hono()
  app.use(except('/assets/*', etag()))
  app.use(async (c, next) => {
    await next()
    if (!c.res.ok) return
    const isImmutable = c.req.path.startsWith('/assets/')
    c.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
  if (!sourceMaps) app.use((c, next) => (isSourceMap(c.req.path) ? Promise.resolve(c.text('Not found', 404)) : next()))
  app.use(serveStatic({ root: directory, precompressed: true }))
  app.get('/assets/*', (c) => c.text('Not found', 404))
  const sendPage = (page: string): MiddlewareHandler => {
    const send = serveStatic({ root: directory, path: page, precompressed: true })
    return async (c, next) => {
      if (existsSync(join(directory, page))) return send(c, next)
      return c.text('The application is not built yet: run npm run build.', 503)
    }
  }
  app.get('/login', sendPage('login.html'))
  app.get('*', sendPage('index.html'))
  return app
}

/** `path` may be percent-encoded, and is decoded as the file server does. */
function isSourceMap(path: string): boolean {
  try {
    return /\.map(\.br)?$/i.test(decodeURI(path))
  } catch {
    return false
  }
}
