import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const format = 'v1'
const ivLength = 12
const tagLength = 16

export type PageTokens = ReturnType<typeof createPageTokens>

/** Encrypts page access tokens (AES-256-GCM). The page id is authenticated: a token copied to another row cannot be decrypted. */
export function createPageTokens(key: Uint8Array) {
  return {
    encrypt(pageId: string, token: string): string {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(pageId))
      const encrypted = Buffer.concat([iv, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${format}.${encrypted.toString('base64url')}`
    },

    /** Throws if the stored text was changed, belongs to another page, or was encrypted with another key. */
    decrypt(pageId: string, stored: string): string {
      const [version, text] = stored.split('.')
      const encrypted = Buffer.from(text ?? '', 'base64url')
      if (version !== format || encrypted.length < ivLength + tagLength) throw unreadable()
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, ivLength), {
          authTagLength: tagLength,
        })
          .setAAD(Buffer.from(pageId))
          .setAuthTag(encrypted.subarray(encrypted.length - tagLength))
        const open = decipher.update(encrypted.subarray(ivLength, encrypted.length - tagLength))
        return Buffer.concat([open, decipher.final()]).toString('utf8')
      } catch {
        throw unreadable()
      }
    },
  }
}

const unreadable = () => new Error('A stored page token cannot be read with this secret key; reconnect the page')
