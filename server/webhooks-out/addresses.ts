import type { LookupFunction } from 'node:net'
import { type OutsideAnswer, postOutside } from '../outside-calls.ts'
import { isPublicUrl } from '../pictures/image-hosts.ts'
import { publicLookupOf } from '../pictures/open-source.ts'

/**
 * Whether events may be posted to an address: https at a host that is not a private IP address, or an origin that the
 * operator allows (WEBHOOK_ORIGINS). What a host name points to is checked when connecting.
 */
export function isAllowedAddress(address: string, origins: readonly string[]): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  return origins.includes(url.origin) || isPublicUrl(url)
}

/** The host of an endpoint, for logs: the rest of an address may contain a secret. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

type WebhookRequest = { url: string; headers: Record<string, string>; body: string }

/** Why an attempt failed without an answer. */
class NotPosted extends Error {
  readonly code: string

  constructor(code: string) {
    super(`An event was not posted: ${code}`)
    this.code = code
  }
}

export type PostWebhook = (request: WebhookRequest) => Promise<OutsideAnswer>

/** Posts to endpoints. Rejects without an answer, with a `code`. Follows no redirect and reads no body. */
export function createPostWebhook({
  origins,
  lookup = publicLookupOf(),
}: {
  origins: readonly string[]
  lookup?: LookupFunction
}): PostWebhook {
  return async ({ url: address, headers, body }) => {
    // The settings may have changed since the endpoint was stored.
    if (!isAllowedAddress(address, origins)) throw new NotPosted('address_not_allowed')
    const url = new URL(address)
    return postOutside({ url, headers, body, lookup: origins.includes(url.origin) ? undefined : lookup })
  }
}
