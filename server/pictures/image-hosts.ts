import { BlockList, isIP, isIPv6 } from 'node:net'
import { imageHosts } from '../../src/domain/list/picture-address.ts'

/** Whether a picture may be fetched from a URL: https on the network's image hosts, or a trusted origin. */
export function isPictureSource(url: URL, trustedOrigins: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return false
  if (trustedOrigins.includes(url.origin)) return true
  if (url.protocol !== 'https:' || url.port !== '') return false
  return imageHosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
}

const notPublic = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4')
}
/** Only the public IPv6 range, without the prefixes that embed IPv4 addresses. */
const publicIPv6 = new BlockList()
publicIPv6.addSubnet('2000::', 3, 'ipv6')
notPublic.addSubnet('2001::', 32, 'ipv6')
notPublic.addSubnet('2002::', 16, 'ipv6')

/** Whether an IP address is public. */
export const isPublicAddress = (address: string): boolean =>
  isIPv6(address)
    ? publicIPv6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
    : !notPublic.check(address, 'ipv4')

/**
 * Whether a server of somebody else may be called at a URL: https, without a user name, and not at an IP address that is
 * private. A connection to an IP address does not call `publicLookupOf`, which checks what a host name points to.
 */
export function isPublicUrl(url: URL): boolean {
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 || isPublicAddress(host)
}
