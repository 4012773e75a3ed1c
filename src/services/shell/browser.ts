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
  let lastCheck = document.hidden ? null : now()

  const check = () => {
    const at = now()
    const slept = lastCheck !== null && at - lastCheck > sleepGap
    lastCheck = document.hidden ? null : at
    if (slept) report({ type: 'clock.jumped' })
  }
  const reportVisibility = () => {
    lastCheck = document.hidden ? null : now()
    report({ type: document.hidden ? 'tab.hidden' : 'tab.shown' })
  }
  const reportOnline = () => report({ type: 'browser.online' })
  const reportOffline = () => report({ type: 'browser.offline' })

  const timer = window.setInterval(check, tick)
  document.addEventListener('visibilitychange', reportVisibility)
  window.addEventListener('online', reportOnline)
  window.addEventListener('offline', reportOffline)
  if (document.hidden) report({ type: 'tab.hidden' })

  return () => {
    window.clearInterval(timer)
    document.removeEventListener('visibilitychange', reportVisibility)
    window.removeEventListener('online', reportOnline)
    window.removeEventListener('offline', reportOffline)
  }
}
