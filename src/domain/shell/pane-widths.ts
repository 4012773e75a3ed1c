export type Pane = 'list' | 'details'
/** In rem, so that the reader's own text size is followed. */
export type PaneWidths = Readonly<Record<Pane, number>>

export const defaultWidths: PaneWidths = { list: 21.25, details: 20 }

/** In rem: what a row and a figure need, and what leaves room for the thread. */
export const widthLimits = { smallest: 15, largest: 34 } as const

/** A width a pane can have, to a twentieth of a rem. */
export const fittingWidth = (width: number): number =>
  Math.round(Math.min(Math.max(width, widthLimits.smallest), widthLimits.largest) * 20) / 20
