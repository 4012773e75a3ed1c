const directionOverrides = /[\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g

/** A name or file name from outside, without what could reorder the text around it or break its line. */
export const safeName = (name: string): string =>
  name.replace(directionOverrides, '').replace(controlCharacters, ' ').replace(/\s+/g, ' ').trim()

/** An address that may be opened or embedded: http, https, or this origin; else null. */
export const safeUrl = (url: string): string | null => {
  if (url.startsWith('/') && !url.startsWith('//') && !url.startsWith('/\\')) return url
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:') ? parsed.href : null
}
