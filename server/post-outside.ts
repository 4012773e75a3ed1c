import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

/** `retryAfter`: the seconds of the header of this name. */
export type OutsideAnswer = { status: number; retryAfter: number | null }

/** Milliseconds. */
const timeout = 10_000

/**
 * Posts to a server that this program does not know. Rejects without an answer. Follows no redirect and reads no body.
 * `lookup`: refuses addresses that must not be called; undefined for a host that is trusted.
 */
export async function postOutside({
  url,
  headers,
  body,
  lookup,
}: {
  url: URL
  headers: Record<string, string | number>
  body: Buffer | string
  lookup: LookupFunction | undefined
}): Promise<OutsideAnswer> {
  const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    agent: false,
    signal: AbortSignal.timeout(timeout),
    headers,
    ...(lookup === undefined ? {} : { lookup }),
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.end(body)
  const [response] = await answered
  response.destroy()
  const seconds = Number(response.headers['retry-after'] ?? Number.NaN)
  return { status: response.statusCode ?? 0, retryAfter: Number.isFinite(seconds) ? Math.max(0, seconds) : null }
}
