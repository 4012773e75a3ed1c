type Appearance = 'system' | 'light' | 'dark'

const storageKey = 'appearance'

/** The appearance chosen in this browser; the system setting if none is stored or storage is blocked. */
export function rememberedAppearance(): Appearance {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/**
 * Applies the appearance to the document and stores it. If storage is blocked, the appearance lasts until the next
 * load.
 */
export function showAppearance(appearance: Appearance): void {
  const root = document.documentElement
  if (appearance === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = appearance
  try {
    if (appearance === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, appearance)
  } catch {
    return
  }
}
