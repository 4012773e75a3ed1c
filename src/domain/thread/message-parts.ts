/** A part of a message's text. `href` is set if the part is a link that may be opened. */
export type TextPart = { text: string; href: string | null }

/** Excludes spaces, brackets and quotes of markup, invisible characters and direction overrides. */
const addresses =
  /(?<![\p{L}\p{N}_@/])(?:https?:\/\/|www\.)[^\s<>"`\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]{1,2000}/giu
const closingMarks = /[.,;:!?'’”…*_~]$/
const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

const count = (text: string, character: string): number => text.split(character).length - 1

/** Removes the punctuation of the surrounding sentence. Keeps a closing bracket that was opened within the address. */
function trimmed(address: string): string {
  let text = address
  for (;;) {
    const last = text.at(-1) ?? ''
    const opening = brackets[last]
    const isOutside = opening === undefined ? closingMarks.test(text) : count(text, last) > count(text, opening)
    if (!isOutside) return text
    text = text.slice(0, -1)
  }
}

/** A URL with user info before its host could imitate another host, so it is shown as text. */
function hrefOf(address: string): string | null {
  const url = URL.parse(/^www\./i.test(address) ? `https://${address}` : address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.username === '' && url.password === '' && url.hostname.includes('.') ? url.href : null
}

/** Splits a text into plain parts and links; only http and https become links (spec section 2, thread). */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let done = 0
  for (const match of text.matchAll(addresses)) {
    const address = trimmed(match[0])
    const href = hrefOf(address)
    if (href === null) continue
    if (match.index > done) parts.push({ text: text.slice(done, match.index), href: null })
    parts.push({ text: address, href })
    done = match.index + address.length
  }
  if (done < text.length || parts.length === 0) parts.push({ text: text.slice(done), href: null })
  return parts
}

const fewEmoji = /^(?:\p{RGI_Emoji}\s*){1,6}$/v

/** Whether a text consists only of a few emoji. */
export const isEmojiOnly = (text: string): boolean => text.length <= 100 && fewEmoji.test(text.trim())
