import { Hono } from 'hono'
import { hasPictureEnded } from '../../src/domain/list/picture-age.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { type FetchPicture, PictureRefused } from './fetch-picture.ts'
import { type PictureAddresses, picturesPath } from './picture-addresses.ts'

const kept = 'private, max-age=604800, immutable'

/**
 * Pictures of the network from the server's own origin, to be mounted at /pictures. One whose source has expired leads
 * to its successor; `renew` gets the own address and finds it, or null.
 */
export function createPictureRoutes({
  addresses,
  fetchPicture,
  renew,
  clock,
  logger,
}: {
  addresses: Pick<PictureAddresses, 'sourceOf'>
  fetchPicture: FetchPicture
  renew: (address: string) => Promise<string | null>
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'warn'>
}): Hono {
  const app = new Hono()
  app.get('/:sealed', async (c) => {
    c.header('cache-control', 'no-store')
    const sealed = c.req.param('sealed')
    const source = addresses.sourceOf(sealed)
    if (source === null) return c.body(null, 404)

    const successor = async () => {
      const address = await renew(`${picturesPath}/${sealed}`)
      return address === null ? c.body(null, 410) : c.redirect(address, 302)
    }
    if (hasPictureEnded(source, clock.now())) return successor()
    try {
      const { bytes, type } = await fetchPicture(source)
      return c.body(bytes, 200, { 'content-type': type, 'cache-control': kept })
    } catch (error) {
      if (!(error instanceof PictureRefused)) throw error
      if (error.fault === 'gone') return successor()
      logger.warn({ fault: error.fault }, 'A picture could not be fetched')
      return c.body(null, 502)
    }
  })
  return app
}
