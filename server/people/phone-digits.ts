/**
 * The last 10 digits of a phone number, by which numbers are compared because the code of the country is written in several
 * ways. Null if the text has fewer than 7 digits.
 */
export function phoneDigits(phone: string | null | undefined): string | null {
  const digits = (phone ?? '').replaceAll(/\D/g, '').slice(-10)
  return digits.length >= 7 ? digits : null
}
