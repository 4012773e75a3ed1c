import { isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/**
 * The address a request comes from. Behind proxies the socket's is the last proxy's own; each of them appends the one it
 * was asked from to X-Forwarded-For, and only as many entries as there are trusted proxies are theirs to write.
 */
export const clientAddress =
  (trustedProxies: number) =>
  (c: Context): string => {
    const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').map((entry) => entry.trim())
    const named = trustedProxies > 0 ? forwarded.at(-trustedProxies) : undefined
    return named !== undefined && isIP(named) !== 0 ? named : (getConnInfo(c).remote.address ?? 'unknown')
  }
