import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'

/** jsdom lays nothing out: a windowed list is told these heights, and a scroll goes where it is sent. */
export const layout = { scroller: 640, item: 60 }

const isScroller = (element: Element) => element.classList.contains('scroller')

Object.defineProperties(HTMLElement.prototype, {
  offsetHeight: {
    configurable: true,
    get(this: HTMLElement) {
      return isScroller(this) ? layout.scroller : layout.item
    },
  },
  offsetWidth: { configurable: true, get: () => 400 },
  clientHeight: {
    configurable: true,
    get(this: HTMLElement) {
      return isScroller(this) ? layout.scroller : layout.item
    },
  },
  scrollHeight: {
    configurable: true,
    get(this: HTMLElement) {
      const inner = this.firstElementChild
      return inner instanceof HTMLElement ? Number.parseFloat(inner.style.height) || layout.item : layout.item
    },
  },
  scrollTo: {
    configurable: true,
    value(this: HTMLElement, options: ScrollToOptions) {
      const top = options.top ?? 0
      if (this.scrollTop === top) return
      this.scrollTop = top
      queueMicrotask(() => this.dispatchEvent(new Event('scroll')))
    },
  },
})

/** Sizes never change here by themselves. */
class StillResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver = StillResizeObserver

/** What a page has still to do when its tests are over, such as taking a toast away, it cannot do without a window. */
const timers = new Set<ReturnType<typeof setTimeout>>()
const begin = globalThis.setTimeout
// Not a stub of vitest's, which a test may take back together with its own.
globalThis.setTimeout = Object.assign((...call: Parameters<typeof begin>) => {
  const timer = begin(...call)
  timers.add(timer)
  return timer
}, begin)
afterAll(() => {
  for (const timer of timers) clearTimeout(timer)
})

beforeEach(() => {
  vi.useRealTimers()
  document.title = 'Inbox'
})

afterEach(cleanup)
