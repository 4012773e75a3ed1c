/**
 * The expiry time in milliseconds of a picture address on the network's image hosts, or null if the address has none.
 * `oe` is in hexadecimal Unix seconds and comes with the signature `oh`; `ext` is in decimal Unix seconds (spec section
 * 5).
 */
export function pictureEnd(address: string): number | null {
  const query = URL.parse(address)?.searchParams
  const signed = query?.has('oh') ? /^[0-9a-f]{1,12}$/i.exec(query.get('oe') ?? '') : null
  if (signed) return Number.parseInt(signed[0], 16) * 1000
  const plain = /^\d{1,14}$/.exec(query?.get('ext') ?? '')
  return plain ? Number(plain[0]) * 1000 : null
}

/** Whether a picture address has expired; `now` in milliseconds. */
export const hasPictureEnded = (address: string, now: number): boolean => {
  const end = pictureEnd(address)
  return end !== null && end <= now
}

/** The network's image hosts; their subdomains count too. */
export const imageHosts = ['fbcdn.net', 'fbsbx.com', 'cdninstagram.com'] as const

const isOnImageHost = (address: string): boolean => {
  const host = URL.parse(address)?.hostname
  return host !== undefined && imageHosts.some((known) => host === known || host.endsWith(`.${known}`))
}

/** Whether an address is on one of the network's image hosts and has expired; `now` in milliseconds. */
export const looksExpired = (address: string, now: number): boolean =>
  hasPictureEnded(address, now) && isOnImageHost(address)

/** Whether an address is on one of the network's image hosts and has an expiry time. */
export const endsInTime = (address: string): boolean => pictureEnd(address) !== null && isOnImageHost(address)

/** The latest address of a picture, after any number of renewals. `renewed` maps an address to the one that replaced it. */
export function currentAddress(renewed: ReadonlyMap<string, string>, address: string): string {
  let current = address
  for (let next = renewed.get(current); next !== undefined; next = renewed.get(current)) current = next
  return current
}

/**
 * The address from which the browser loads a page's picture (spec section 2, Page Manager). A picture on the network's
 * image hosts is loaded through the proxy. `proxy` is an address with the placeholder `{url}` for the picture address;
 * null means no proxy.
 */
export const pagePictureAddress = (address: string, proxy: string | null): string =>
  proxy !== null && isOnImageHost(address) ? proxy.replaceAll('{url}', () => encodeURIComponent(address)) : address
