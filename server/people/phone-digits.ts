/**
 * The last 10 digits of a phone number. Numbers are compared by these, because people write the country code in several
 * ways. Null if the text has fewer than 7 digits.
 */
export function phoneDigits(phone: string | null | undefined): string | null {
  const digits = (phone ?? '').replaceAll(/\D/g, '').slice(-10)
  return digits.length >= 7 ? digits : null
}
