import type { Platform } from '../../schemas/conversation.ts'
import type { Reaction } from '../../schemas/message-signs.ts'

/** What the network accepts from a page: any emoji on Messenger, of which the usual ones are offered; a heart on Instagram. */
const offered: Readonly<Record<Platform, readonly string[]>> = {
  messenger: ['❤', '👍', '😆', '😮', '😢', '😠'],
  instagram: ['❤'],
}

export const reactionsOn = (platform: Platform): readonly string[] => offered[platform]

/** Instagram knows its reaction by name only. */
export const networkReaction = (platform: Platform, emoji: string): string =>
  platform === 'instagram' ? 'love' : emoji

type Reactions = Reaction[] | null | undefined

const isLater = (one: Reaction, other: Reaction): boolean => {
  const difference = Date.parse(one.at) - Date.parse(other.at)
  if (difference !== 0) return difference > 0
  // At the same time a reaction that was taken back counts, as in `merged_reactions` of the database.
  return one.emoji === null ? other.emoji !== null : other.emoji !== null && one.emoji > other.emoji
}

/** Of each side the last reaction, whatever the order in which they arrived. Returns `known` if nothing changes. */
export function mergedReactions(known: Reactions, given: Reactions): Reactions {
  if (!given?.length) return known ?? given
  if (!known?.length) return given
  const merged = known.map((one) => given.find((other) => other.by === one.by && isLater(other, one)) ?? one)
  const added = given.filter((one) => !known.some(({ by }) => by === one.by))
  if (added.length === 0 && merged.every((one, index) => one === known[index])) return known
  return [...merged, ...added].sort((one, other) => (one.by < other.by ? -1 : 1))
}

/** The reactions that are shown: those that were not taken back. */
export const shownReactions = (reactions: Reactions): (Reaction & { emoji: string })[] =>
  (reactions ?? []).flatMap((reaction) => (reaction.emoji === null ? [] : [{ ...reaction, emoji: reaction.emoji }]))

/** The page's own reaction; null if there is none. */
export const ownReaction = (reactions: Reactions): string | null =>
  reactions?.find(({ by }) => by === 'page')?.emoji ?? null
