import { Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { type ApiParts, createApi } from './api/api.ts'
import { unexpectedError } from './api/errors.ts'
import { picturesPath } from './pictures/picture-addresses.ts'
import { securityHeaders } from './security-headers.ts'
import { shopWebhooksPath } from './shops/start-shops.ts'
import { createStaticFiles } from './static-files.ts'

export type AppParts = {
  api: ApiParts
  /** The stand-in for Supabase Auth; undefined with a real project. */
  supabaseAuth: Hono | undefined
  webhooks: Hono
  /** The webhooks of shops. */
  shopWebhooks: Hono
  /** The proxy for the network's pictures. */
  pictures: Hono
  /** The stand-in network; undefined with the real one. */
  sandbox: Hono | undefined
  /** The stand-ins of shops; undefined with the real network. */
  shopStandIns: Hono | undefined
  /** The built single-page application. */
  spaDirectory: string
  /** Whether the source maps of the application are public. */
  sourceMaps: boolean
  /** `measure` sees every request; `routes` are mounted at /. */
  operations: { measure: MiddlewareHandler; routes: Hono }
  /** Other origins that the application calls. */
  connectTo: string[]
}

/** All HTTP routes. Realtime's WebSockets are attached to the HTTP server instead. */
export function createApp({
  api,
  supabaseAuth,
  webhooks,
  shopWebhooks,
  pictures,
  sandbox,
  shopStandIns,
  spaDirectory,
  sourceMaps,
  operations,
  connectTo,
}: AppParts): Hono {
  const app = new Hono()
  app.use(operations.measure)
  app.use(securityHeaders(connectTo))
  app.use(compress())
  app.route('/', operations.routes)
  app.route('/api', createApi(api))
  if (supabaseAuth !== undefined) app.route('/auth/v1', supabaseAuth)
  app.route('/webhooks/meta', webhooks)
  app.route(shopWebhooksPath, shopWebhooks)
  app.route(picturesPath, pictures)
  if (shopStandIns !== undefined) app.route('/sandbox/shops', shopStandIns)
  if (sandbox !== undefined) app.route('/sandbox', sandbox)
  for (const path of ['/auth/*', '/webhooks/*', '/sandbox/*', '/realtime/*', `${picturesPath}/*`]) {
    app.all(path, (c) => c.json({ success: false, error: 'Not found' }, 404))
  }
  app.route('/', createStaticFiles(spaDirectory, { sourceMaps }))
  app.onError(unexpectedError(api.logger))
  return app
}
