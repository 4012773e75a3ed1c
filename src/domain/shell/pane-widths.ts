export type Pane = 'list' | 'details'
/** In rem, so that the widths follow the user's text size. */
export type PaneWidths = Readonly<Record<Pane, number>>

export const defaultWidths: PaneWidths = { list: 21.25, details: 20 }

/** In rem. The smallest width fits a row and a statistic; the largest leaves room for the thread. */
export const widthLimits = { smallest: 15, largest: 34 } as const

/** A valid pane width, rounded to 0.05 rem. */
export const fittingWidth = (width: number): number =>
  Math.round(Math.min(Math.max(width, widthLimits.smallest), widthLimits.largest) * 20) / 20
