/** A browser storage that several tabs can share. */
export function createArea(start: Record<string, string> = {}): Storage {
  const held = new Map(Object.entries(start))
  return {
    get length() {
      return held.size
    },
    key: (index) => [...held.keys()][index] ?? null,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, text) => void held.set(key, String(text)),
    removeItem: (key) => void held.delete(key),
    clear: () => held.clear(),
  }
}

export const contentOf = (area: Storage): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: area.length }, (_, index) => {
      const key = area.key(index) ?? ''
      return [key, area.getItem(key) ?? '']
    }),
  )
