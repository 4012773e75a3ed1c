import { safeName } from '../shown-text.ts'

const placeholder = '{userName}'
const longestName = 100

/** With the comma before it, which would otherwise stand before nothing; or with the one after it, at a beginning. */
const named = /(^|[.!?\n]\s*)\{userName\}(?:\s*[,:!.]?\s*)(\p{L})?|(?:\s*,)?[^\S\n]*\{userName\}/gu

/**
 * A response as it is sent: `{userName}` is the person's name. Where the name is not known it is left out, with the
 * space and the comma that belong to it (spec section 3, FAQ entry).
 */
export function replyOf(response: string, name: string | null): string {
  const shown = safeName(name ?? '').slice(0, longestName)
  if (shown !== '') return response.replaceAll(placeholder, () => shown)
  return response
    .replace(named, (_, start: string | undefined, letter: string | undefined) =>
      start === undefined ? '' : start + (letter?.toUpperCase() ?? ''),
    )
    .trim()
}
