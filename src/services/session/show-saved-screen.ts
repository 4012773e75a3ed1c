import type { TextStorage } from '../storage.ts'
import { savedDatabaseMayExist } from './saved-database.ts'
import { isSharedComputer } from './shared-computer.ts'
import type { TokenStore } from './tokens.ts'

type Settings = { tokens: TokenStore; storage: TextStorage }

/** Draws what the user of the stored token saw last, if this browser has kept it. Does not reject. */
export async function showSavedScreen(window: Window, { tokens, storage }: Settings): Promise<void> {
  tokens.adopt()
  const user = tokens.owner()
  if (user === null || isSharedComputer(storage) || !(await savedDatabaseMayExist())) return
  const loaded = await import('./saved-screen.ts').catch(() => null)
  await loaded?.drawSavedScreen(window, user)
}
