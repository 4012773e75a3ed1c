/** Makes of an address from the network what may be kept: http or https only, else null. */
export type KeepAddress = {
  (address: string | null | undefined): string | null
  /** The same for a picture: from the network's image hosts it becomes an address of this server, which fetches it. */
  picture(address: string | null | undefined): string | null
}

/**
 * Addresses on this server itself, as the stand-in network gives them, are kept without their origin: they stay good
 * whatever name or port the inbox is opened by. `ownAddressOf` gives the server's own address of a picture, null for
 * one that it would not fetch.
 */
export function createKeepAddress(
  ownOrigin: string,
  ownAddressOf: (picture: URL) => string | null = () => null,
): KeepAddress {
  const parsed = (address: string | null | undefined): URL | null => {
    const url = address ? URL.parse(address) : null
    return url && /^https?:$/.test(url.protocol) ? url : null
  }
  const kept = (url: URL): string => (url.origin === ownOrigin ? `${url.pathname}${url.search}` : url.href)
  const keep = (address: string | null | undefined) => {
    const url = parsed(address)
    return url && kept(url)
  }
  return Object.assign(keep, {
    picture(address: string | null | undefined) {
      const url = parsed(address)
      if (url === null) return null
      return url.origin === ownOrigin ? kept(url) : (ownAddressOf(url) ?? kept(url))
    },
  })
}
