import { describe, expect, it } from 'vitest'
import { createActor } from 'xstate'
import { defaultWidths } from '../../../src/domain/shell/pane-widths.ts'
import { appearanceLogic, selectAppearance } from '../../../src/machines/shell/appearance.ts'
import { paneWidthsLogic, selectWidths } from '../../../src/machines/shell/pane-widths.ts'

it('the appearance is the one chosen last, and before that the one remembered', () => {
  const actor = createActor(appearanceLogic, { input: 'dark' }).start()
  expect(selectAppearance(actor.getSnapshot())).toBe('dark')
  actor.send({ type: 'appearance.chosen', appearance: 'system' })
  actor.send({ type: 'appearance.chosen', appearance: 'light' })
  expect(selectAppearance(actor.getSnapshot())).toBe('light')
})

describe('a pane that is resized', () => {
  const resized = (width: number) => {
    const actor = createActor(paneWidthsLogic, { input: defaultWidths }).start()
    actor.send({ type: 'pane.resized', pane: 'list', width })
    return selectWidths(actor.getSnapshot())
  }

  it('has the width that fits, and leaves the other as it is', () => {
    expect(resized(25)).toEqual({ ...defaultWidths, list: 25 })
    expect(resized(1)).toEqual({ ...defaultWidths, list: 15 })
  })

  it('to the width it has is nothing that need be drawn again', () =>
    expect(resized(defaultWidths.list)).toBe(defaultWidths))
})
