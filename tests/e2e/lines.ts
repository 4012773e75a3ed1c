import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'

/** The connection status that the header shows at a moment. */
type ShownConnection = {
  status: string
  /** The colour of the dot. */
  colour: string
  /** The lines in the thread at that moment. */
  lines: string[]
}

/** Unique texts; `take()` returns the next one. */
export function linesOf(): { take: () => string; taken: string[] } {
  const tag = randomUUID().slice(0, 8)
  const taken: string[] = []
  return {
    taken,
    take: () => {
      const line = `linya #${tag}-${taken.length + 1}#`
      taken.push(line)
      return line
    },
  }
}

/** The part of a line that identifies its test. */
export const tagOf = (line: string): string => line.split('-')[0] ?? ''

/** The lines that no text contains. */
export const missingIn = (texts: readonly string[], lines: readonly string[]): string[] =>
  lines.filter((line) => !texts.some((text) => text.includes(line)))

/** The lines in a place, top to bottom. */
export const linesIn = async (place: Locator): Promise<string[]> =>
  (await place.allTextContents()).flatMap((text) => text.match(/linya #.*?#/g) ?? [])

/**
 * Records in the browser every connection status of the header with the lines in the thread at that moment, and every line
 * that was in the thread twice, even for a single frame.
 */
export async function recordConnection(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const connectionHistory: ShownConnection[] = []
    const duplicates = new Set<string>()
    Object.assign(window, { connectionHistory, duplicates })
    const record = () => {
      const bubbles = document.querySelectorAll('[aria-label="Thread"] article')
      const lines = [...bubbles].flatMap(({ textContent }) => textContent.match(/linya #.*?#/g) ?? [])
      for (const [index, line] of lines.entries()) if (lines.indexOf(line) < index) duplicates.add(line)
      const pill = [...document.querySelectorAll('[role=status]')].find(({ textContent }) =>
        textContent.startsWith('Connection: '),
      )
      const [dot, , status] = pill?.children ?? []
      if (!dot || !status || status.textContent === connectionHistory.at(-1)?.status) return
      connectionHistory.push({ status: status.textContent, colour: getComputedStyle(dot).backgroundColor, lines })
    }
    new MutationObserver(record).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/** The connection statuses since the load, in order. Asserts that each status has its own colour. */
export async function connectionHistoryOf(page: Page): Promise<ShownConnection[]> {
  const history = await page.evaluate(() => window.connectionHistory)
  const statusOf = new Map(history.map(({ status, colour }) => [colour, status]))
  expect(history.map(({ colour }) => statusOf.get(colour))).toEqual(history.map(({ status }) => status))
  return history
}

/** The lines that were in the thread twice at any moment. */
export const duplicatesOf = (page: Page): Promise<string[]> => page.evaluate(() => [...window.duplicates])

declare global {
  interface Window {
    connectionHistory: ShownConnection[]
    duplicates: Set<string>
  }
}
