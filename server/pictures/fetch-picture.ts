import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns'
import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isPictureSource, isPublicAddress } from './image-hosts.ts'
import { detectPictureType } from './picture-type.ts'

type Picture = { bytes: Uint8Array<ArrayBuffer>; type: string }

/** Why a picture was not fetched. The URL is never part of the message, because it may be signed. */
export type PictureFault =
  | 'source not allowed'
  | 'private address'
  | 'too many redirects'
  | 'too large'
  | 'not a picture'
  | 'gone'
  | 'no answer'

export class PictureRefused extends Error {
  override readonly name = 'PictureRefused'
  readonly fault: PictureFault

  constructor(fault: PictureFault) {
    super(`A picture was not fetched: ${fault}`)
    this.fault = fault
  }
}

export type FetchPicture = (address: string) => Promise<Picture>

type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const maxRedirects = 3
const goneStatuses = new Set([401, 403, 404, 410])

/**
 * Fetches pictures from the network's image hosts and trusted origins only; this also applies to redirects. The resolved
 * IP address is checked when connecting, so that a host name cannot point to a private address (SSRF). Throws
 * PictureRefused.
 */
export function createFetchPicture({
  trustedOrigins,
  maxBytes = 8 * 1024 * 1024,
  timeout = 10_000,
  lookup = systemLookup,
}: {
  trustedOrigins: readonly string[]
  /** Bytes. */
  maxBytes?: number
  /** Milliseconds in total, including redirects. */
  timeout?: number
  lookup?: Lookup
}): FetchPicture {
  const publicLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) callback(error ?? new PictureRefused('no answer'), '')
      else if (!addresses.every(({ address }) => isPublicAddress(address)))
        callback(new PictureRefused('private address'), '')
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

  async function request(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      agent: false,
      signal,
      headers: { accept: 'image/*', 'accept-encoding': 'identity' },
      ...(trustedOrigins.includes(url.origin) ? {} : { lookup: publicLookup }),
    })
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
    outgoing.end()
    const [response] = await answered
    return response
  }

  async function read(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new PictureRefused('too large')
      chunks.push(chunk)
    }
    return new Uint8Array(Buffer.concat(chunks))
  }

  async function follow(address: string, signal: AbortSignal): Promise<Picture> {
    let url = URL.parse(address)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      if (url === null || !isPictureSource(url, trustedOrigins)) throw new PictureRefused('source not allowed')
      const response = await request(url, signal)
      try {
        const status = response.statusCode ?? 0
        const { location } = response.headers
        if (status >= 300 && status < 400 && location !== undefined) {
          url = URL.parse(location, url)
          continue
        }
        if (goneStatuses.has(status)) throw new PictureRefused('gone')
        if (status !== 200) throw new PictureRefused('no answer')
        if (!/^image\//i.test(response.headers['content-type'] ?? '')) throw new PictureRefused('not a picture')
        const bytes = await read(response)
        const type = detectPictureType(bytes)
        if (type === null) throw new PictureRefused('not a picture')
        return { bytes, type }
      } finally {
        response.destroy()
      }
    }
    throw new PictureRefused('too many redirects')
  }

  return async (address) => {
    try {
      return await follow(address, AbortSignal.timeout(timeout))
    } catch (error) {
      throw error instanceof PictureRefused ? error : new PictureRefused('no answer')
    }
  }
}
