import type { Conversation } from '../../schemas/conversation.ts'
import type { FaqEntry } from '../../schemas/faq.ts'
import type { Message } from '../../schemas/message.ts'
import { matchesOf } from '../faq/faq-matching.ts'
import { rowIdOf } from '../list/conversation-row.ts'
import { isWaiting } from '../list/views.ts'

/** The messages of a person since the last answer, newest first. `key` differs for each message. */
export type Question = { key: string; texts: readonly string[] }

/** The maximum number of messages in which a question is looked for. */
const maxTexts = 5

/**
 * The question that a conversation waits with; null if nobody waits, or if something else came last. `messages`: the loaded
 * messages of the thread, oldest first.
 */
export function questionOf(conversation: Conversation, messages: readonly Message[]): Question | null {
  const { last_message_text, last_message_direction, last_message_at } = conversation
  if (!isWaiting(conversation) || last_message_direction !== 'incoming') return null
  const answered = messages.findLastIndex(({ direction }) => direction === 'outgoing')
  const since = messages.slice(answered + 1).map(({ message_text }) => message_text)
  const texts = (since.length > 0 ? since.toReversed() : [last_message_text])
    .flatMap((text) => text?.trim() || [])
    .slice(0, maxTexts)
  return texts.length === 0 ? null : { key: `${rowIdOf(conversation)} ${last_message_at} ${texts.length}`, texts }
}

/** The maximum number of suggestions for one question. */
const maxSuggestions = 3

/** The active entries that match the newest message that any entry matches, best first, at most three. */
export function suggestionsFor({ texts }: Question, entries: readonly FaqEntry[]): readonly FaqEntry[] {
  const active = entries.filter((entry) => entry.is_active)
  const candidates = active.map(({ category_name, ...entry }) => ({ ...entry, category_name: category_name ?? null }))
  for (const text of texts) {
    const matches = matchesOf(text, candidates).slice(0, maxSuggestions)
    if (matches.length > 0) return matches.flatMap(({ id }) => active.find((entry) => entry.id === id) ?? [])
  }
  return []
}
