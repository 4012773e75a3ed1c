import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'
import type { Registry } from 'prom-client'
import { refuse } from '../api/answers.ts'
import { bearerToken } from '../api/authentication.ts'
import { sameSecret } from '../network/webhooks/signature.ts'
import type { Readiness } from './readiness.ts'

/**
 * What load balancers and Prometheus ask, to be mounted at /. The metrics are not public: they need METRICS_TOKEN as the
 * bearer token or, if none is set, a direct connection from this machine. All other callers get 404.
 */
export function createOperationsRoutes({
  readiness,
  registry,
  metricsToken,
  trustedProxies,
}: {
  readiness: () => Promise<Readiness>
  registry: Pick<Registry, 'metrics' | 'contentType'>
  metricsToken: string | undefined
  trustedProxies: number
}): Hono {
  const mayReadMetrics = (c: Context): boolean => {
    if (metricsToken !== undefined) return sameSecret(bearerToken(c.req.header('authorization')) ?? '', metricsToken)
    // A proxy on this machine connects from here too.
    return trustedProxies === 0 && !forwardedHeaders.some((name) => c.req.header(name) !== undefined) && isFromHere(c)
  }

  return new Hono()
    .get('/api/ready', async (c) => {
      const parts = await readiness()
      const failed = Object.entries(parts).filter(([, state]) => state === 'failed')
      c.header('cache-control', 'no-store')
      if (failed.length === 0) return c.json({ success: true, data: parts })
      const error = `Not ready: ${failed.map(([part]) => part).join(', ')}`
      return c.json({ success: false, error, data: parts }, 503)
    })
    .get('/metrics', async (c) => {
      if (!mayReadMetrics(c)) return refuse(c, 404, 'Not found')
      return c.text(await registry.metrics(), 200, {
        'content-type': registry.contentType,
        'cache-control': 'no-store',
      })
    })
}

const forwardedHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

function isFromHere(c: Context): boolean {
  const address = getConnInfo(c).remote.address ?? ''
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
