import { describe, expect, it } from 'vitest'
import { createActor } from 'xstate'
import { defaultWidths } from '../../../src/domain/shell/pane-widths.ts'
import { appearanceLogic, selectAppearance } from '../../../src/machines/shell/appearance.ts'
import { paneWidthsLogic, selectWidths } from '../../../src/machines/shell/pane-widths.ts'
import { reducedMotionLogic, selectIsReduced } from '../../../src/machines/shell/reduced-motion.ts'

it('the appearance is the stored one until staff choose another', () => {
  const actor = createActor(appearanceLogic, { input: 'dark' }).start()
  expect(selectAppearance(actor.getSnapshot())).toBe('dark')
  actor.send({ type: 'appearance.chosen', appearance: 'system' })
  actor.send({ type: 'appearance.chosen', appearance: 'light' })
  expect(selectAppearance(actor.getSnapshot())).toBe('light')
})

it('motion is reduced as stored until staff choose otherwise', () => {
  const actor = createActor(reducedMotionLogic, { input: true }).start()
  expect(selectIsReduced(actor.getSnapshot())).toBe(true)
  actor.send({ type: 'motion.chosen', isReduced: false })
  expect(selectIsReduced(actor.getSnapshot())).toBe(false)
})

describe('a resized pane', () => {
  const resized = (width: number) => {
    const actor = createActor(paneWidthsLogic, { input: defaultWidths }).start()
    actor.send({ type: 'pane.resized', pane: 'list', width })
    return selectWidths(actor.getSnapshot())
  }

  it('is limited to the possible widths and does not resize the other pane', () => {
    expect(resized(25)).toEqual({ ...defaultWidths, list: 25 })
    expect(resized(1)).toEqual({ ...defaultWidths, list: 15 })
  })

  it('does not notify the views if its width stays the same', () =>
    expect(resized(defaultWidths.list)).toBe(defaultWidths))
})
