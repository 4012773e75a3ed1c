import * as React from 'react'

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

/** jsdom has no animations, no scrolling into view and no media queries. */
Element.prototype.animate = () => ({}) as Animation
Element.prototype.scrollIntoView = () => undefined
window.matchMedia = () => ({ matches: false }) as MediaQueryList

/** jsdom has no clipboard. The library `user-event` adds one at its first use, so what is shown would depend on the order of the tests. */
Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async () => {} } })

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

/** Work that remains when the page is gone, such as removing a toast, would fail without a window. */
const begin = globalThis.setTimeout
// Not a vitest stub, because a test may restore that together with its own stubs.
globalThis.setTimeout = Object.assign(
  (work: (...values: unknown[]) => void, delay?: number, ...values: unknown[]) =>
    begin(() => {
      if (typeof window !== 'undefined') work(...values)
    }, delay),
  begin,
)

/**
 * jsdom runs frames with the global timers. If a test replaces and restores the timers while a frame waits, no later test
 * gets a frame. These frames use the real timers, and take 1 ms instead of 16.
 */
const { setTimeout: later, clearTimeout: cancel } = globalThis
const frames = {
  requestAnimationFrame: (callback: FrameRequestCallback) => Number(later(() => callback(performance.now()))),
  cancelAnimationFrame: (handle: number) => cancel(handle),
}
// The window of jsdom is another object than the global one.
for (const target of [globalThis, document.defaultView]) if (target) Object.assign(target, frames)

const computedStyle = window.getComputedStyle.bind(window)

const inlineStyle = (element: Element) =>
  element instanceof HTMLElement && element.hasAttribute('style') ? element.style : null

/** The display of an element without a style of its own, by the parts that the style sheet of browsers names. */
const displays = new Map<string, string>()
const deciding = ['hidden', 'open', 'type']

function displayOf(element: Element): string {
  const own = inlineStyle(element)?.display
  if (own) return own
  // No attribute says whether a popover is open.
  if (element.hasAttribute('popover')) return computedStyle(element).display
  // `join` would write null as an empty text, like an empty attribute.
  const key = [element.localName, ...deciding.map((name) => String(element.getAttribute(name)))].join()
  let display = displays.get(key)
  if (display === undefined) {
    const like = document.createElementNS(element.namespaceURI, element.localName)
    for (const name of deciding) {
      const value = element.getAttribute(name)
      if (value !== null) like.setAttribute(name, value)
    }
    document.documentElement.append(like)
    display = computedStyle(like).display
    like.remove()
    displays.set(key, display)
  }
  return display
}

/** The value of the nearest element that sets the inherited property. */
function inherited(element: Element, property: 'visibility' | 'pointerEvents', initial: string): string {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const own = inlineStyle(at)?.[property]
    if (own) return own
  }
  return initial
}

/**
 * jsdom matches all rules of all style sheets at each call, and queries by role call this for each element and its
 * ancestors. These tests load no style sheet of the product, so attributes and inline styles decide what is shown.
 */
window.getComputedStyle = (element, pseudo) => {
  if (pseudo) return computedStyle(element)
  const quick: Record<string, () => string> = {
    display: () => displayOf(element),
    visibility: () => inherited(element, 'visibility', 'visible'),
    pointerEvents: () => inherited(element, 'pointerEvents', 'auto'),
  }
  let full: CSSStyleDeclaration | undefined
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_, property) => {
      const value = typeof property === 'string' ? quick[property] : undefined
      if (value) return value()
      full ??= computedStyle(element)
      if (property === 'getPropertyValue')
        return (name: string) => quick[name]?.() ?? full?.getPropertyValue(name) ?? ''
      return Reflect.get(full, property)
    },
  })
}
