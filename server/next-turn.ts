/**
 * Resolves when the event loop has read what has arrived. The embedded database runs in this thread, and a chain of its
 * queries lets no request in.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
