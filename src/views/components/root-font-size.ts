let size: number | undefined

/** Pixels in one rem, as the reader has set them; asked once, for it costs a layout. */
export const rootFontSize = (): number => {
  size ??= Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
  return size
}
