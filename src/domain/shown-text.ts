const directionOverrides = /[\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: this expression removes control characters
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g

/**
 * An external sentence without characters that could reorder it or the text around it. Only messages are shown as
 * written.
 */
export const safeText = (text: string): string => text.replace(directionOverrides, '').replace(controlCharacters, ' ')

/** The same for a name or file name, which additionally must not contain line breaks. */
export const safeName = (name: string): string => safeText(name).replace(/\s+/g, ' ').trim()

const origins = ['https://one.invalid', 'https://another.invalid']

/**
 * Whether a URL is a path that stays on its origin, whatever the origin is. Tabs, line breaks and backslashes can turn
 * a path into a host.
 */
const isPath = (url: string): boolean =>
  url.startsWith('/') && origins.every((origin) => URL.parse(url, origin)?.origin === origin)

/**
 * A URL that may be opened or embedded: http or https without user info (which could imitate another host), or a path
 * of this origin; otherwise null.
 */
export const safeUrl = (url: string): string | null => {
  if (isPath(url)) return url
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null
  return parsed.username === '' && parsed.password === '' ? parsed.href : null
}
