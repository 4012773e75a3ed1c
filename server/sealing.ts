import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { DerivedKeys } from './secrets.ts'

export const ivLength = 12
const tagLength = 16
const sealedForm = /^(?:([0-9a-f]{12})\.)?([\w-]+)$/

/**
 * Encrypts and authenticates a text (AES-256-GCM) with the newest key: `<key id>.<base64url>`, or without the id if the ring
 * has none. `context` is authenticated with it: the text can be opened in the same context only. `iv` must be unique for
 * each text.
 */
export function seal(
  { all: [newest], hasIds }: DerivedKeys,
  text: string,
  { context = '', iv = randomBytes(ivLength) }: { context?: string; iv?: Uint8Array } = {},
): string {
  const cipher = createCipheriv('aes-256-gcm', newest.key, iv).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${hasIds ? `${newest.id}.` : ''}${sealed.toString('base64url')}`
}

/** Decrypts what `seal` returned. Null if it was changed, or belongs to another context or to no key of the ring. */
export function unseal({ all }: DerivedKeys, sealed: string, { context = '' } = {}): string | null {
  const [, id, text = ''] = sealedForm.exec(sealed) ?? []
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < ivLength + tagLength || bytes.toString('base64url') !== text) return null
  for (const { id: ownId, key } of all) {
    if (id !== undefined && id !== ownId) continue
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-tagLength))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(ivLength, -tagLength)), decipher.final()]).toString('utf8')
    } catch {
      // Another key may open it.
    }
  }
  return null
}
