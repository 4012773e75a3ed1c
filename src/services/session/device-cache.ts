import type { SavedInbox } from '../../schemas/saved-inbox.ts'
import type { TextStorage } from '../storage.ts'
import type { InboxDatabase } from './inbox-database.ts'
import { savedDatabaseMayExist } from './saved-database.ts'
import { isSharedComputer } from './shared-computer.ts'
import type { TokenStore } from './tokens.ts'

type Settings = {
  /** The address of the API. */
  api: string
  tokens: TokenStore
  storage: TextStorage
  /**
   * Called if a stored session was found, because the code of the inbox will then be needed, with or without a copy.
   */
  expectInbox: () => void
}

/**
 * The copy of the inbox in this browser, for the next start. No call rejects. The code of the database is loaded on
 * demand, because /login does not need it.
 */
export function createDeviceCache({ api, tokens, storage, expectInbox }: Settings) {
  let opening: Promise<InboxDatabase> | null = null
  /** The user of the last `read`, who is the user of the current session; null if the token has no subject. */
  let owner: string | null = null

  const database = (): Promise<InboxDatabase | null> => {
    opening ??= import('./inbox-database.ts').then(({ createInboxDatabase }) => createInboxDatabase({ api }))
    return opening.catch(() => {
      opening = null
      return null
    })
  }

  async function clear(): Promise<void> {
    // The first save may be creating the database.
    if (opening !== null || (await savedDatabaseMayExist())) await (await database())?.clear()
  }

  return {
    /** The copy of the user whose token is stored. Copies of other users are deleted. */
    read: async (): Promise<SavedInbox | null> => {
      const held = tokens.current() ?? tokens.adopt()
      owner = tokens.owner()
      if (held === null) return null
      const person = owner
      const exists = savedDatabaseMayExist()
      expectInbox()
      if (person === null) await clear()
      if (person === null || isSharedComputer(storage) || !(await exists)) return null
      const saved = (await (await database())?.read(person)) ?? null
      // Another tab may have stored a session of another user in the meantime.
      return tokens.owner() === person ? saved : null
    },

    /** Saves for the user of the last `read`, unless the copy was deleted since then, in this tab or in another. */
    save: async (inbox: SavedInbox): Promise<void> => {
      const person = owner
      if (person !== null) await (await database())?.save(person, inbox)
    },

    clear,

    /** Whether the user stated at sign-in that this is a shared computer. */
    isShared: (): boolean => isSharedComputer(storage),
  }
}
