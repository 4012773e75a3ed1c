let size: number | undefined

/** Pixels per rem, from the user's font size setting. Read once, because reading it forces a layout. */
export const rootFontSize = (): number => {
  size ??= Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
  return size
}
