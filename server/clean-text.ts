/** Removes null characters and repairs lone surrogates: PostgreSQL rejects both. */
export function cleanText(value: string): string {
  return value.replaceAll('\u0000', '').toWellFormed()
}
