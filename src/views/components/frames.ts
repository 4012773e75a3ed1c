/** `rendering`: the changes of one task are rendered at once. `rendered`: everything else waits for the next frame. */
type Phase = 'idle' | 'rendering' | 'rendered'

let page: Window | null = null
let phase: Phase = 'idle'
const waiting = new Set<() => void>()

/**
 * From now on, changes that no person caused are rendered at most once a frame: the first one at once, further ones
 * together before the next paint. Without this call, as in tests of views, every change is rendered at once.
 */
export function renderByFrame(window: Window): void {
  page = window
  window.document.addEventListener('visibilitychange', renderWaiting)
}

/** Calls `render`, a function of React that schedules a commit, now or before the next paint. */
export function inFrame(render: () => void): void {
  if (page === null || page.document.hidden) {
    render()
    return
  }
  if (phase === 'rendered' && !isPersonActing(page)) {
    waiting.add(render)
    return
  }
  if (phase === 'idle') page.requestAnimationFrame(endFrame)
  if (phase !== 'rendering') {
    phase = 'rendering'
    queueMicrotask(() => {
      phase = 'rendered'
    })
  }
  render()
}

/** Cancels a call that waits for a frame. */
export function notInFrame(render: () => void): void {
  waiting.delete(render)
}

function endFrame(): void {
  phase = 'idle'
  renderWaiting()
}

function renderWaiting(): void {
  const renders = [...waiting]
  waiting.clear()
  for (const render of renders) inFrame(render)
}

/**
 * Whether an event of the page is handled right now, as of a key or the pointer; messages of sockets do not count. A
 * field loses the position of its caret if its text is not rendered before the event ends.
 */
function isPersonActing({ event }: Window): boolean {
  return event !== undefined && !(event instanceof MessageEvent)
}
