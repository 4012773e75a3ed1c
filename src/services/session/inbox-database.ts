import { type IDBPDatabase, openDB } from 'idb'
import * as z from 'zod/mini'
import { type SavedInbox, savedInbox } from '../../schemas/saved-inbox.ts'
import { savedDatabase, savedStore, screenKey } from './saved-database.ts'

/** A stored copy with another number is deleted. Raise the number when the saved schemas change. */
const schemaVersion = 1

const keys = { inbox: 'inbox', deletions: 'deletions' } as const

const stored = z.object({
  schemaVersion: z.literal(schemaVersion),
  /** The address of the API, and the subject of the token. */
  api: z.string(),
  owner: z.string(),
  inbox: savedInbox,
})

/**
 * The saved copy of the inbox in IndexedDB, with the screen of that moment: one copy, of one user at one API. No call
 * rejects. If the browser blocks the storage or it is full, nothing is saved.
 */
export type InboxDatabase = {
  /** The copy of that user; null if there is none. Any other copy is deleted. */
  read(owner: string): Promise<SavedInbox | null>
  /** Saves, unless a copy was deleted since the last `read`, in this tab or in another. */
  save(owner: string, inbox: SavedInbox): Promise<void>
  /** Deletes the copy. */
  clear(): Promise<void>
}

/** Null as well if the code cannot be loaded: the copy is saved without the screen. */
const screenNow = () =>
  import('./take-screen.ts').then(({ takeScreen }) => takeScreen(globalThis.window)).catch(() => null)

export function createInboxDatabase({ api }: { api: string }): InboxDatabase {
  let database: Promise<IDBPDatabase> | null = null
  /** The number of deletions when this tab read, 0 if it has not read; null after its own deletion. */
  let deletionsSeen: number | null = 0

  const open = () => {
    database ??= openDB(savedDatabase, 1, {
      upgrade: (created) => void created.createObjectStore(savedStore),
      terminated: () => {
        database = null
      },
    }).catch((error: unknown) => {
      database = null
      throw error
    })
    return database
  }

  const deletionsIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

  async function withFallback<Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> {
    try {
      return await work()
    } catch {
      return otherwise
    }
  }

  const clear = () =>
    withFallback(async () => {
      deletionsSeen = null
      const transaction = (await open()).transaction(savedStore, 'readwrite')
      const deletions = deletionsIn(await transaction.store.get(keys.deletions))
      await Promise.all([
        transaction.store.delete(keys.inbox),
        transaction.store.delete(screenKey),
        transaction.store.put(deletions + 1, keys.deletions),
        transaction.done,
      ])
    }, undefined)

  const readStored = () =>
    withFallback(async () => {
      const transaction = (await open()).transaction(savedStore)
      const [deletions, value] = await Promise.all([
        transaction.store.get(keys.deletions),
        transaction.store.get(keys.inbox),
      ])
      return { deletions: deletionsIn(deletions), value: value as unknown }
    }, null)

  return {
    read: async (owner) => {
      const found = await readStored()
      if (found === null) return null
      deletionsSeen = found.deletions
      if (found.value === undefined) return null
      const parsed = z.safeParse(stored, found.value)
      if (parsed.success && parsed.data.api === api && parsed.data.owner === owner) return parsed.data.inbox
      await clear()
      deletionsSeen = (await readStored())?.deletions ?? null
      return null
    },

    save: (owner, inbox) =>
      withFallback(async () => {
        const seen = deletionsSeen
        const screen = await screenNow()
        const transaction = (await open()).transaction(savedStore, 'readwrite')
        const deletions = deletionsIn(await transaction.store.get(keys.deletions))
        if (deletions === seen) {
          await transaction.store.put({ schemaVersion, api, owner, inbox }, keys.inbox)
          if (screen === null) await transaction.store.delete(screenKey)
          else await transaction.store.put({ owner, ...screen }, screenKey)
        }
        await transaction.done
      }, undefined),

    clear,
  }
}
