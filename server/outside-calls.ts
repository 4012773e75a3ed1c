import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

/** `retryAfter`: the seconds of the header of this name. */
export type OutsideAnswer = { status: number; retryAfter: number | null }

/** Of a post. Milliseconds. */
const timeout = 10_000

type OutsideRequest = {
  method: string
  headers: Record<string, string | number>
  body?: Buffer | string | undefined
  signal: AbortSignal
  /** Refuses addresses that must not be called; undefined for a host that is trusted. */
  lookup: LookupFunction | undefined
}

/**
 * Calls a server that this program does not know, on a connection of its own. Rejects without an answer. Follows no
 * redirect. The caller must read or destroy the response.
 */
export async function requestOutside(
  url: URL,
  { method, headers, body, signal, lookup }: OutsideRequest,
): Promise<IncomingMessage> {
  const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method,
    agent: false,
    signal,
    headers,
    ...(lookup === undefined ? {} : { lookup }),
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.end(body)
  const [response] = await answered
  return response
}

type OutsidePost = Pick<OutsideRequest, 'headers' | 'lookup'> & { url: URL; body: Buffer | string }

/** Like `requestOutside`, and reads no body. */
export async function postOutside({ url, ...request }: OutsidePost): Promise<OutsideAnswer> {
  const response = await requestOutside(url, { ...request, method: 'POST', signal: AbortSignal.timeout(timeout) })
  response.destroy()
  const seconds = Number(response.headers['retry-after'] ?? Number.NaN)
  return { status: response.statusCode ?? 0, retryAfter: Number.isFinite(seconds) ? Math.max(0, seconds) : null }
}
