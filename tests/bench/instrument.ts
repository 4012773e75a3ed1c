/**
 * Runs in the browser before the application. Records the first paint of each text that matches `event-<number>.` or
 * `thread-<index>-<number>.`: the end of the frame after its DOM mutation. Times are milliseconds of the wall clock.
 */
export function instrument(): void {
  const seen = new Map<string, number>()
  const waiting = new Set<string>()
  const afterPaint = new MessageChannel()
  const wallClock = () => performance.timeOrigin + performance.now()
  const collect = (node: Node) => {
    for (const [token] of (node.textContent ?? '').matchAll(/(?:event-\d+|thread-\d+-\d+)(?=\.)/g)) {
      if (!seen.has(token)) waiting.add(token)
    }
  }
  new MutationObserver((mutations) => {
    for (const { target, type, addedNodes } of mutations) {
      if (type === 'characterData') collect(target)
      for (const node of addedNodes) collect(node)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })

  afterPaint.port1.onmessage = () => {
    const now = wallClock()
    for (const token of waiting) seen.set(token, now)
    waiting.clear()
  }
  const frame = () => {
    afterPaint.port2.postMessage(null)
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  Object.assign(window, { paintedAt: seen, wallClock })
}

declare global {
  interface Window {
    paintedAt: Map<string, number>
    wallClock: () => number
  }
}
