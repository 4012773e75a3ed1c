/** The overrides, embeddings and isolates of text direction. */
const directionControls = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code < 0xa0)

/** The expected display of a sentence, by code points; the product uses patterns. */
export const asSentence = (text: string): string =>
  Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (directionControls.includes(code)) return ''
    return isControl(code) ? ' ' : character
  }).join('')

/** The expected display of a name. */
export const asName = (text: string): string =>
  asSentence(text)
    .split(/\s/)
    .filter((word) => word !== '')
    .join(' ')

/** Expectations written by hand for some strings. */
export const namesByHand: ReadonlyMap<string, string> = new Map([
  ['\u202egnp.exe\u202c', 'gnp.exe'],
  ['Maria\u2066<b>\u2069Cruz', 'Maria<b>Cruz'],
  ['\u0000\u0007\u001b[31m', '[31m'],
  ['\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u0085', ''],
  ['half a pair \ud83d alone', 'half a pair \ud83d alone'],
  ['zero\u200bwidth\u2060\u00ad', 'zero\u200bwidth\u2060\u00ad'],
  ['\ud83d\udc69\u200d\ud83d\udc67'.repeat(20), '👩‍👧'.repeat(20)],
  ['Z\u0336a\u0335l\u0337g\u0334o\u0338'.repeat(20), 'Z̶a̵l̷g̴o̸'.repeat(20)],
  ['javascript:ran()', 'javascript:ran()'],
  ['java\nscript:ran()', 'java script:ran()'],
  ['<script>ran()</script>', '<script>ran()</script>'],
  ['\u0001javascript:ran()', 'javascript:ran()'],
])

/** The strings that are openable URLs, with the expected href. */
export const openable: ReadonlyMap<string, string> = new Map([
  ['http://a/%%30%30', 'http://a/%%30%30'],
  ['http://www.cum.qc.ca/', 'http://www.cum.qc.ca/'],
  ['https://evil.example/"onclick="ran()', 'https://evil.example/%22onclick=%22ran()'],
  ['http://evil.example/x.png', 'http://evil.example/x.png'],
  ['/dev/null; touch /tmp/blns.fail ; echo', '/dev/null; touch /tmp/blns.fail ; echo'],
])
