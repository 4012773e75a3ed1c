import type { Conversation, Platform } from '../../schemas/conversation.ts'
import type { Reaction } from '../../schemas/reactions-receipts-replies.ts'
import { replyWindow } from '../send/reply-window.ts'
import type { Reactions } from './merged-reactions.ts'

/** What the network accepts from a page: any emoji on Messenger, of which the usual ones are offered; a heart on Instagram. */
const offered: Readonly<Record<Platform, readonly string[]>> = {
  messenger: ['❤', '👍', '😆', '😮', '😢', '😠'],
  instagram: ['❤'],
}

export const reactionsOn = (platform: Platform): readonly string[] => offered[platform]

/** Whether the network takes reactions now. It has no tag for them, so the standard window counts. `now` in milliseconds. */
export const takesReactions = (lastIncomingAt: string | null | undefined, now: number): boolean =>
  replyWindow(lastIncomingAt, now)?.state === 'standard'

/**
 * The reactions that are offered for a message of the identity `fbUserId`, with the page's own one, which can be taken back.
 * The row knows the platform and the last message of its main identity only: for another one, what Instagram takes is
 * offered, and the server decides. `now` in milliseconds.
 */
export function reactionsFor(
  row: Pick<Conversation, 'fb_user_id' | 'platform' | 'last_incoming_at'> | null,
  { fbUserId, own, now }: { fbUserId: string; own: string | null; now: number },
): readonly string[] {
  const main = row?.fb_user_id === fbUserId ? row : null
  if (main?.last_incoming_at != null && !takesReactions(main.last_incoming_at, now)) return []
  const emojis = reactionsOn(main?.platform ?? 'instagram')
  return own === null || emojis.includes(own) ? emojis : [own, ...emojis]
}

/** Instagram knows its reaction by name only. */
export const networkReaction = (platform: Platform, emoji: string): string =>
  platform === 'instagram' ? 'love' : emoji

/** The reactions that are shown: those that were not taken back. */
export const shownReactions = (reactions: Reactions): (Reaction & { emoji: string })[] =>
  (reactions ?? []).flatMap((reaction) => (reaction.emoji === null ? [] : [{ ...reaction, emoji: reaction.emoji }]))

/** The page's own reaction; null if there is none. */
export const ownReaction = (reactions: Reactions): string | null =>
  reactions?.find(({ by }) => by === 'page')?.emoji ?? null
