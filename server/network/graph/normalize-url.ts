/** Turns a URL from the network into the one to store. Null unless it is http or https. */
export type NormalizeUrl = {
  (address: string | null | undefined): string | null
  /** The same for a picture: pictures on the network's image hosts get a proxy URL of this server. */
  picture(address: string | null | undefined): string | null
}

/**
 * URLs on this server (from the sandbox) are stored without their origin, so that they work under every host name and
 * port. `proxyUrlOf` returns the proxy URL of a picture, null if the proxy would not fetch it.
 */
export function createNormalizeUrl(
  ownOrigin: string,
  proxyUrlOf: (picture: URL) => string | null = () => null,
): NormalizeUrl {
  const parsed = (address: string | null | undefined): URL | null => {
    const url = address ? URL.parse(address) : null
    return url && /^https?:$/.test(url.protocol) ? url : null
  }
  const withoutOwnOrigin = (url: URL): string => (url.origin === ownOrigin ? `${url.pathname}${url.search}` : url.href)
  const normalizeUrl = (address: string | null | undefined) => {
    const url = parsed(address)
    return url && withoutOwnOrigin(url)
  }
  return Object.assign(normalizeUrl, {
    picture(address: string | null | undefined) {
      const url = parsed(address)
      if (url === null) return null
      return url.origin === ownOrigin ? withoutOwnOrigin(url) : (proxyUrlOf(url) ?? url.href)
    },
  })
}
