import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header's value for these bytes: `sha256=` and the HMAC in hex. */
export function signatureOf(appSecret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}

/** Whether the header signs exactly these bytes; compared in constant time. */
export function isSigned(appSecret: string, body: Uint8Array, header: string | undefined): boolean {
  const expected = Buffer.from(signatureOf(appSecret, body))
  const given = Buffer.from(header ?? '')
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Compares two secrets without telling by the time it takes how much of them agrees. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
