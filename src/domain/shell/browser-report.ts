/** What the browser reports about the tab and the machine it runs on. */
export type BrowserReport =
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  | { type: 'browser.online' }
  | { type: 'browser.offline' }
  /** The machine slept: timers stood still. */
  | { type: 'clock.jumped' }
