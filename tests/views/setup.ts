import { cleanup } from '@testing-library/react'
import * as React from 'react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'

/** jsdom has no layout: virtualized lists get these heights, and a scroll sets the position directly. */
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

/** Sizes never change by themselves in these tests. */
class StillResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver = StillResizeObserver

/**
 * React takes a stack trace for each of the first 10,000 elements of every second, to say in a warning where the element
 * was created. That takes five times as long as the element itself, 6 % of the CPU time of these tests.
 */
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Number.POSITIVE_INFINITY, set: () => {} })

/** Work that remains after the tests of a file, such as removing a toast, fails without a window. */
const timers = new Set<ReturnType<typeof setTimeout>>()
const begin = globalThis.setTimeout
// Not a vitest stub, because a test may restore that together with its own stubs.
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
