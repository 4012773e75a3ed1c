/** The types of the calls and reports about Web Push, for the service and the machines. */

/**
 * Whether this browser can be notified while the inbox is closed. `uninstalled`: only after the page was added to the
 * home screen. `on`: the browser has a subscription of this person, which the server may not know.
 */
export type PushDevice = 'unsupported' | 'uninstalled' | 'denied' | 'off' | 'on'

/** The answer of a person to the question of the browser, and what follows. */
export type PushAnswer = { outcome: 'on'; id: string } | { outcome: 'denied' | 'off' }

export type PushReport =
  /** The browser has replaced its subscription. */
  | { type: 'push.replaced' }
  /** The person has clicked a notification of the service worker. */
  | { type: 'push.clicked'; conversationId: string }
  | { type: 'push.commentsClicked'; threadId: string | null }
