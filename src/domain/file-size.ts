const units = ['B', 'KB', 'MB', 'GB'] as const

/** A number of bytes in B, KB, MB or GB (spec section 9), with one decimal at most. */
export const fileSize = (bytes: number): string => {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const rounded = unit === 0 ? Math.round(value) : Math.round(value * 10) / 10
  return `${rounded} ${units[unit]}`
}
