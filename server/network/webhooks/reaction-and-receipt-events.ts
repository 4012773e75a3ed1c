import { cleanText } from '../../clean-text.ts'

/** A reaction of the person, or of the page in its own app. A null `emoji` takes it back. */
export type ReactionEvent = {
  kind: 'reaction'
  personId: string
  messageId: string
  by: 'person' | 'page'
  emoji: string | null
  at: Date
}

/** The person received or read the messages up to a time, or read them up to a message (Instagram). */
export type ReceiptEvent = { kind: 'receipt'; personId: string; at: Date } & (
  | { receipt: 'delivered' | 'read'; upTo: Date }
  | { receipt: 'read'; messageId: string }
)

type Given = {
  sender?: { id?: string | null | undefined } | null | undefined
  reaction?:
    | {
        mid: string
        action: 'react' | 'unreact'
        emoji?: string | null | undefined
        reaction?: string | null | undefined
      }
    | null
    | undefined
  delivery?: { watermark: number } | null | undefined
  read?: { watermark?: number | null | undefined; mid?: string | null | undefined } | null | undefined
}

/** The emoji of the names that the network gives to reactions without an emoji. */
const namedEmoji: Readonly<Record<string, string>> = {
  smile: '😆',
  angry: '😠',
  sad: '😢',
  wow: '😮',
  love: '❤',
  like: '👍',
  dislike: '👎',
}
const otherEmoji = '❔'
/** Of an emoji, in UTF-16 units: the longest have about 15. */
const maxEmojiLength = 20

/** The reaction or receipt of an event; null if it is neither. */
export function reactionOrReceiptOf(
  accountId: string,
  personId: string,
  at: Date,
  receivedAt: Date,
  { sender, reaction, delivery, read }: Given,
): ((ReactionEvent | ReceiptEvent) & { accountId: string }) | null {
  const from = { accountId, personId, at }
  if (reaction) {
    const by = sender?.id === accountId ? 'page' : 'person'
    const given = cleanText(reaction.emoji ?? '') || (namedEmoji[reaction.reaction ?? ''] ?? otherEmoji)
    const emoji = reaction.action === 'unreact' ? null : given.length > maxEmojiLength ? otherEmoji : given
    return { ...from, kind: 'reaction', messageId: reaction.mid, by, emoji }
  }
  // Nobody has read what was not written yet.
  const latest = Math.max(at.getTime(), receivedAt.getTime())
  const timeOf = (watermark: number) => new Date(Math.min(Math.max(watermark, 0), latest))
  if (delivery) return { ...from, kind: 'receipt', receipt: 'delivered', upTo: timeOf(delivery.watermark) }
  if (read?.watermark != null) return { ...from, kind: 'receipt', receipt: 'read', upTo: timeOf(read.watermark) }
  return read?.mid != null ? { ...from, kind: 'receipt', receipt: 'read', messageId: read.mid } : null
}
