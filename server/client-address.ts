import { isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/**
 * The client's IP address. Each trusted proxy appends one entry to X-Forwarded-For; entries further left can be forged by
 * the client.
 */
export const clientAddress =
  (trustedProxies: number) =>
  (c: Context): string => {
    const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').map((entry) => entry.trim())
    const entry = trustedProxies > 0 ? forwarded.at(-trustedProxies) : undefined
    return entry !== undefined && isIP(entry) !== 0 ? entry : (getConnInfo(c).remote.address ?? 'unknown')
  }
