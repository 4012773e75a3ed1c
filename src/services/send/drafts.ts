import * as z from 'zod/mini'
import { type Draft, isBlank, type ReceivedDraft, type StoredDraft } from '../../domain/send/draft.ts'

const prefix = 'staff-inbox.draft.'
const ownPrefix = (staffId: string) => `${prefix}${encodeURIComponent(staffId)}.`

const stored = z.object({ id: z.string(), text: z.string(), pageId: z.nullable(z.string()) })

type Settings = {
  /** May throw: access to `localStorage` throws if the browser blocks it. */
  area: () => Storage
  /** Receives the `storage` events of other tabs. */
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>
}

/**
 * Stores each draft under its own key in the browser, so that tabs do not overwrite each other's drafts. No call
 * throws.
 */
export function createDraftStorage({ area, window }: Settings) {
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
    /** Stores a draft. A blank draft is deleted. */
    store: ({ staffId, conversationId, draft }: StoredDraft & { staffId: string }): void =>
      attempt((store) => {
        const key = ownPrefix(staffId) + conversationId
        if (isBlank(draft)) store.removeItem(key)
        else store.setItem(key, JSON.stringify(draft))
      }),

    /**
     * Reports the stored drafts of this user, then the changes of the user's other tabs. Deletes drafts of other users.
     * Returns a function that stops it.
     */
    watch: (staffId: string, tell: (news: ReceivedDraft) => void): (() => void) => {
      const own = ownPrefix(staffId)
      attempt((store) => {
        for (const key of keysIn(store)) {
          const draft = key.startsWith(own) ? read(store.getItem(key)) : null
          if (draft === null) store.removeItem(key)
          else tell({ type: 'draft.received', conversationId: key.slice(own.length), draft })
        }
      })
      const onStorage = ({ key, newValue }: StorageEvent) => {
        if (!key?.startsWith(own)) return
        tell({ type: 'draft.received', conversationId: key.slice(own.length), draft: read(newValue) })
      }
      window.addEventListener('storage', onStorage)
      return () => window.removeEventListener('storage', onStorage)
    },

    /** Deletes all drafts, when a user signs out. */
    forgetAll: (): void =>
      attempt((store) => {
        for (const key of keysIn(store)) store.removeItem(key)
      }),
  }
}

function read(json: string | null): Draft | null {
  try {
    const draft = z.safeParse(stored, JSON.parse(json ?? ''))
    return draft.success ? draft.data : null
  } catch {
    return null
  }
}
