import type { LookupFunction } from 'node:net'
import { type OutsideAnswer, postOutside } from '../outside-calls.ts'
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
export type PushAnswer = OutsideAnswer
export type Post = (request: PushRequest) => Promise<PushAnswer>

/** Posts to push services. Rejects without an answer. */
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
    return postOutside({ url, headers, body, lookup: origins.includes(url.origin) ? undefined : lookup })
  }
}
