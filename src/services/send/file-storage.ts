import { type IDBPDatabase, openDB } from 'idb'
import * as z from 'zod/mini'
import type { AttachedFile } from '../../domain/send/attached-files.ts'
import { platform } from '../../schemas/conversation.ts'
import { outgoingFile } from '../../schemas/outgoing-file.ts'

const databaseName = 'staff-inbox-files'
const store = 'files'
/** Bytes of all stored files. What does not fit is uploaded all the same, and lost by a reload before that. */
const maxBytes = 250_000_000

const stored = z.object({
  staffId: z.string(),
  position: z.number(),
  file: z.object({
    id: z.string(),
    conversationId: z.string(),
    platform: z.nullable(platform),
    name: z.string(),
    blob: z.nullable(z.instanceof(Blob)),
    copyOf: z.nullish(z.object({ replyId: z.string(), picture: outgoingFile })),
    status: z.enum(['waiting', 'uploading', 'uploaded', 'failed', 'refused']),
    uploaded: z.nullable(outgoingFile),
    failure: z.nullable(z.string()),
  }),
})

/** The state after a reload: an upload that was interrupted begins again under the same id. */
const restored = (file: z.infer<typeof stored>['file']): AttachedFile => ({
  ...file,
  copyOf: file.copyOf ?? null,
  sent: 0,
  ...(file.status === 'uploading' || file.status === 'failed' ? { status: 'waiting', failure: null } : {}),
})

/** Keeps the bytes of attached files in IndexedDB. No call rejects: if the browser blocks it, nothing is kept. */
export function createFileStorage() {
  let database: Promise<IDBPDatabase> | null = null
  const others = new BroadcastChannel(databaseName)
  /** The files that other tabs were told about. */
  const told = new Set<string>()
  /** Writes happen one after the other, so that an older list never replaces a newer one. */
  let writing: Promise<void> = Promise.resolve()

  const open = () => {
    database ??= openDB(databaseName, 1, { upgrade: (created) => void created.createObjectStore(store) }).catch(
      (error: unknown) => {
        database = null
        throw error
      },
    )
    return database
  }

  const afterOthers = (write: () => Promise<void>): Promise<void> => {
    writing = writing.then(write).catch(() => {})
    return writing
  }

  return {
    /** The files of this person, in their order. Those of another person are deleted. */
    load: async (staffId: string): Promise<readonly AttachedFile[]> => {
      try {
        const transaction = (await open()).transaction(store, 'readwrite')
        const [ids, values] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()])
        const found = values.flatMap((value: unknown, index) => {
          const read = z.safeParse(stored, value)
          if (read.success && read.data.staffId === staffId) return [read.data]
          void transaction.store.delete(ids[index] ?? '')
          return []
        })
        await transaction.done
        return found.toSorted((one, other) => one.position - other.position).map(({ file }) => restored(file))
      } catch {
        return []
      }
    },

    /** Replaces the stored files of this tab's list. `known` names the files that this tab has stored or loaded. */
    save: (staffId: string, files: readonly AttachedFile[], known: ReadonlySet<string>): Promise<void> =>
      afterOthers(async () => {
        const transaction = (await open()).transaction(store, 'readwrite')
        const kept = new Set(files.map(({ id }) => id))
        for (const id of known) if (!kept.has(id)) void transaction.store.delete(id)
        let bytes = 0
        for (const [position, { sent: _, ...file }] of files.entries()) {
          bytes += file.blob?.size ?? 0
          if (bytes <= maxBytes) void transaction.store.put({ staffId, position, file }, file.id)
        }
        await transaction.done
        const gone = [...known].filter((id) => !kept.has(id) && !told.has(id))
        for (const id of gone) told.add(id)
        if (gone.length > 0) others.postMessage(gone)
      }),

    /** Reports the files that other tabs sent or removed. Returns a function that stops the reports. */
    watchOtherTabs: (report: (ids: readonly string[]) => void): (() => void) => {
      const listener = ({ data }: MessageEvent) => {
        const ids = z.safeParse(z.array(z.string()), data)
        if (ids.success) report(ids.data)
      }
      others.addEventListener('message', listener)
      return () => others.removeEventListener('message', listener)
    },

    /** Deletes the files of all people, when a user signs out. */
    forgetAll: (): Promise<void> =>
      afterOthers(async () => {
        await (await open()).clear(store)
      }),
  }
}
