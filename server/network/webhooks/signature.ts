import { createHmac, timingSafeEqual } from 'node:crypto'

/** The X-Hub-Signature-256 header for a body: `sha256=` and the HMAC in hex. */
export function signatureOf(appSecret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}

/** Whether the header is the signature of the body. Constant time. */
export function isSigned(appSecret: string, body: Uint8Array, header: string | undefined): boolean {
  const expected = Buffer.from(signatureOf(appSecret, body))
  const given = Buffer.from(header ?? '')
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Compares two secrets in constant time. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
