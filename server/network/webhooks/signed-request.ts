import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { id } from '../../../src/schemas/primitives.ts'

const payload = z.object({ algorithm: z.string(), user_id: id })

/**
 * The user of a `signed_request`: `<signature>.<payload>`, both base64url, the signature an HMAC-SHA256 of the encoded
 * payload with the app secret. Null if it is not signed with the secret or has another form.
 */
export function userOfSignedRequest(appSecret: string, signedRequest: string): string | null {
  const [signature, encoded, ...rest] = signedRequest.split('.')
  if (signature === undefined || encoded === undefined || rest.length > 0) return null
  const expected = createHmac('sha256', appSecret).update(encoded).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  try {
    const read = payload.parse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')))
    return read.algorithm.toUpperCase() === 'HMAC-SHA256' ? read.user_id : null
  } catch {
    return null
  }
}
