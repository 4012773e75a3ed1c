import { createHmac } from 'node:crypto'
import { ivLength, seal, unseal } from '../sealing.ts'
import { deriveKeys, type Keyring } from '../secrets.ts'
import { isPictureSource } from './image-hosts.ts'

export const picturesPath = '/pictures'

export type PictureAddresses = ReturnType<typeof createPictureAddresses>

/**
 * Proxy URLs of pictures and of customers' files. Image elements send no token, so the URL itself is the permission: it
 * contains the source URL, encrypted and authenticated, so that it can be neither forged nor read. The encryption is
 * deterministic: under one newest key a source always has the same proxy URL, which browsers can cache.
 */
export function createPictureAddresses({
  keyring,
  trustedOrigins,
}: {
  keyring: Keyring
  trustedOrigins: readonly string[]
}) {
  const keys = deriveKeys(keyring, 'picture addresses')
  const [ivKey] = deriveKeys(keyring, 'picture address nonces').all

  const seals = (href: string) => {
    const iv = createHmac('sha256', ivKey.key).update(href).digest().subarray(0, ivLength)
    return `${picturesPath}/${seal(keys, href, { iv })}`
  }
  const sourceOf = (encrypted: string) => unseal(keys, encrypted)

  return {
    /** The proxy URL of a picture; null if the server would not fetch the source. */
    addressOf: (source: URL): string | null => (isPictureSource(source, trustedOrigins) ? seals(source.href) : null),

    /** The URL of a file that this server has itself. `source` is no URL, so that nothing would be fetched. */
    addressOfOwn: seals,

    /** Decrypts the last path segment of a proxy URL; null if this server did not create it. */
    sourceOf,

    /** The same proxy URL under the newest key; null if no key of the ring reads it. */
    renewed(address: string): string | null {
      const source = sourceOf(address.slice(picturesPath.length + 1))
      return source === null ? null : seals(source)
    },
  }
}
