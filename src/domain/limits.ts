import { ranges } from '../schemas/ranges.ts'

/** Business constants (spec section 9). Times in milliseconds unless the name says otherwise. */
export const limits = {
  apiTimeout: 30_000,
  tokenRefreshThresholdSeconds: 300,
  toastDuplicateWindow: 3_000,
  toastStaleAfter: 6_000,
  toastDuration: { success: 3_000, info: 3_000, warning: 4_000, error: 5_000 },
  conversationPageSize: 20,
  messagePageSize: 50,
  conversationSearchDebounce: 500,
  clientSearchDebounce: 300,
  /** Characters. */
  clientSearchMinimum: 2,
  /** The newest ones, in the details of a client. */
  recentOrders: 5,
  /** As many of a client's orders as are added up. */
  clientOrders: ranges.orders[1],
  statsRefreshDebounce: 1_000,
  temporaryMessageWindow: 10_000,
  unreadBadgeCap: 9,
  scrollTrigger: 50,
  realtimeEventsPerSecond: 10,
  refreshBackoffStart: 200,
  statusPolling: 30_000,
  /** Older knowledge is marked as old. */
  statusMaxAge: 120_000,
  /** How often the addresses of the shown pictures are looked at, and how long before its end one is renewed. */
  pictureTick: 30_000,
  pictureRenewalLead: 120_000,
  autoSync: { interval: 5, hoursBack: 2, intervalRange: ranges.autoSyncInterval, hoursBackRange: ranges.hoursBack },
  /** Conversations; `perConversation` is how many messages the network gives of each. */
  historySync: { limit: 50, range: ranges.historySync, perConversation: 20 },
} as const
