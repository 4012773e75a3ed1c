import { ranges } from '../schemas/ranges.ts'

/** Business constants (spec section 9). Times in milliseconds unless the name says otherwise. */
export const limits = {
  apiTimeout: 30_000,
  tokenRefreshThresholdSeconds: 300,
  toastDuplicateWindow: 3_000,
  toastStaleAfter: 6_000,
  toastDuration: { success: 3_000, info: 3_000, warning: 4_000, error: 5_000 },
  /** How long the toast of a change can undo it. */
  undoDuration: 5_000,
  conversationPageSize: 20,
  messagePageSize: 50,
  conversationSearchDebounce: 500,
  clientSearchDebounce: 300,
  /** In characters. */
  clientSearchMinimum: 2,
  /** The number of orders shown in the client details. */
  recentOrders: 5,
  /** The maximum number of a client's orders that the totals include. */
  clientOrders: ranges.orders[1],
  statsRefreshDebounce: 1_000,
  temporaryMessageWindow: 10_000,
  unreadBadgeCap: 9,
  scrollTrigger: 50,
  realtimeEventsPerSecond: 10,
  refreshBackoffStart: 200,
  /** The reply windows after the person's last message. `human` applies to replies written by staff. */
  replyWindows: { standard: 24 * 3_600_000, human: 7 * 24 * 3_600_000 },
  /** How long a person may take to sign in at the network, and then to choose pages. */
  facebookLoginLifetime: 10 * 60_000,
  statusPolling: 30_000,
  /** An older status is shown as outdated. */
  statusMaxAge: 120_000,
  /** The interval at which picture addresses are checked, and how long before its expiry an address is renewed. */
  pictureTick: 30_000,
  pictureRenewalLead: 120_000,
  autoSync: { interval: 5, hoursBack: 2, intervalRange: ranges.autoSyncInterval, hoursBackRange: ranges.hoursBack },
  /**
   * `limit` and `range` count conversations. `perConversation` is the number of messages that the network returns for
   * each.
   */
  historySync: { limit: 50, range: ranges.historySync, perConversation: 20 },
} as const
