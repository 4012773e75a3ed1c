/** The types of the calls and reports about notifications, for the service and the machines. */

/**
 * Whether the browser may show desktop notifications: the person was not asked yet, has allowed or blocked them, or the
 * browser has none.
 */
export type NotificationPermissionState = 'undecided' | 'granted' | 'denied' | 'unsupported'

/** What the browser reports. Of the tabs of one person in a browser, the one that was used last leads. */
export type NotificationReport =
  | { type: 'permission.changed'; permission: NotificationPermissionState }
  /** The person uses this tab: the tab is visible and its window has the focus. */
  | { type: 'window.focused' }
  | { type: 'window.left' }
  | { type: 'lead.gained' }
  | { type: 'lead.lost' }
  | { type: 'notice.clicked'; conversationId: string }
  | { type: 'notice.commentsClicked'; threadId: string | null }
