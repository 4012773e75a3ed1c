import { safeName } from '../shown-text.ts'

const placeholder = '{userName}'
const longestName = 100

/** Matches `{userName}` with the comma before it, or, at the beginning of a sentence, with the punctuation after it. */
const named = /(^|[.!?\n]\s*)\{userName\}(?:\s*[,:!.]?\s*)(\p{L})?|(?:\s*,)?[^\S\n]*\{userName\}/gu

/** The first variable in braces that `replyOf` does not fill in, as `{first_name}`; null if there is none. */
export const unfilledVariable = (response: string): string | null =>
  response.match(/\{\w+\}/g)?.find((variable) => variable !== placeholder) ?? null

/**
 * The response text with `{userName}` replaced by the person's name. If the name is not known, the placeholder is
 * removed together with its space and comma (spec section 3, FAQ entry).
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
