/** Makes of an address from the network what may be kept: http or https only, else null. */
export type KeepAddress = (address: string | null | undefined) => string | null

/**
 * Addresses on this server itself, as the stand-in network gives them, are kept without their origin: they stay good
 * whatever name or port the inbox is opened by.
 */
export function createKeepAddress(ownOrigin: string): KeepAddress {
  return (address) => {
    const url = address ? URL.parse(address) : null
    if (!url || !/^https?:$/.test(url.protocol)) return null
    return url.origin === ownOrigin ? `${url.pathname}${url.search}` : url.href
  }
}
