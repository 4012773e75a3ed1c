import { type Context, Hono } from 'hono'
import { hasPictureEnded } from '../../src/domain/list/picture-address.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { FetchPicture } from './fetch-picture.ts'
import { FetchRefused } from './open-source.ts'
import { type PictureAddresses, picturesPath } from './picture-addresses.ts'

const cacheControl = 'private, max-age=604800, immutable'

/**
 * The proxy for the network's files, to be mounted at /pictures. A file of a message comes from its copy (`serveCopy`,
 * null: the address is that of a picture without a copy). If the source of a picture has expired, redirects to its
 * replacement: `refresh` takes the proxy URL and returns the new one, or null.
 */
export function createPictureRoutes({
  addresses,
  serveCopy,
  fetchPicture,
  refresh,
  clock,
  logger,
}: {
  addresses: Pick<PictureAddresses, 'sourceOf'>
  serveCopy: (c: Context, source: string) => Promise<Response | null>
  fetchPicture: FetchPicture
  refresh: (address: string) => Promise<string | null>
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'warn'>
}): Hono {
  const app = new Hono()
  app.get('/:encrypted', async (c) => {
    c.header('cache-control', 'no-store')
    const encrypted = c.req.param('encrypted')
    const source = addresses.sourceOf(encrypted)
    if (source === null) return c.body(null, 404)
    const copy = await serveCopy(c, source)
    if (copy !== null) return copy

    const successor = async () => {
      const address = await refresh(`${picturesPath}/${encrypted}`)
      return address === null ? c.body(null, 410) : c.redirect(address, 302)
    }
    if (hasPictureEnded(source, clock.now())) return successor()
    try {
      const { bytes, type } = await fetchPicture(source)
      return c.body(bytes, 200, { 'content-type': type, 'cache-control': cacheControl })
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error
      if (error.fault === 'gone') return successor()
      logger.warn({ fault: error.fault }, 'fetching a picture failed')
      return c.body(null, 502)
    }
  })
  return app
}
