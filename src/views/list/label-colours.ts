import type { LabelColour } from '../../schemas/label.ts'

/**
 * The colours of a label: its text and its background, in the light and in the dark scheme. The contrast is at least
 * 4.5:1, also of the text colour on the panel (`tests/domain/list/label-colours.test.ts`).
 */
export const labelPalette: Record<LabelColour, Record<'ink' | 'soft', readonly [light: string, dark: string]>> = {
  grey: { ink: ['#4c4a45', '#c9c6bf'], soft: ['#ecebe7', '#34332f'] },
  red: { ink: ['#a51d2d', '#ff9b9b'], soft: ['#fdeaea', '#47201f'] },
  orange: { ink: ['#9a3c07', '#ffa970'], soft: ['#fdeee3', '#452a17'] },
  amber: { ink: ['#7a5200', '#f5c451'], soft: ['#fbf2d5', '#3d3112'] },
  green: { ink: ['#1f6a2e', '#79dc8a'], soft: ['#e6f6e9', '#1c3823'] },
  teal: { ink: ['#0a6670', '#58cfd6'], soft: ['#e0f5f5', '#123739'] },
  blue: { ink: ['#1b55b0', '#8ab8ff'], soft: ['#e6f0fd', '#1c304f'] },
  indigo: { ink: ['#4a3fb8', '#b0a8ff'], soft: ['#eeecfd', '#2d2955'] },
  purple: { ink: ['#7a2ea0', '#d9a0f5'], soft: ['#f6eafb', '#3d2350'] },
  pink: { ink: ['#a02265', '#ff9bcb'], soft: ['#fdeaf4', '#471f36'] },
}

const scheme = ([light, dark]: readonly [string, string]): string => `light-dark(${light}, ${dark})`

/** The style of a label's chip. */
export const chipStyle = (colour: LabelColour) => ({
  color: scheme(labelPalette[colour].ink),
  backgroundColor: scheme(labelPalette[colour].soft),
})

/** The style of a label's dot. */
export const dotStyle = (colour: LabelColour) => ({ backgroundColor: scheme(labelPalette[colour].ink) })

/** The text id of the name of each colour. */
export const colourNames = {
  grey: 'list.colourGrey',
  red: 'list.colourRed',
  orange: 'list.colourOrange',
  amber: 'list.colourAmber',
  green: 'list.colourGreen',
  teal: 'list.colourTeal',
  blue: 'list.colourBlue',
  indigo: 'list.colourIndigo',
  purple: 'list.colourPurple',
  pink: 'list.colourPink',
} as const satisfies Record<LabelColour, string>
