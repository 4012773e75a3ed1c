import type { BrowserReport } from '../../domain/shell/browser-report.ts'

/** In milliseconds: the interval of clock checks, and the gap after which the computer must have been suspended. */
const tick = 5_000
const sleepGap = 20_000

/**
 * Reports whether the tab is visible, whether the browser is online, and that the computer was suspended, detected by a
 * tick that is much too late. Browsers slow down the timers of hidden tabs, so only gaps between two ticks of a visible
 * tab count. Returns a function that stops it.
 */
export function watchBrowser(window: Window, now: () => number, report: (event: BrowserReport) => void): () => void {
  const { document } = window
  let lastLook = document.hidden ? null : now()

  const look = () => {
    const at = now()
    const slept = lastLook !== null && at - lastLook > sleepGap
    lastLook = document.hidden ? null : at
    if (slept) report({ type: 'clock.jumped' })
  }
  const turn = () => {
    lastLook = document.hidden ? null : now()
    report({ type: document.hidden ? 'tab.hidden' : 'tab.shown' })
  }
  const comeOnline = () => report({ type: 'browser.online' })
  const goOffline = () => report({ type: 'browser.offline' })

  const timer = window.setInterval(look, tick)
  document.addEventListener('visibilitychange', turn)
  window.addEventListener('online', comeOnline)
  window.addEventListener('offline', goOffline)
  if (document.hidden) report({ type: 'tab.hidden' })

  return () => {
    window.clearInterval(timer)
    document.removeEventListener('visibilitychange', turn)
    window.removeEventListener('online', comeOnline)
    window.removeEventListener('offline', goOffline)
  }
}
