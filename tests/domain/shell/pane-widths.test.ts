import { describe, expect, it } from 'vitest'
import { defaultWidths, fittingWidth } from '../../../src/domain/shell/pane-widths.ts'
import { rememberedWidths, rememberWidths } from '../../../src/services/shell/pane-widths.ts'
import { createStorage } from '../../../src/services/storage.ts'
import { createArea } from '../../faults/memory-storage.ts'

describe('The width of a pane', () => {
  it.each([
    [20.04, 20.05],
    [3, 15],
    [90, 34],
  ])('of %d rem is limited to %d', (wanted, width) => expect(fittingWidth(wanted)).toBe(width))

  it('is stored', () => {
    const area = createArea()
    rememberWidths(
      createStorage(() => area),
      { list: 18, details: 30 },
    )
    expect(rememberedWidths(createStorage(() => area))).toEqual({ list: 18, details: 30 })
  })

  it.each([
    [undefined, defaultWidths],
    ['no json', defaultWidths],
    ['{"list":18}', defaultWidths],
    ['{"list":1,"details":1000}', { list: 15, details: 34 }],
  ])('stored as %s is read within its limits', (text, widths) => {
    const area = createArea(text === undefined ? {} : { 'staff-inbox.panes': text })
    expect(rememberedWidths(createStorage(() => area))).toEqual(widths)
  })
})
