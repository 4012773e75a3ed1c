import * as z from 'zod/mini'
import { type Draft, isBlank, type ReceivedDraft, type StoredDraft } from '../../domain/send/draft.ts'

const prefix = 'staff-inbox.draft.'
const ownPrefix = (staffId: string) => `${prefix}${encodeURIComponent(staffId)}.`

const stored = z.object({ id: z.string(), text: z.string(), pageId: z.nullable(z.string()) })

type Settings = {
  /** May throw: reading `localStorage` does where it is forbidden. */
  area: () => Storage
  /** Where `storage` events of other tabs come in. */
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>
}

/** Keeps drafts in the browser, one entry each, so that tabs do not overwrite each other's. No call throws. */
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
    /** A draft with nothing in it is not kept. */
    store: ({ staffId, conversationId, draft }: StoredDraft & { staffId: string }): void =>
      attempt((store) => {
        const key = ownPrefix(staffId) + conversationId
        if (isBlank(draft)) store.removeItem(key)
        else store.setItem(key, JSON.stringify(draft))
      }),

    /**
     * Tells what this person left, then what their other tabs change, and forgets what others left here. Returns what
     * ends it.
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

    /** Everything: somebody signed out. */
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
