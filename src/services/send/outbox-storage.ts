import * as z from 'zod/mini'
import type { CommentAnswer } from '../../domain/comments/answers.ts'
import type { Outgoing } from '../../domain/send/outgoing.ts'
import { outgoingFile } from '../../schemas/outgoing-file.ts'
import { quotedMessage } from '../../schemas/reactions-receipts-replies.ts'
import type { StructuredContent } from '../../schemas/structured-message.ts'

/** All entries begin so. */
const common = 'staff-inbox.outbox'
const prefix = `${common}.`
const answersPrefix = `${common}-answer.`
const lockOf = (tab: string) => `${prefix}tab.${tab}`

const text = z.string()
const orNull = z.nullable(text)

// Another version of the page may have stored an unknown status. An 'unconfirmed' send is checked before the user may
// retry it.
const unknownStatus = 'unconfirmed'
const statuses = ['queued', 'pending', 'offline', 'waiting', 'unconfirmed', 'notFound', 'failed'] as const

const storedMessage = z.object({
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
  status: z.catch(z.enum(statuses), unknownStatus),
  failure: orNull,
  echoId: orNull,
})

const storedAnswer = z.object({
  key: text,
  comment: z.object({ id: text, threadId: text, postId: text, pageId: text, author: orNull }),
  kind: z.enum(['public', 'private']),
  text,
  createdAt: text,
  status: z.catch(z.enum([...statuses, 'typed']), unknownStatus),
  failure: orNull,
})

/** Of an entry of any kind. */
const storedOwner = z.object({ staffId: text, tab: text, outgoing: z.object({ status: text }) })

type Sent = { readonly key: string; readonly createdAt: string }
type Stored<Send> = { staffId: string; tab: string; outgoing: Send }

type Settings = {
  /** May throw: access to `localStorage` throws if the browser blocks it. */
  area: () => Storage
  /** Missing on insecure origins. Then the sends of all other tabs count as left behind. */
  locks?: Pick<LockManager, 'request' | 'query'> | undefined
  /** How long to wait for another tab that is taking over sends left behind. In milliseconds. */
  lockLimit?: number
  /** Identifies this tab; a new value on each page load. */
  tab: string
  /** Entries that the area refused, by their keys there. Shared by the sessions of a page load, which they outlive. */
  unstored: Map<string, string>
}

/**
 * Stores unconfirmed messages, and typed and unconfirmed answers to comments, each under its own key, so that they survive a
 * closed tab and tabs do not overwrite each other's. Each open tab holds a lock. What a tab without a lock stored counts as
 * left behind. What the browser cannot store, for example because its storage is full, is kept until the page is left. No
 * call throws.
 */
export function createOutboxStorage(settings: Settings) {
  const { area, tab, unstored } = settings
  const hold = holding(settings)
  const messages = storeOf<Outgoing>(settings, hold, prefix, storedMessage)
  const owners = (store: Storage) =>
    keysIn(store, common).flatMap((key) => {
      const read = readEntry(storedOwner, store.getItem(key))
      return read !== null && read.tab !== tab ? [read] : []
    })

  return {
    ...messages,
    store: (staffId: string, outgoing: Outgoing): void =>
      messages.store(staffId, { ...outgoing, recipient: copied(outgoing.recipient) }),

    /** The answers to comments. */
    answers: storeOf<CommentAnswer>(settings, hold, answersPrefix, storedAnswer),

    /** The number of messages and answers that other tabs of this user hold. `typed`: answers that nobody asked to send. */
    countElsewhere: ({ staffId }: { staffId: string }): { unsent: number; typed: number } => {
      const others = attempt(area, owners, []).filter((entry) => entry.staffId === staffId)
      const typed = others.filter(({ outgoing }) => outgoing.status === 'typed').length
      return { unsent: others.length - typed, typed }
    },

    /** Deletes the messages and answers of all tabs, when a user signs out. */
    forgetAll: (): void => {
      unstored.clear()
      attempt(
        area,
        (store) => {
          for (const key of keysIn(store, common)) store.removeItem(key)
        },
        undefined,
      )
    },
  }
}

function attempt<Result>(area: () => Storage, work: (store: Storage) => Result, otherwise: Result): Result {
  try {
    return work(area())
  } catch {
    return otherwise
  }
}

const keysIn = (store: Storage, start: string): string[] =>
  Array.from({ length: store.length }, (_, index) => store.key(index) ?? '').filter((key) => key.startsWith(start))

/** Takes the lock of the tab once. Without it another tab would take over this tab's sends as left behind. */
function holding({ locks, tab }: Settings): () => void {
  let isHolding = false
  return () => {
    if (isHolding || !locks) return
    isHolding = true
    locks.request(lockOf(tab), () => new Promise<never>(() => {})).catch(() => {})
  }
}

function storeOf<Send extends Sent>(
  { area, locks, lockLimit = 5_000, tab, unstored }: Settings,
  hold: () => void,
  start: string,
  schema: z.ZodMiniType<Send>,
) {
  const stored = z.object({ staffId: text, tab: text, outgoing: schema })
  /** The keys that this session has stored. An earlier session of this tab may have stored others. */
  const own = new Set<string>()

  function write(entry: Stored<Send>): void {
    const key = `${start}${entry.outgoing.key}`
    const json = JSON.stringify(entry)
    // Kept first, so that an older state in the area is never taken for the newest one.
    unstored.set(key, json)
    attempt(
      area,
      (store) => {
        store.setItem(key, json)
        unstored.delete(key)
      },
      undefined,
    )
  }

  function removeAt(key: string): void {
    unstored.delete(key)
    attempt(area, (store) => store.removeItem(key), undefined)
  }
  const remove = (key: string): void => removeAt(`${start}${key}`)

  /** All sends. Entries that cannot be read are deleted. */
  function entries(): Stored<Send>[] {
    const inMemory = [...unstored.keys()].filter((key) => key.startsWith(start))
    const keys = new Set([...inMemory, ...attempt(area, (store) => keysIn(store, start), [])])
    return [...keys].flatMap((key) => {
      const read = readEntry(stored, unstored.get(key) ?? attempt(area, (store) => store.getItem(key), null))
      if (read === null) removeAt(key)
      return read ?? []
    })
  }

  async function livingTabs(): Promise<Set<string>> {
    const { held = [] } = (await locks?.query()) ?? {}
    return new Set(held.flatMap(({ name }) => name ?? []))
  }

  function adopt(staffId: string, living: ReadonlySet<string>): Send[] {
    const left: Send[] = []
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
    load: async ({ staffId }: { staffId: string }): Promise<readonly Send[]> => {
      hold()
      if (!locks) return adopt(staffId, new Set())
      try {
        const signal = AbortSignal.timeout(lockLimit)
        return await locks.request(`${prefix}adopting`, { signal }, async () => adopt(staffId, await livingTabs()))
      } catch {
        return []
      }
    },

    store: (staffId: string, outgoing: Send): void => {
      hold()
      own.add(outgoing.key)
      write({ staffId, tab, outgoing })
    },

    forget: remove,
  }
}

const copied = (recipient: Outgoing['recipient']) => ({ ...recipient, pages: [...recipient.pages] })

function readEntry<Entry>(schema: z.ZodMiniType<Entry>, json: string | null): Entry | null {
  try {
    const read = z.safeParse(schema, JSON.parse(json ?? ''))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
