import type { IncomingMessage } from 'node:http'
import PQueue from 'p-queue'
import type { Clock } from '../clock.ts'
import { requestOutside } from '../outside-calls.ts'
import { isPublicUrl } from '../pictures/image-hosts.ts'
import { type Lookup, publicLookupOf } from '../pictures/open-source.ts'
import { ShopError } from './shop-error.ts'

export type ShopRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: URL
  headers: Record<string, string>
  body?: string
}
export type ShopResponse = { status: number; header: (name: string) => string | null; text: string }
/** One call without a retry. Throws ShopError. */
export type ShopFetch = (request: ShopRequest) => Promise<ShopResponse>

/** Milliseconds. */
const timeout = 15_000
/** A page of 250 orders with many items is smaller. */
const maxAnswerBytes = 30 * 1024 * 1024

/**
 * Calls shops over https. The IP address is checked when connecting, so that an address that staff entered cannot reach a
 * private network (SSRF). Redirects are not followed. `standIns`: the base addresses of stand-ins by the origin of the
 * shop that they replace.
 */
export function createShopFetch({
  standIns = new Map(),
  lookup,
}: {
  standIns?: ReadonlyMap<string, string>
  lookup?: Lookup
}): ShopFetch {
  const publicLookup = publicLookupOf(lookup)

  return async ({ method, url: asked, headers, body }) => {
    const standIn = standIns.get(asked.origin)
    const url = standIn === undefined ? asked : new URL(`${standIn}${asked.pathname}${asked.search}`)
    if (standIn === undefined && !mayCall(url)) throw new ShopError('address')
    try {
      const response = await requestOutside(url, {
        method,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          ...headers,
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        },
        body,
        signal: AbortSignal.timeout(timeout),
        lookup: standIn === undefined ? publicLookup : undefined,
      })
      const text = await textOf(response)
      return {
        status: response.statusCode ?? 0,
        header: (name) => {
          const value = response.headers[name]
          return Array.isArray(value) ? value.join(', ') : (value ?? null)
        },
        text,
      }
    } catch {
      throw new ShopError('unreachable')
    }
  }
}

/** Whether a shop may be at this address: a public one, whose host is not a single word. */
export const mayCall = (url: URL): boolean => isPublicUrl(url) && /[.:]/.test(url.hostname)

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxAnswerBytes) {
      response.destroy()
      throw new Error('the answer is too large')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Calls of all shops at the same time, in this process. */
const concurrency = 4
/** The number of times that a call of a job waits for a rate limit, and the longest wait. Milliseconds. */
const maxWaits = 5
const longestWait = 60_000
const defaultWait = 2_000

/**
 * Keeps the rate limits of shops: a call that a limit refuses is repeated after the time that the shop names, and a call
 * that nearly used the limit up delays the next one by `pauseOf`. Throws ShopError 'limited' if a wait is too long.
 */
export function createShopCalls({ fetch, clock }: { fetch: ShopFetch; clock: Clock }) {
  const queue = new PQueue({ concurrency })
  /** When the next call of each shop may begin, by origin. */
  const nextAt = new Map<string, number>()
  const sleep = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve))

  return async (
    request: ShopRequest,
    { pauseOf, isPatient }: { pauseOf: (response: ShopResponse) => number; isPatient: boolean },
  ): Promise<ShopResponse> => {
    const { origin } = request.url
    for (let waits = 0; ; waits++) {
      const pause = (nextAt.get(origin) ?? 0) - clock.now()
      if (pause > 0) await sleep(pause)
      else nextAt.delete(origin)
      const response = (await queue.add(() => fetch(request))) as ShopResponse
      const isLimited = response.status === 429 || response.status === 503
      const wait = isLimited ? waitOf(response.header('retry-after'), clock.now()) : pauseOf(response)
      if (wait > 0) nextAt.set(origin, clock.now() + wait)
      if (!isLimited) return response
      if (!isPatient || waits >= maxWaits || wait > longestWait) throw new ShopError('limited')
    }
  }
}
export type ShopCalls = ReturnType<typeof createShopCalls>

/** Retry-After is a number of seconds or a date. */
function waitOf(header: string | null, now: number): number {
  if (header === null) return defaultWait
  const seconds = Number(header)
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1_000
  return Number.isNaN(wait) ? defaultWait : Math.max(wait, 100)
}
