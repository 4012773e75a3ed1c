import { seal, unseal } from '../../sealing.ts'
import type { DerivedKeys } from '../../secrets.ts'

/** v1: without a key id. */
const form = /^v[12]\./

export type PageTokens = ReturnType<typeof createPageTokens>

/** Encrypts page access tokens. The page id is authenticated: a token copied to another row cannot be decrypted. */
export function createPageTokens(keys: DerivedKeys) {
  const version = keys.hasIds ? 'v2' : 'v1'
  return {
    encrypt: (pageId: string, token: string): string => `${version}.${seal(keys, token, { context: pageId })}`,

    /** Throws if the stored text was changed, belongs to another page, or was encrypted with a key outside the ring. */
    decrypt(pageId: string, stored: string): string {
      const token = form.test(stored) ? unseal(keys, stored.replace(form, ''), { context: pageId }) : null
      if (token === null) throw unreadable()
      return token
    },
  }
}

const unreadable = () => new Error('A stored page token cannot be read with this secret key; reconnect the page')
