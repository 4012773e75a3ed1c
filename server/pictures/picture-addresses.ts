import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { deriveKey } from '../secrets.ts'
import { isPictureSource } from './image-hosts.ts'

export const picturesPath = '/pictures'

const ivLength = 12
const tagLength = 16

export type PictureAddresses = ReturnType<typeof createPictureAddresses>

/**
 * The server's own addresses of pictures. An image element sends no token, so the address itself is the permission: it
 * holds the source, encrypted and authenticated (AES-256-GCM), so that nobody can make one up, nor read a signature of
 * the network in one. The same source has always the same address, so that caches know it again.
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
    /** The own address of a picture; null for a source that the server would not fetch from. */
    addressOf(source: URL): string | null {
      if (!isPictureSource(source, trustedOrigins)) return null
      const iv = createHmac('sha256', ivKey).update(source.href).digest().subarray(0, ivLength)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const sealed = Buffer.concat([iv, cipher.update(source.href, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${picturesPath}/${sealed.toString('base64url')}`
    },

    /** The source behind the last part of an own address; null for what this server never gave out. */
    sourceOf(sealedText: string): string | null {
      const sealed = Buffer.from(sealedText, 'base64url')
      if (sealed.length <= ivLength + tagLength || sealed.toString('base64url') !== sealedText) return null
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivLength), {
          authTagLength: tagLength,
        }).setAuthTag(sealed.subarray(-tagLength))
        return Buffer.concat([decipher.update(sealed.subarray(ivLength, -tagLength)), decipher.final()]).toString(
          'utf8',
        )
      } catch {
        return null
      }
    },
  }
}
