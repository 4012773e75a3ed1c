import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'

/** Elements and their expected texts: the value of fields, the text content of others, or an attribute. */
type Spot = { selector: string; attribute?: string; texts: readonly string[] }

/** Spots by name. */
type Spots = Readonly<Record<string, Spot>>

/** An address, the elements to click there in order, and the spots to check. */
export type Stop = { address?: string; press?: readonly string[]; spots: Spots }

declare global {
  interface Window {
    textsAt: (selector: string, attribute?: string) => string[]
  }
}

const tried = new Set<string>()

/** The places that were checked in this test. */
export const placesTried = (): readonly string[] => [...tried]

/** Clears the checked places and installs `textsAt`. It returns JSON, which preserves lone surrogates. */
export const readPlaces = (page: Page) => {
  tried.clear()
  return page.addInitScript(() => {
    window.textsAt = (selector, attribute) =>
      Array.from(document.querySelectorAll(selector), (element) => {
        const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        const shown = isField ? element.value : element.textContent
        return JSON.stringify(attribute === undefined ? shown : element.getAttribute(attribute))
      })
  })
}

const asJson = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text))

const without = (texts: readonly string[], others: readonly string[]) => {
  const known = new Set(others)
  return texts
    .filter((text) => !known.has(text))
    .slice(0, 5)
    .map((text) => text.slice(0, 500))
}

/** Asserts that each spot shows exactly these texts. */
export async function shows(page: Page, spots: Spots) {
  for (const [place, { selector, attribute, texts }] of Object.entries(spots)) {
    const expected = asJson(texts)
    expect(expected, place).not.toEqual([])
    const differing = async () => {
      const shown = await page.evaluate(([at, of]) => window.textsAt(at, of), [selector, attribute] as const)
      return { place, count: shown.length, missing: without(expected, shown), unexpected: without(shown, expected) }
    }
    const alike = { place, count: expected.length, missing: [], unexpected: [] }
    await expect.poll(differing, { timeout: 15_000 }).toEqual(alike)
    tried.add(place)
  }
}

/** Visits all stops within one script of the browser, which is fast, and checks each like `shows`. */
export async function walk(page: Page, stops: readonly Stop[]) {
  const wanted = stops.map(({ spots, ...way }) => ({
    ...way,
    spots: Object.entries(spots).map(([place, spot]) => ({ ...spot, place, texts: asJson(spot.texts) })),
  }))
  const missed = await page.evaluate(async (all) => {
    const within = async (milliseconds: number, holds: () => boolean): Promise<boolean> => {
      const end = performance.now() + milliseconds
      while (!holds()) {
        if (performance.now() > end) return false
        await new Promise(requestAnimationFrame)
      }
      return true
    }
    const press = async (selector: string): Promise<void> => {
      await within(5_000, () => document.querySelector(`${selector}:not(:disabled)`) !== null)
      document.querySelector<HTMLElement>(selector)?.click()
    }
    const found: unknown[] = []
    for (const { address, press: pressed = [], spots } of all) {
      if (address !== undefined) {
        history.pushState(null, '', address)
        dispatchEvent(new PopStateEvent('popstate'))
        // The conversation before is shown until the next frame.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      }
      for (const selector of pressed) await press(selector)
      for (const { place, selector, attribute, texts } of spots) {
        const expected = texts.join()
        if (!(await within(5_000, () => window.textsAt(selector, attribute).join() === expected)))
          found.push({ place, address, pressed, texts, shown: window.textsAt(selector, attribute).slice(0, 5) })
      }
      if (found.length > 5) break
    }
    return found
  }, wanted)
  expect(missed).toEqual([])
  expect(stops).not.toEqual([])
  for (const { spots } of stops) for (const place of Object.keys(spots)) tried.add(place)
}
