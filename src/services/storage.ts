/** Stores texts by key, across reloads if the browser allows it. No call throws. */
export type TextStorage = {
  get(key: string): string | null
  set(key: string, text: string): void
  remove(key: string): void
  /**
   * Calls the listener once when a value could not be stored beyond this tab; immediately if that has already happened.
   */
  onFailed(listener: () => void): () => void
}

/**
 * Storage that falls back to memory if the browser blocks it or it is full. `area` may throw: access to `localStorage`
 * throws if the browser blocks it.
 */
export function createStorage(area: () => Storage): TextStorage {
  const inMemory = new Map<string, string>()
  const listeners = new Set<() => void>()
  let hasFailed = false

  function attempt<Result>(work: (area: Storage) => Result): Result | null {
    try {
      return work(area())
    } catch {
      hasFailed = true
      for (const listener of listeners) listener()
      listeners.clear()
      return null
    }
  }

  return {
    get: (key) => inMemory.get(key) ?? attempt((store) => store.getItem(key)),
    set: (key, text) => {
      const kept = attempt((store) => {
        store.setItem(key, text)
        return true
      })
      if (kept) inMemory.delete(key)
      else inMemory.set(key, text)
    },
    remove: (key) => {
      inMemory.delete(key)
      attempt((store) => store.removeItem(key))
    },
    onFailed: (listener) => {
      if (hasFailed) listener()
      else listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
