const units = ['B', 'KB', 'MB', 'GB'] as const

const rounded = (value: number): number => Math.round(value * 10) / 10

/** A number of bytes in B, KB, MB or GB (spec section 9), with at most one decimal. */
export const fileSize = (bytes: number): string => {
  let value = bytes
  let unit = 0
  // A value that rounds to 1024 is shown in the next unit.
  while (rounded(value) >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? Math.round(value) : rounded(value)} ${units[unit]}`
}
