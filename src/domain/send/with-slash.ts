/** The text with a `/` at the caret that opens the list, and the caret after it. */
export function withSlash(text: string, caret: number): { text: string; caret: number } {
  const before = text.slice(0, caret)
  const slash = before === '' || /\s$/u.test(before) ? '/' : ' /'
  return { text: before + slash + text.slice(caret), caret: caret + slash.length }
}
