import { describe, expect, it } from 'vitest'
import type { BrowserReport } from '../../../src/domain/shell/browser-report.ts'
import { watchBrowser } from '../../../src/services/shell/browser.ts'

const tick = 5_000
const second = 1_000

/** A tab whose timers run only as the test says. */
function openTab({ hidden = false } = {}) {
  const reports: BrowserReport['type'][] = []
  let now = 0
  let check = () => {}
  const document = Object.assign(new EventTarget(), { hidden })
  const window = Object.assign(new EventTarget(), {
    document,
    setInterval: (run: () => void) => {
      check = run
      return 1
    },
    clearInterval: () => {
      check = () => {}
    },
  })
  const stop = watchBrowser(
    window as unknown as Window,
    () => now,
    ({ type }) => void reports.push(type),
  )
  return {
    stop,
    window,
    heard: () => reports.splice(0),
    /** The timer runs after so many milliseconds. */
    tickAfter: (milliseconds: number) => {
      now += milliseconds
      check()
    },
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    hide: (isHidden: boolean) => {
      document.hidden = isHidden
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

describe('A suspended computer', () => {
  it.each([
    [tick, []],
    [20 * second, []],
    [20 * second + 1, ['clock.jumped']],
    [8 * 60 * 60 * second, ['clock.jumped']],
  ])('is noticed by a timer that runs %i ms after the last one', (gap, expected) => {
    const tab = openTab()
    tab.tickAfter(tick)
    tab.tickAfter(gap)
    expect(tab.heard()).toEqual(expected)
    tab.tickAfter(tick)
    expect(tab.heard()).toEqual([])
  })

  it('is not assumed of a hidden tab, whose timers the browser slows down, nor when the tab is shown again', () => {
    const tab = openTab()
    tab.tickAfter(tick)
    tab.hide(true)
    for (const _ of [1, 2]) tab.tickAfter(60 * second)
    tab.pass(30 * second)
    tab.hide(false)
    tab.tickAfter(tick)
    expect(tab.heard()).toEqual(['tab.hidden', 'tab.shown'])
    tab.tickAfter(60 * second)
    expect(tab.heard()).toEqual(['clock.jumped'])
  })

  it('is not assumed of a tab that was opened in the background', () => {
    const tab = openTab({ hidden: true })
    tab.tickAfter(60 * second)
    tab.hide(false)
    tab.tickAfter(tick)
    expect(tab.heard()).toEqual(['tab.hidden', 'tab.shown'])
  })
})

it('a tab that is no longer watched reports nothing', () => {
  const tab = openTab()
  tab.stop()
  tab.tickAfter(60 * second)
  tab.hide(true)
  for (const type of ['online', 'offline']) tab.window.dispatchEvent(new Event(type))
  expect(tab.heard()).toEqual([])
})
