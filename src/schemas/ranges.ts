/** What the server takes and the forms offer: least and most (spec section 9). */
export const ranges = {
  /** Minutes. */
  autoSyncInterval: [1, 60],
  hoursBack: [1, 24],
  /** Conversations. */
  historySync: [1, 100],
  orders: [1, 1_000],
} as const
