import * as z from 'zod/mini'
import type { Outgoing } from '../../domain/send/outgoing.ts'
import { outgoingFile } from '../../schemas/outgoing-file.ts'
import { quotedMessage } from '../../schemas/reactions-receipts-replies.ts'
import type { StructuredContent } from '../../schemas/structured-message.ts'

const prefix = 'staff-inbox.outbox.'
const lockOf = (tab: string) => `${prefix}tab.${tab}`

const text = z.string()
const orNull = z.nullable(text)

const stored = z.object({
  staffId: text,
  tab: text,
  outgoing: z.object({
    key: text,
    recipient: z.object({
      conversationId: text,
      // An earlier version stored no name.
      name: z.catch(orNull, null),
      fbUserId: text,
      pages: z.array(z.object({ id: text, name: text })),
      psid: orNull,
      psidPageId: orNull,
    }),
    text,
    // An earlier version stored no file.
    file: z.catch(z.nullable(outgoingFile), null),
    replyTo: z.catch(z.optional(quotedMessage), undefined),
    // An earlier version stored none.
    // Only this code stores one, and the server checks it; the whole schema would join the first load.
    structured: z._default(z.nullable(z.custom<StructuredContent>((value) => typeof value === 'object')), null),
    chosenPageId: orNull,
    pageId: orNull,
    psid: orNull,
    createdAt: text,
    leftAt: orNull,
    // Another version of the page may have stored an unknown status. An 'unconfirmed' send is checked before the user
    // may retry it.
    status: z.catch(
      z.enum(['queued', 'pending', 'offline', 'waiting', 'unconfirmed', 'notFound', 'failed']),
      'unconfirmed',
    ),
    failure: orNull,
    echoId: orNull,
  }),
})
type Stored = z.infer<typeof stored>

type Settings = {
  /** May throw: access to `localStorage` throws if the browser blocks it. */
  area: () => Storage
  /** Missing on insecure origins. Then the sends of all other tabs count as left behind. */
  locks?: Pick<LockManager, 'request' | 'query'> | undefined
  /** How long to wait for another tab that is taking over sends left behind. In milliseconds. */
  lockLimit?: number
  /** Identifies this tab; a new value on each page load. */
  tab: string
}

/**
 * Stores unconfirmed sends, each under its own key, so that they survive a closed tab and tabs do not overwrite each
 * other's sends. Each open tab holds a lock. Sends of a tab without a lock count as left behind. No call throws.
 */
export function createOutboxStorage({ area, locks, lockLimit = 5_000, tab }: Settings) {
  let isHolding = false
  /** The keys that this session has stored. An earlier session of this tab may have stored others. */
  const own = new Set<string>()

  /** Without the lock, another tab would take over this tab's sends as left behind. */
  function hold(): void {
    if (isHolding || !locks) return
    isHolding = true
    locks.request(lockOf(tab), () => new Promise<never>(() => {})).catch(() => {})
  }

  function attempt<Result>(work: (store: Storage) => Result, otherwise: Result): Result {
    try {
      return work(area())
    } catch {
      return otherwise
    }
  }

  const keysIn = (store: Storage): string[] =>
    Array.from({ length: store.length }, (_, index) => store.key(index) ?? '').filter((key) => key.startsWith(prefix))

  const write = (entry: Stored) =>
    attempt((store) => store.setItem(`${prefix}${entry.outgoing.key}`, JSON.stringify(entry)), undefined)

  /** The stored sends. Entries that cannot be read are deleted. */
  const entries = (): Stored[] =>
    attempt(
      (store) =>
        keysIn(store).flatMap((key) => {
          const read = readEntry(store.getItem(key))
          if (read) return [read]
          store.removeItem(key)
          return []
        }),
      [],
    )

  const remove = (key: string) => attempt((store) => store.removeItem(`${prefix}${key}`), undefined)

  async function livingTabs(): Promise<Set<string>> {
    const { held = [] } = (await locks?.query()) ?? {}
    return new Set(held.flatMap(({ name }) => name ?? []))
  }

  function adopt(staffId: string, living: ReadonlySet<string>): Outgoing[] {
    const left: Outgoing[] = []
    for (const entry of entries()) {
      if (entry.staffId !== staffId) remove(entry.outgoing.key)
      else if (entry.tab === tab ? !own.has(entry.outgoing.key) : !living.has(lockOf(entry.tab))) {
        own.add(entry.outgoing.key)
        write({ ...entry, tab })
        left.push(entry.outgoing)
      }
    }
    return left.sort((a, b) => a.createdAt.localeCompare(b.createdAt))
  }

  return {
    /**
     * The sends that earlier tabs of this user, or an earlier session of this tab, left behind, oldest first. If
     * another tab hangs while it holds the lock, the sends stay stored until the next page load.
     */
    load: async ({ staffId }: { staffId: string }): Promise<readonly Outgoing[]> => {
      hold()
      if (!locks) return adopt(staffId, new Set())
      try {
        const signal = AbortSignal.timeout(lockLimit)
        return await locks.request(`${prefix}adopting`, { signal }, async () => adopt(staffId, await livingTabs()))
      } catch {
        return []
      }
    },

    store: (staffId: string, outgoing: Outgoing): void => {
      hold()
      own.add(outgoing.key)
      write({ staffId, tab, outgoing: { ...outgoing, recipient: copied(outgoing.recipient) } })
    },

    forget: remove,

    /** The number of sends that other tabs of this user hold. */
    countElsewhere: ({ staffId }: { staffId: string }): number =>
      entries().filter((entry) => entry.staffId === staffId && entry.tab !== tab).length,

    /** Deletes the sends of all tabs, when a user signs out. */
    forgetAll: (): void => {
      attempt((store) => {
        for (const key of keysIn(store)) store.removeItem(key)
      }, undefined)
    },
  }
}

const copied = (recipient: Outgoing['recipient']) => ({ ...recipient, pages: [...recipient.pages] })

function readEntry(json: string | null): Stored | null {
  try {
    const read = z.safeParse(stored, JSON.parse(json ?? ''))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
