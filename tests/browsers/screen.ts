import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Key, type WebDriver, type WebElement } from 'selenium-webdriver'

type Wanted = {
  role: string
  /** The whole accessible name. */
  name?: string
  /** A part of the text. */
  text?: string
  /** Only inside the element with this role and name. */
  within?: { role: string; name: string }
}

const { resolve } = createRequire(import.meta.url)
/** The scripts of libraries, by the global name that each defines in the page. */
const libraries = {
  TestingLibraryDom: await readFile(resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'), 'utf8'),
  axe: await readFile(resolve('axe-core/axe.min.js'), 'utf8'),
}

/** Milliseconds. A reconnection takes longest. */
const patience = 30_000

/** The page in a browser. Elements are found by role, name and text, as people find them. */
export class Screen {
  readonly driver: WebDriver
  readonly #url: string
  /** The errors of earlier loads of the page. */
  readonly #errors: string[] = []

  constructor(driver: WebDriver, url: string) {
    this.driver = driver
    this.#url = url
  }

  async open(path: string): Promise<void> {
    await this.driver.get(`${this.#url}${path}`)
    await this.driver.executeScript(recordErrors)
  }

  async reload(): Promise<void> {
    this.#errors.push(...(await this.#currentErrors()))
    await this.driver.navigate().refresh()
    await this.driver.executeScript(recordErrors)
  }

  /** The errors of the page's own code. */
  async errors(): Promise<string[]> {
    return [...this.#errors, ...(await this.#currentErrors())]
  }

  /** The visible elements that fit, in the order of the page. */
  async all(wanted: Wanted): Promise<WebElement[]> {
    await this.#load('TestingLibraryDom')
    return this.driver.executeScript(findAll, wanted)
  }

  /** Waits until exactly one visible element fits. */
  async one(wanted: Wanted): Promise<WebElement> {
    const [element] = await this.count(wanted, 1)
    if (!element) throw new Error('The element is gone')
    return element
  }

  /** Waits until this many visible elements fit. */
  async count(wanted: Wanted, count: number): Promise<WebElement[]> {
    let found: WebElement[] = []
    await this.until(`${count} × ${JSON.stringify(wanted)}`, async () => {
      found = await this.all(wanted)
      return found.length === count
    })
    return found
  }

  async click(wanted: Wanted): Promise<void> {
    const element = await this.one(wanted)
    await this.until('nothing moves', () => this.driver.executeScript(nothingMoves))
    await element.click()
  }

  /** Replaces the text of a field. */
  async fill(wanted: Wanted, text: string): Promise<void> {
    await this.click(wanted)
    await this.press([Key.CONTROL, 'a'], text)
  }

  async valueOf(field: Wanted): Promise<unknown> {
    return this.driver.executeScript((element: HTMLInputElement) => element.value, await this.one(field))
  }

  /** Types where the focus is. Keys that are named in an array are held together. */
  async press(...keys: readonly (string | readonly string[])[]): Promise<void> {
    for (const key of keys) {
      const [held = [], last = ''] = typeof key === 'string' ? [[], key] : [key.slice(0, -1), key.at(-1)]
      let actions = this.driver.actions()
      for (const modifier of held) actions = actions.keyDown(modifier)
      actions = actions.sendKeys(last)
      for (const modifier of held) actions = actions.keyUp(modifier)
      await actions.perform()
    }
  }

  /** Waits until the focus is on the one element that fits. */
  async isFocused(wanted: Wanted): Promise<void> {
    await this.until(`the focus is on ${JSON.stringify(wanted)}`, async () => {
      const [element, ...others] = await this.all(wanted)
      if (!element || others.length > 0) return false
      return this.driver.executeScript<boolean>((one: Element) => document.activeElement === one, element)
    })
  }

  /** Waits until the focus is on or in the one element that fits. */
  async hasFocusInside(wanted: Wanted): Promise<void> {
    const outer = await this.one(wanted)
    await this.until(`the focus is in ${JSON.stringify(wanted)}`, () =>
      this.driver.executeScript<boolean>((one: Element) => one.contains(document.activeElement), outer),
    )
  }

  /** Whether the page has the layout of a phone, dark colours, and something wider than the window. */
  look(): Promise<{ isPhone: boolean; isDark: boolean; overflows: boolean }> {
    return this.driver.executeScript(() => {
      const { backgroundColor } = getComputedStyle(document.documentElement)
      const [red = 255] = (backgroundColor.match(/\d+/g) ?? []).map(Number)
      return {
        isPhone: innerWidth < 640,
        isDark: red < 64,
        overflows: document.documentElement.scrollWidth > innerWidth,
      }
    })
  }

  /** The violations that axe finds, with the elements. */
  async violations(): Promise<string[]> {
    await this.#load('axe')
    return this.driver.executeAsyncScript((done: (found: string[]) => void) => {
      Reflect.get(window, 'axe')
        .run()
        .then(({ violations }: { violations: { id: string; nodes: { target: string[] }[] }[] }) =>
          done(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)),
        )
    })
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    await this.driver.wait(
      async () => {
        try {
          return await holds()
        } catch (error) {
          // The element that was found was replaced before it was read.
          if (error instanceof Error && error.name === 'StaleElementReferenceError') return false
          throw error
        }
      },
      patience,
      what,
      50,
    )
  }

  #currentErrors(): Promise<string[]> {
    return this.driver.executeScript(() => Reflect.get(window, 'recordedErrors'))
  }

  async #load(library: keyof typeof libraries): Promise<void> {
    const isLoaded = await this.driver.executeScript<boolean>((name: string) => name in window, library)
    if (!isLoaded) await this.driver.executeScript(`${libraries[library]};window.${library} = ${library}`)
  }
}

// These run in the page.

function recordErrors(): void {
  if ('recordedErrors' in window) return
  const recordedErrors: string[] = []
  Object.assign(window, { recordedErrors })
  addEventListener('error', ({ message }) => {
    // No error: the browser delivers some notifications of resized elements in the next frame.
    if (!message.startsWith('ResizeObserver loop')) recordedErrors.push(message)
  })
  addEventListener('unhandledrejection', ({ reason }) => recordedErrors.push(String(reason)))
}

/** Rows that change their places, for example. */
function nothingMoves(): boolean {
  return !document.getAnimations().some((animation) => animation instanceof CSSTransition)
}

function findAll({ role, name, text = '', within }: Wanted): Element[] {
  const { queryAllByRole } = Reflect.get(window, 'TestingLibraryDom')
  const places: HTMLElement[] = within
    ? queryAllByRole(document.body, within.role, { name: within.name })
    : [document.body]
  const found: Element[] = places.flatMap((place) => queryAllByRole(place, role, name === undefined ? {} : { name }))
  return found.filter((element) => element.textContent.includes(text))
}
