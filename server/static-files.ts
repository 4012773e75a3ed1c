import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'

/**
 * The built single-page application. Files under /assets carry their content in their name and are kept for a year;
 * every other address of a page answers index.html, which is asked for anew each time.
 */
export function createStaticFiles(directory: string): Hono {
  const kept = (path: string, c: Context) => {
    c.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  }
  const app = new Hono()
  app.use('*', serveStatic({ root: directory, onFound: kept }))
  app.get('/assets/*', (c) => c.text('Not found', 404))
  app.get('*', async (c, next) => {
    if (!existsSync(join(directory, 'index.html'))) {
      return c.text('The pages are not built yet: run npm run build.', 503)
    }
    return serveStatic({ root: directory, path: 'index.html', onFound: kept })(c, next)
  })
  return app
}
