/** What the browser reports about the tab and the computer. */
export type BrowserReport =
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  | { type: 'browser.online' }
  | { type: 'browser.offline' }
  /** The computer was suspended, so timers did not run. */
  | { type: 'clock.jumped' }
