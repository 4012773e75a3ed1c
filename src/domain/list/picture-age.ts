/**
 * When a picture's address from the network's image hosts ends, in milliseconds; null where it does not say: `oe` is
 * hex unix seconds beside a signature `oh`, `ext` decimal unix seconds (spec section 5).
 */
export function pictureEnd(address: string): number | null {
  const query = URL.parse(address)?.searchParams
  const signed = query?.has('oh') ? /^[0-9a-f]{1,12}$/i.exec(query.get('oe') ?? '') : null
  if (signed) return Number.parseInt(signed[0], 16) * 1000
  const plain = /^\d{1,14}$/.exec(query?.get('ext') ?? '')
  return plain ? Number(plain[0]) * 1000 : null
}

/** Whether a picture's address is past its end; `now` in milliseconds. */
export const hasPictureEnded = (address: string, now: number): boolean => {
  const end = pictureEnd(address)
  return end !== null && end <= now
}

/** Where the network keeps pictures; their subdomains too. */
export const imageHosts = ['fbcdn.net', 'fbsbx.com', 'cdninstagram.com'] as const

const isOnImageHost = (address: string): boolean => {
  const host = URL.parse(address)?.hostname
  return host !== undefined && imageHosts.some((known) => host === known || host.endsWith(`.${known}`))
}

/** Whether an address is one of the network's own image hosts' and past its end; `now` in milliseconds. */
export const looksExpired = (address: string, now: number): boolean =>
  hasPictureEnded(address, now) && isOnImageHost(address)

/** Whether an address is one of the network's own image hosts' and says when it ends. */
export const endsInTime = (address: string): boolean => pictureEnd(address) !== null && isOnImageHost(address)

/**
 * The address at which a page's picture is loaded (spec section 2, Page Manager): through the proxy where the picture is
 * on the network's image hosts. `proxy` is an address in which `{url}` stands for that of the picture; null is no proxy.
 */
export const pagePictureAddress = (address: string, proxy: string | null): string =>
  proxy !== null && isOnImageHost(address) ? proxy.replaceAll('{url}', () => encodeURIComponent(address)) : address
