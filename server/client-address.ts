import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/** A request whose connection has no address any more, because it was closed meanwhile. */
export const unknownAddress = 'unknown'

/** Each trusted proxy appends one entry to X-Forwarded-For; entries further left can be forged by the client. */
function addressFrom(trustedProxies: number, forwardedFor: string | undefined, remote: string | undefined): string {
  const forwarded = (forwardedFor ?? '').split(',').map((entry) => entry.trim())
  const entry = trustedProxies > 0 ? forwarded.at(-trustedProxies) : undefined
  return entry !== undefined && isIP(entry) !== 0 ? entry : (remote ?? unknownAddress)
}

/** The client's IP address. */
export const clientAddress =
  (trustedProxies: number) =>
  (c: Context): string =>
    addressFrom(trustedProxies, c.req.header('x-forwarded-for'), getConnInfo(c).remote.address)

/** The client's IP address of a request that does not reach the routes, such as a WebSocket upgrade. */
export const clientAddressOfRequest =
  (trustedProxies: number) =>
  ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    // Node joins repeated headers of this name with commas.
    const forwardedFor = headers['x-forwarded-for']
    return addressFrom(trustedProxies, forwardedFor?.toString(), socket.remoteAddress)
  }

/**
 * What counts as one address in limits: an IPv4 address, or the /64 of an IPv6 address, because a provider gives each
 * customer at least that many.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const withoutZone = address.replace(/%.*$/, '')
  // The parser writes every form of an address in one way: lower case, hexadecimal, at most one '::'.
  const compressed = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const [head = [], tail] = compressed.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = tail === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0')
  const groups = [...head, ...zeros, ...(tail ?? [])]
  const isMappedIPv4 = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  if (!isMappedIPv4) return `${groups.slice(0, 4).join(':')}::/64`
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
  return bytes.join('.')
}
