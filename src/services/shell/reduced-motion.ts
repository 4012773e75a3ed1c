import type { TextStorage } from '../storage.ts'

const storageKey = 'staff-inbox.reducedMotion'

export const isMotionReduced = (storage: TextStorage): boolean => storage.get(storageKey) === 'yes'

/** Applies the choice to the document, and stores it unless it is the default. */
export function showMotion(storage: TextStorage, isReduced: boolean): void {
  document.documentElement.toggleAttribute('data-still', isReduced)
  if (isReduced) storage.set(storageKey, 'yes')
  else storage.remove(storageKey)
}
