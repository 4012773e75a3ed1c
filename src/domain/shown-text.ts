const directionOverrides = /[\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g

/** A sentence from outside, without what could reorder it or the text around it. Messages alone are shown as written. */
export const safeText = (text: string): string => text.replace(directionOverrides, '').replace(controlCharacters, ' ')

/** The same of a name or file name, which cannot break its line either. */
export const safeName = (name: string): string => safeText(name).replace(/\s+/g, ' ').trim()

const origins = ['https://one.invalid', 'https://another.invalid']

/** Whether an address stays at whichever origin it is met. Tabs, line breaks and backslashes make a host of a path. */
const isPath = (url: string): boolean =>
  url.startsWith('/') && origins.every((origin) => URL.parse(url, origin)?.origin === origin)

/**
 * An address that may be opened or embedded: http or https without a name in front of its host, as which it could pretend
 * to be another, or a path of this origin; else null.
 */
export const safeUrl = (url: string): string | null => {
  if (isPath(url)) return url
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null
  return parsed.username === '' && parsed.password === '' ? parsed.href : null
}
