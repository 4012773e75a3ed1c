import { isAutomatic } from '../../domain/faq/automatic.ts'
import { comparePlaces, momentOf, placeOf, sentAt } from '../../domain/message-order.ts'
import { dayKey } from '../../domain/moments.ts'
import type { Outgoing } from '../../domain/send/outgoing.ts'
import { isSameAuthor } from '../../domain/thread/authors.ts'
import type { Message } from '../../schemas/message.ts'
import type { Note } from '../../schemas/note.ts'

/** The items of the thread, top to bottom. */
export type ThreadItem =
  /**
   * `nextDay` is a moment of the day that begins below the message. The day heading belongs to the message above it, so
   * that no height changes and the scroll position stays when older messages load. `startsUnread` marks the first
   * unread message. `endsGroup` marks the last message of a group, which shows the time and the social page for the
   * group.
   */
  | {
      kind: 'message'
      key: string
      message: Message
      nextDay: string | null
      startsUnread: boolean
      endsGroup: boolean
    }
  | { kind: 'send'; key: string; send: Outgoing }
  /** An internal note. Shares no field with messages. */
  | { kind: 'note'; key: string; note: Note }

/** Caches the day of each message, because formatting a date is the slowest part of an item. */
const days = new WeakMap<Message, string>()
const dayOf = (message: Message): string => {
  const known = days.get(message)
  if (known !== undefined) return known
  const day = dayKey(momentOf(message))
  days.set(message, day)
  return day
}

const keyOf = (message: Message): string =>
  message.idempotency_key == null ? `message:${message.message_id}` : `own:${message.idempotency_key}`

/** The maximum time between two messages of one group, in milliseconds. */
const groupedWithin = 3 * 60_000

const isSameGroup = (message: Message, next: Message): boolean =>
  message.direction === next.direction &&
  message.page_id === next.page_id &&
  isAutomatic(message) === isAutomatic(next) &&
  isSameAuthor(message.author, next.author) &&
  sentAt(next) - sentAt(message) <= groupedWithin

type MessageItem = Extract<ThreadItem, { kind: 'message' }>

/** An item depends on its message and on the next message. */
function itemOf(message: Message, next: Message | undefined, newFrom: string | null): MessageItem {
  const nextDay = next === undefined || dayOf(next) === dayOf(message) ? null : momentOf(next)
  return {
    kind: 'message',
    key: keyOf(message),
    message,
    nextDay,
    startsUnread: message.message_id === newFrom,
    endsGroup: next === undefined || nextDay !== null || next.message_id === newFrom || !isSameGroup(message, next),
  }
}

/** Counts the equal messages at the start and at the end of two lists. */
function alike(before: readonly Message[], now: readonly Message[]): { first: number; last: number } {
  const shorter = Math.min(before.length, now.length)
  let first = 0
  while (first < shorter && before[first] === now[first]) first += 1
  let last = 0
  while (last < shorter - first && before.at(-1 - last) === now.at(-1 - last)) last += 1
  return { first, last }
}

/**
 * Creates a function that computes the items of a thread and reuses the unchanged ones: a new message in a thread of
 * 50,000 messages costs as much as in a short thread. The function takes the messages (oldest first), the unconfirmed
 * sends (shown below them) and the id of the first unread message. A send keeps its key when it becomes a message, so
 * that its bubble stays in place. While both exist, only the message is shown.
 */
export function createThreadItems() {
  let shown: readonly Message[] = []
  let shownNewFrom: string | null = null
  let items: readonly MessageItem[] = []

  const messageItems = (messages: readonly Message[], newFrom: string | null): readonly MessageItem[] => {
    if (messages === shown && newFrom === shownNewFrom) return items
    const { first, last } = newFrom === shownNewFrom ? alike(shown, messages) : { first: 0, last: 0 }
    // The last equal message at the start may have a new successor, so its item is computed again.
    const kept = first === shown.length && first === messages.length ? first : Math.max(0, first - 1)
    const changed = messages
      .slice(kept, messages.length - last)
      .map((message, index) => itemOf(message, messages[kept + index + 1], newFrom))
    items = [...items.slice(0, kept), ...changed, ...items.slice(items.length - last)]
    shown = messages
    shownNewFrom = newFrom
    return items
  }

  return (messages: readonly Message[], sends: readonly Outgoing[], newFrom: string | null): readonly ThreadItem[] => {
    const known = messageItems(messages, newFrom)
    const waiting = sends.flatMap((send): ThreadItem[] => {
      const key = `own:${send.key}`
      return known.some((item) => item.key === key) ? [] : [{ kind: 'send', key, send }]
    })
    return waiting.length === 0 ? known : [...known, ...waiting]
  }
}

/**
 * Puts the notes (oldest first) between the items by their times. While older messages are not loaded, notes from before
 * the first message are left out. Without notes, returns the same items.
 */
export function withNotes(
  items: readonly ThreadItem[],
  notes: readonly Note[],
  hasOlder: boolean,
): readonly ThreadItem[] {
  const [first] = items
  const from = hasOlder && first?.kind === 'message' ? sentAt(first.message) : Number.NEGATIVE_INFINITY
  const shown = notes.filter((note) => Date.parse(note.created_at) >= from)
  if (shown.length === 0) return items
  const all: ThreadItem[] = []
  let next = 0
  for (const item of items) {
    const until = item.kind === 'message' ? sentAt(item.message) : Number.POSITIVE_INFINITY
    for (let note = shown[next]; note !== undefined && Date.parse(note.created_at) < until; note = shown[next]) {
      all.push({ kind: 'note', key: `note:${note.id}`, note })
      next += 1
    }
    all.push(item)
  }
  return [...all, ...shown.slice(next).map((note) => ({ kind: 'note' as const, key: `note:${note.id}`, note }))]
}

/** Counts the incoming messages after the lowest seen message. If `seen` is null, counts all of them. */
export function countNewAfter(messages: readonly Message[], seen: Message | null): number {
  let incoming = 0
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index]
    if (message === undefined || (seen !== null && comparePlaces(placeOf(message), placeOf(seen)) <= 0)) return incoming
    if (message.direction === 'incoming') incoming += 1
  }
  return incoming
}
