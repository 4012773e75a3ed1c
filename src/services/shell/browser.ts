import type { BrowserReport } from '../../domain/shell/browser-report.ts'

/** Milliseconds between two looks at the clock, and the gap after which the machine must have slept. */
const tick = 5_000
const sleepGap = 20_000

/**
 * Reports whether the tab is shown, whether the browser is online, and that the machine slept: a tick that comes much
 * too late. A hidden tab's timers are slowed, so only gaps between two looks of a shown one count. Returns what ends it.
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
