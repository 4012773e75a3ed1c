import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { requestOutside } from '../outside-calls.ts'
import { isPictureSource, isPublicAddress } from './image-hosts.ts'

/** Why a file was not fetched. The URL is never part of the message, because it may be signed. */
export type FetchFault =
  | 'source not allowed'
  | 'private address'
  | 'too many redirects'
  | 'too large'
  | 'not a picture'
  | 'a program'
  | 'gone'
  | 'no answer'

export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
  readonly fault: FetchFault

  constructor(fault: FetchFault) {
    super(`A file was not fetched: ${fault}`)
    this.fault = fault
  }
}

export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export type OpenSource = (address: string, signal: AbortSignal) => Promise<IncomingMessage>

const maxRedirects = 3
const goneStatuses = new Set([401, 403, 404, 410])

/**
 * Resolves host names for a connection, and refuses those with an address that is not public (SSRF): the address that
 * was checked is the one that is connected to.
 */
export const publicLookupOf =
  (lookup: Lookup = systemLookup): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) callback(error ?? new FetchRefused('no answer'), '')
      else if (!addresses.every(({ address }) => isPublicAddress(address)))
        callback(new FetchRefused('private address'), '')
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

/**
 * Requests files from the network's hosts and trusted origins only; this also applies to redirects. The resolved IP
 * address is checked when connecting, so that a host name cannot point to a private address (SSRF). Returns a response
 * with status 200, which the caller must read or destroy. Throws FetchRefused, or the error of the connection.
 */
export function createOpenSource({
  trustedOrigins,
  accept,
  lookup,
}: {
  trustedOrigins: readonly string[]
  /** The header of the same name. */
  accept: string
  lookup?: Lookup | undefined
}): OpenSource {
  const publicLookup = publicLookupOf(lookup)

  async function request(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    return requestOutside(url, {
      method: 'GET',
      headers: { accept, 'accept-encoding': 'identity' },
      signal,
      lookup: trustedOrigins.includes(url.origin) ? undefined : publicLookup,
    })
  }

  return async (address, signal) => {
    let url = URL.parse(address)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      if (url === null || !isPictureSource(url, trustedOrigins)) throw new FetchRefused('source not allowed')
      const response = await request(url, signal)
      const status = response.statusCode ?? 0
      if (status === 200) return response
      response.destroy()
      const { location } = response.headers
      if (status < 300 || status >= 400 || location === undefined) {
        throw new FetchRefused(goneStatuses.has(status) ? 'gone' : 'no answer')
      }
      url = URL.parse(location, url)
    }
    throw new FetchRefused('too many redirects')
  }
}
