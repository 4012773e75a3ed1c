/** The minimum and maximum that the server accepts and the forms offer (spec section 9). */
export const ranges = {
  /** In minutes. */
  autoSyncInterval: [1, 60],
  hoursBack: [1, 24],
  /** In conversations. */
  historySync: [1, 100],
  orders: [1, 1_000],
} as const
