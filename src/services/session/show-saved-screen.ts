import type { TextStorage } from '../storage.ts'
import { savedDatabaseMayExist } from './saved-database.ts'
import { isSharedComputer } from './shared-computer.ts'
import type { TokenStore } from './tokens.ts'

type Settings = { tokens: TokenStore; storage: TextStorage }

/** Milliseconds. At a quarter of the usual speed, reading and drawing take about 200. */
const longestWait = 500

/** Draws what the owner of the stored token saw last, if this browser has kept it. Does not reject. */
export async function showSavedScreen(window: Window, settings: Settings): Promise<void> {
  let isLate = false
  const late = new Promise<void>((resolve) => {
    window.setTimeout(() => {
      isLate = true
      resolve()
    }, longestWait)
  })
  await Promise.race([late, draw(window, settings, () => !isLate).catch(() => {})])
}

async function draw(window: Window, { tokens, storage }: Settings, isInTime: () => boolean): Promise<void> {
  const owner = () => (tokens.adopt() === null || isSharedComputer(storage) ? null : tokens.owner())
  // A hidden tab paints nothing.
  if (owner() === null || window.document.hidden || !(await savedDatabaseMayExist())) return
  const { drawSavedScreen } = await import('./saved-screen.ts')
  // Another tab may have ended the session meanwhile.
  await drawSavedScreen(window, (of) => isInTime() && of === owner())
}
