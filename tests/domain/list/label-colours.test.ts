import { expect, it } from 'vitest'
import { labelColours } from '../../../src/schemas/label.ts'
import { labelPalette } from '../../../src/views/list/label-colours.ts'

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

it.each(labelColours)('a %s label has enough contrast in both colour schemes', (colour) => {
  const { ink, soft } = labelPalette[colour]
  expect(contrast(ink[0], soft[0])).toBeGreaterThanOrEqual(4.5)
  expect(contrast(ink[1], soft[1])).toBeGreaterThanOrEqual(4.5)
  // A dot beside the name, on the darkest and the lightest background of the lists.
  expect(contrast(ink[0], '#e7e6e2')).toBeGreaterThanOrEqual(3)
  expect(contrast(ink[1], '#2f2e2b')).toBeGreaterThanOrEqual(3)
})
