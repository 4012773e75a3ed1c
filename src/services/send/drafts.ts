import * as z from 'zod/mini'
import { isBlank, type ReceivedDraft, type StoredDraft } from '../../domain/send/draft.ts'
import type { DraftExtras } from '../../schemas/draft.ts'
import { quotedMessage } from '../../schemas/reactions-receipts-replies.ts'

// Only this code stores them, and the server checks them; the whole schema would join the first load.
const extras = z.custom<DraftExtras>()

const stored = z.object({
  id: z.string(),
  text: z.string(),
  pageId: z.nullable(z.string()),
  replyTo: z.catch(z.optional(z.object({ message: quotedMessage, pageId: z.string() })), undefined),
  extras: z.optional(extras),
  saved: z.optional(
    z.object({
      version: z.nullable(z.string()),
      text: z.string(),
      // An earlier version stored none.
      extras: z._default(z.nullable(extras), null),
      sent: z.readonly(z.array(z.string())),
    }),
  ),
})

type Settings = {
  /** Typed replies and typed notes are stored apart. */
  kind: 'draft' | 'note'
  /** May throw: access to `localStorage` throws if the browser blocks it. */
  area: () => Storage
  /** Receives the `storage` events of other tabs. */
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>
}

/**
 * Stores each draft under its own key in the browser, so that tabs do not overwrite each other's drafts. No call
 * throws.
 */
export function createDraftStorage({ kind, area, window }: Settings) {
  const prefix = `staff-inbox.${kind}.`
  const ownPrefix = (staffId: string) => `${prefix}${encodeURIComponent(staffId)}.`

  function attempt(work: (store: Storage) => void): void {
    try {
      work(area())
    } catch {
      return
    }
  }

  const keysIn = (store: Storage): string[] =>
    Array.from({ length: store.length }, (_, index) => store.key(index) ?? '').filter((key) => key.startsWith(prefix))

  return {
    /** Stores a draft. A blank draft is deleted, unless the server still has a draft. */
    store: ({ staffId, conversationId, draft, saved }: StoredDraft & { staffId: string }): void =>
      attempt((store) => {
        const key = ownPrefix(staffId) + conversationId
        if (isBlank(draft) && (saved?.version ?? null) === null) store.removeItem(key)
        else store.setItem(key, JSON.stringify({ ...draft, saved }))
      }),

    /**
     * Reports the stored drafts of this user, then the changes of the user's other tabs. Deletes drafts of other users.
     * Returns a function that stops it.
     */
    watch: (staffId: string, tell: (news: ReceivedDraft) => void): (() => void) => {
      const own = ownPrefix(staffId)
      attempt((store) => {
        for (const key of keysIn(store)) {
          const kept = key.startsWith(own) ? read(store.getItem(key)) : null
          if (kept === null) store.removeItem(key)
          else tell({ type: 'draft.received', conversationId: key.slice(own.length), ...kept })
        }
      })
      const onStorage = ({ key, newValue }: StorageEvent) => {
        if (!key?.startsWith(own)) return
        tell({ type: 'draft.received', conversationId: key.slice(own.length), ...(read(newValue) ?? { draft: null }) })
      }
      window.addEventListener('storage', onStorage)
      return () => window.removeEventListener('storage', onStorage)
    },

    /** The number of texts of this user that are stored. */
    count: (staffId: string): number => {
      let count = 0
      attempt((store) => {
        const own = keysIn(store).filter((key) => key.startsWith(ownPrefix(staffId)))
        count = own.filter((key) => (read(store.getItem(key))?.draft?.text.trim() ?? '') !== '').length
      })
      return count
    },

    /** Deletes all drafts, when a user signs out. */
    forgetAll: (): void =>
      attempt((store) => {
        for (const key of keysIn(store)) store.removeItem(key)
      }),
  }
}

function read(json: string | null): Omit<StoredDraft, 'conversationId'> | null {
  try {
    const { success, data } = z.safeParse(stored, JSON.parse(json ?? ''))
    if (!success) return null
    const { saved, ...draft } = data
    return saved === undefined ? { draft } : { draft, saved }
  } catch {
    return null
  }
}
