import type { TextStorage } from '../storage.ts'

const storageKey = 'staff-inbox.sharedComputer'

/** Whether the box "This is a shared computer" was ticked in this browser. */
export const isSharedComputer = (storage: TextStorage): boolean => storage.get(storageKey) === 'yes'

export function rememberSharedComputer(storage: TextStorage, isShared: boolean): void {
  if (isShared) storage.set(storageKey, 'yes')
  else storage.remove(storageKey)
}
