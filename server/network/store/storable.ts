/** The database takes neither the null character nor half a surrogate pair. */
export function storable(value: string): string {
  return value.replaceAll('\u0000', '').toWellFormed()
}
