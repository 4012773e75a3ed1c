import {
  AsYouType,
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

/** `country`: the ISO 3166 code of the country of numbers without a country code. */
const parsed = (text: string | null | undefined, country: string) => {
  const number = parsePhoneNumberFromString(text ?? '', countryCode(country))
  return number?.isValid() ? number : null
}

function countryCode(country: string): CountryCode {
  if (!isSupportedCountry(country)) throw new Error('the settings accept supported countries only')
  return country
}

/** The number in its one form (E.164), for example +639561234567; null if the text is not one valid number. */
export const phoneNumberOf = (text: string | null | undefined, country: string): string | null =>
  parsed(text, country)?.number ?? null

/** The columns of a phone number. */
export type ReadPhone = {
  phone: string | null
  phone_e164: string | null
  phone_read: string | null
  phone_country: string
}

export const readPhone = (phone: string | null, country: string): ReadPhone => ({
  phone,
  phone_e164: phoneNumberOf(phone, country),
  phone_read: phone,
  phone_country: country,
})

/** The number as people read it: in the national form, or with the country code of another country. Other texts unchanged. */
export function readablePhone(text: string | null, country: string): string | null {
  const number = parsed(text, country)
  if (number === null) return text
  const isNational = number.countryCallingCode === getCountryCallingCode(countryCode(country))
  return isNational ? number.formatNational() : number.formatInternational()
}

/**
 * The digits without country code and trunk prefix, which end every notation of the number. Of a text that is no valid
 * number, the last 10 digits; null if the text has fewer than 7 digits.
 */
export function nationalDigits(text: string | null | undefined, country: string): string | null {
  return parsed(text, country)?.nationalNumber ?? lastDigits(text)
}

/** The last 10 digits of a text; null if the text has fewer than 7 digits. */
export function lastDigits(text: string | null | undefined): string | null {
  const digits = (text ?? '').replaceAll(/\D/g, '').slice(-10)
  return digits.length >= 7 ? digits : null
}

/** A key that is the same for every notation of a number: its last 10 digits. Null if the text has fewer than 7 digits. */
export const phoneKey = (text: string | null | undefined, country: string): string | null =>
  lastDigits(phoneNumberOf(text, country) ?? text)

/**
 * What to look for if a search term may be a phone number or its beginning: digits that every notation contains. Null for
 * other terms.
 */
export function phoneSearchDigits(term: string, country: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(term)) return null
  const digits = term.replaceAll(/\D/g, '')
  if (digits.length < 4 || digits.length > 15) return null
  const typing = new AsYouType(countryCode(country))
  typing.input(term)
  const national = typing.getNumber()?.nationalNumber
  // One or two digits are in most numbers, and no index finds them.
  return national !== undefined && national.length >= 3 ? national : digits
}
