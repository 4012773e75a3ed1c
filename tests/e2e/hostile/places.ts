import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'

/** Where texts are read: of fields what stands in them, of other elements what they hold, or an attribute. */
type Spot = { selector: string; attribute?: string; texts: readonly string[] }

/** Places by name. */
type Spots = Readonly<Record<string, Spot>>

/** A way to a place: an address, and what is pressed there, one after the other. */
export type Stop = { address?: string; press?: readonly string[]; spots: Spots }

declare global {
  interface Window {
    textsAt: (selector: string, attribute?: string) => string[]
  }
}

// Only what has seen the texts adds to it.
const tried = new Set<string>()

/** The places at which the texts were seen in this test. */
export const placesTried = (): readonly string[] => [...tried]

/** Begins anew, and has the page read itself. Texts leave it as JSON, in which half of a surrogate pair survives. */
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

/** That places hold these texts, to the letter, so many and no other. */
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

/** Goes from stop to stop within the page, which is fast, and wants each to show its texts as `shows` does. */
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
