import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { deriveKey } from '../secrets.ts'
import { isPictureSource } from './image-hosts.ts'

export const picturesPath = '/pictures'

const ivLength = 12
const tagLength = 16

export type PictureAddresses = ReturnType<typeof createPictureAddresses>

/**
 * Proxy URLs of pictures. Image elements send no token, so the URL itself is the permission: it contains the source URL,
 * encrypted and authenticated (AES-256-GCM), so that it can be neither forged nor read. The encryption is deterministic:
 * one source always has the same proxy URL, which browsers can cache.
 */
export function createPictureAddresses({
  secretKey,
  trustedOrigins,
}: {
  secretKey: string
  trustedOrigins: readonly string[]
}) {
  const key = deriveKey(secretKey, 'picture addresses')
  const ivKey = deriveKey(secretKey, 'picture address nonces')

  return {
    /** The proxy URL of a picture; null if the server would not fetch the source. */
    addressOf(source: URL): string | null {
      if (!isPictureSource(source, trustedOrigins)) return null
      const iv = createHmac('sha256', ivKey).update(source.href).digest().subarray(0, ivLength)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const encrypted = Buffer.concat([iv, cipher.update(source.href, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${picturesPath}/${encrypted.toString('base64url')}`
    },

    /** Decrypts the last path segment of a proxy URL; null if this server did not create it. */
    sourceOf(encryptedText: string): string | null {
      const encrypted = Buffer.from(encryptedText, 'base64url')
      if (encrypted.length <= ivLength + tagLength || encrypted.toString('base64url') !== encryptedText) return null
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, ivLength), {
          authTagLength: tagLength,
        }).setAuthTag(encrypted.subarray(-tagLength))
        return Buffer.concat([decipher.update(encrypted.subarray(ivLength, -tagLength)), decipher.final()]).toString(
          'utf8',
        )
      } catch {
        return null
      }
    },
  }
}
