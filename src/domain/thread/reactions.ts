import type { Platform } from '../../schemas/conversation.ts'
import type { Reaction } from '../../schemas/message-signs.ts'
import type { Reactions } from './merged-reactions.ts'

/** What the network accepts from a page: any emoji on Messenger, of which the usual ones are offered; a heart on Instagram. */
const offered: Readonly<Record<Platform, readonly string[]>> = {
  messenger: ['❤', '👍', '😆', '😮', '😢', '😠'],
  instagram: ['❤'],
}

export const reactionsOn = (platform: Platform): readonly string[] => offered[platform]

/** Instagram knows its reaction by name only. */
export const networkReaction = (platform: Platform, emoji: string): string =>
  platform === 'instagram' ? 'love' : emoji

/** The reactions that are shown: those that were not taken back. */
export const shownReactions = (reactions: Reactions): (Reaction & { emoji: string })[] =>
  (reactions ?? []).flatMap((reaction) => (reaction.emoji === null ? [] : [{ ...reaction, emoji: reaction.emoji }]))

/** The page's own reaction; null if there is none. */
export const ownReaction = (reactions: Reactions): string | null =>
  reactions?.find(({ by }) => by === 'page')?.emoji ?? null
