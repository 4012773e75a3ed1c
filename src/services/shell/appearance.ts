type Appearance = 'system' | 'light' | 'dark'

const storageKey = 'appearance'

/** What the person chose on this machine; the system's choice where nothing is stored or storage is blocked. */
export function rememberedAppearance(): Appearance {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Shows the appearance on the document and remembers it; where storage is blocked it holds for this visit. */
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
