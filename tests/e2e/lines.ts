import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'

/** What the header said of the connection at a moment. */
type Sign = {
  word: string
  /** The colour of its dot. */
  colour: string
  /** The lines that stood in the thread with it. */
  lines: string[]
}

/** Texts that are told apart by a mark, each of them once: `take()` is the next one. */
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

/** What tells these lines from those of other tests. */
export const tagOf = (line: string): string => line.split('-')[0] ?? ''

/** The lines that no text holds. */
export const missingIn = (texts: readonly string[], lines: readonly string[]): string[] =>
  lines.filter((line) => !texts.some((text) => text.includes(line)))

/** The lines that stand there, top to bottom. */
export const linesIn = async (place: Locator): Promise<string[]> =>
  (await place.allTextContents()).flatMap((text) => text.match(/linya #.*?#/g) ?? [])

/**
 * Has the page note all that its header says of the connection, with the lines in the thread at that moment, and every
 * line that stood there twice, if only for a frame.
 */
export async function noteSigns(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const signs: Sign[] = []
    const doubled = new Set<string>()
    Object.assign(window, { signs, doubled })
    const look = () => {
      const bubbles = document.querySelectorAll('[aria-label="Thread"] article')
      const lines = [...bubbles].flatMap(({ textContent }) => textContent.match(/linya #.*?#/g) ?? [])
      for (const [index, line] of lines.entries()) if (lines.indexOf(line) < index) doubled.add(line)
      const pill = [...document.querySelectorAll('[role=status]')].find(({ textContent }) =>
        textContent.startsWith('Connection: '),
      )
      const [dot, , word] = pill?.children ?? []
      if (!dot || !word || word.textContent === signs.at(-1)?.word) return
      signs.push({ word: word.textContent, colour: getComputedStyle(dot).backgroundColor, lines })
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/** What the header said since the page was loaded, in order. Each word has a colour of its own: green is Live's alone. */
export async function signsOf(page: Page): Promise<Sign[]> {
  const signs = await page.evaluate(() => window.signs)
  const wordOf = new Map(signs.map(({ word, colour }) => [colour, word]))
  expect(signs.map(({ colour }) => wordOf.get(colour))).toEqual(signs.map(({ word }) => word))
  return signs
}

/** The lines that stood twice in the thread at any moment. */
export const doubledOf = (page: Page): Promise<string[]> => page.evaluate(() => [...window.doubled])

declare global {
  interface Window {
    signs: Sign[]
    doubled: Set<string>
  }
}
