/** Runs in the page: marks, by its name, the frame after the one in which the element of each selector first stands there. */
export function notePaints(selectors: Readonly<Record<string, string>>): void {
  const awaited = new Map(Object.entries(selectors))
  new MutationObserver((_, observer) => {
    for (const [name, selector] of awaited) {
      if (document.querySelector(selector) === null) continue
      awaited.delete(name)
      requestAnimationFrame(() => setTimeout(() => performance.mark(name)))
    }
    if (awaited.size === 0) observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}
