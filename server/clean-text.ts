/** Removes null characters and repairs lone surrogates: PostgreSQL rejects both. */
export function cleanText(value: string): string {
  return value.replaceAll('\u0000', '').toWellFormed()
}

/** A JSON value with all its texts cleaned. */
export const cleanTexts = <Value>(value: Value): Value =>
  value && JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? cleanText(inner) : inner)))
