import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { publicLookupOf } from '../pictures/open-source.ts'

/** The push services of Chrome, Edge (also Windows), Firefox and Safari. */
const serviceHosts = ['fcm.googleapis.com', 'notify.windows.com', 'push.services.mozilla.com', 'push.apple.com']

/**
 * Whether an endpoint belongs to a push service. The endpoint comes from a browser, so the server must not call any other
 * address (SSRF). `origins`: further push services.
 */
export function isPushService(endpoint: string, origins: readonly string[]): boolean {
  const url = URL.parse(endpoint)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (origins.includes(url.origin)) return true
  if (url.protocol !== 'https:' || url.port !== '') return false
  return serviceHosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
}

type PushRequest = { endpoint: string; headers: Record<string, string | number>; body: Buffer }
/** `retryAfter`: the seconds of the header of this name. */
export type PushAnswer = { status: number; retryAfter: number | null }
export type Post = (request: PushRequest) => Promise<PushAnswer>

/** Milliseconds. */
const timeout = 10_000

/** Posts to push services. Rejects without an answer. Follows no redirect and reads no body. */
export function createPost({
  origins,
  lookup = publicLookupOf(),
}: {
  origins: readonly string[]
  lookup?: LookupFunction
}): Post {
  return async ({ endpoint, headers, body }) => {
    // The settings may have changed since the subscription.
    if (!isPushService(endpoint, origins)) return { status: 410, retryAfter: null }
    const url = new URL(endpoint)
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(timeout),
      headers,
      ...(origins.includes(url.origin) ? {} : { lookup }),
    })
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
    outgoing.end(body)
    const [response] = await answered
    response.destroy()
    const seconds = Number(response.headers['retry-after'] ?? Number.NaN)
    return { status: response.statusCode ?? 0, retryAfter: Number.isFinite(seconds) ? Math.max(0, seconds) : null }
  }
}
