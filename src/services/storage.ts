/** Text by key, over reloads where the browser allows it. No call of it throws. */
export type TextStorage = {
  get(key: string): string | null
  set(key: string, text: string): void
  remove(key: string): void
  /** Calls once, at once if it has happened already, when something could not be kept beyond this tab. */
  onFailed(listener: () => void): () => void
}

/**
 * Storage that goes on in memory where the browser blocks it or has no room. `area` may throw: reading
 * `localStorage` does where it is forbidden.
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
